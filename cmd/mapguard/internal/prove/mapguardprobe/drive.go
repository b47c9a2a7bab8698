package mapguardprobe

import (
	"os"
	"strconv"
	"sync/atomic"
	"time"
)

// Drive calls the entries of a finding in two goroutines, round by round: each
// round has an object of its own, and a key that both use. The first own of
// the calls reach the finding, the first all of them change its map or meet it;
// the others bring the object into other states.
func Drive(finding, own, all int, keys []string, calls func(round int, key string, n int, flag bool) []func()) {
	r := &registration{finding: finding, own: own, all: all, keys: keys, calls: calls, random: uint32(seed)}
	r.drive(time.Now().Add(micros(DriveVariable)), 300)
}

// drive drives until the finding is confirmed or the time is up. In the first
// rounds, exploring, no goroutine waits: they only find out which keys are good.
func (r *registration) drive(until time.Time, exploring int) {
	choose := func(n int) int {
		r.random = r.random*1664525 + 1013904223
		return int(r.random>>8) % n
	}
	d := &keyring{keys: r.keys, choose: choose}
	setWaits(exploring == 0)
	defer setWaits(true)
	for late, begun := 0, r.round; !settled(r.finding) && time.Now().Before(until) && late < maxLate; r.round++ {
		round := r.round
		if round == begun+exploring {
			setWaits(true)
		}
		key := d.key(round)
		now, known := r.next(choose)
		list := prepared(r.calls, now.round, key)
		if len(list) == 0 {
			continue
		}
		before, at, slow, lost := changes.Load(), r.places(), late, false
		now.extend(known, len(list), choose)
		for _, i := range now.before {
			late += meet(&lost, []func(){list[i%len(list)]})
		}
		a, others := r.rivals(list, choose)
		late += meet(&lost, []func(){a}, others)
		if changes.Load() > before {
			d.good()
		}
		if late == slow {
			r.remember(now, at, choose)
		}
	}
}

// Bounds of the rounds that are kept for each operation, and of the calls that
// go before.
const (
	maxFruitful = 4
	maxBefore   = 6
)

// A fruit is a round that reached an operation on the map: its number, and the
// calls that went before.
type fruit struct {
	round  int
	before []int
}

// rivals chooses a call that reaches the finding, and what comes at the same
// time.
func (r *registration) rivals(list []func(), choose func(int) int) (a func(), others []func()) {
	a = list[choose(r.own)]
	others = []func(){a}
	switch choose(3) {
	case 1:
		others[0] = list[choose(r.all)]
	case 2:
		if r.all > r.own {
			others[0] = list[r.own+choose(r.all-r.own)]
		}
	}
	for choose(2) == 1 && len(others) < 3 {
		others = append(others, list[choose(r.all)])
	}
	return a, others
}

// next is a round of its own, or one that is kept: an operation is chosen, then
// a round that reached it, so that what is hard to reach comes as often as the
// rest. Objects, arguments and what went before are as in that.
func (r *registration) next(choose func(int) int) (f fruit, known bool) {
	if len(r.fruitful) == 0 || choose(2) == 0 {
		return fruit{round: r.round}, false
	}
	list := r.fruitful[r.reached[choose(len(r.reached))]]
	f = list[choose(len(list))]
	return fruit{f.round, append([]int(nil), f.before...)}, true
}

// extend adds calls that go before: what is driven may need an entry.
func (f *fruit) extend(known bool, calls int, choose func(int) int) {
	more := 0
	switch {
	case known && len(f.before) < maxBefore:
		more = choose(2)
	case !known && f.round%2 == 1:
		more = 1 + choose(4)
	}
	for ; more > 0; more-- {
		f.before = append(f.before, choose(calls))
	}
}

// remember keeps a round for each operation that it has reached.
func (r *registration) remember(f fruit, before []int, choose func(int) int) {
	for site, n := range r.places() {
		if n == before[site] {
			continue
		}
		list := r.fruitful[site]
		switch {
		case len(list) == 0:
			if r.fruitful == nil {
				r.fruitful = map[int][]fruit{}
			}
			r.reached = append(r.reached, site)
			r.fruitful[site] = []fruit{f}
		case len(list) < maxFruitful:
			r.fruitful[site] = append(list, f)
		default:
			list[choose(maxFruitful)] = f
		}
	}
}

// places counts how often each operation of the finding was reached.
func (r *registration) places() []int {
	mu.Lock()
	defer mu.Unlock()
	out := append([]int(nil), visits...)
	for i := range out {
		s := &plan.Sites[i]
		if !has(s.Looks, r.finding) && !has(s.Acts, r.finding) && !has(s.Traps, r.finding) && !has(s.Others, r.finding) {
			out[i] = 0
		}
	}
	return out
}

// A keyring chooses keys: those more often with which the map was changed.
type keyring struct {
	keys   []string
	choose func(int) int
	last   string
	proven []string
}

func (k *keyring) key(round int) string {
	k.last = "k"
	switch k.choose(4) {
	case 0, 1:
		if len(k.proven) > 0 {
			k.last = k.proven[k.choose(len(k.proven))]
		}
	case 2:
		if len(k.keys) > 0 {
			k.last = k.keys[k.choose(len(k.keys))]
		}
	}
	if round%6 == 5 {
		return k.last
	}
	return k.last + strconv.Itoa(round)
}

func (k *keyring) good() {
	for _, p := range k.proven {
		if p == k.last {
			return
		}
	}
	k.proven = append(k.proven, k.last)
}

// A meeting is what a driver runs at one time; live are the goroutines that are
// not through.
type meeting struct {
	live int
	over chan struct{} // closed when there is one left
}

var driven *meeting

// background says that a call starts goroutines: then others may come when the
// driver's are through.
var background atomic.Bool

// Started tells that a goroutine is started.
func Started() { background.Store(true) }

// alone tells when only one goroutine is left; without a driver, never.
func (m *meeting) alone() chan struct{} {
	if m == nil || background.Load() {
		return nil
	}
	return m.over
}

// through ends one goroutine.
func (m *meeting) through() {
	mu.Lock()
	defer mu.Unlock()
	if m.live--; m.live == 1 {
		close(m.over)
	}
}

// DriveVariable is how long a driver tries, in microseconds.
const DriveVariable = "MAPGUARD_PROVE_DRIVE"

// maxLate bounds the rounds in which a call does not return.
const maxLate = 8

// prepared makes the calls of a round; an object may not be one that can be
// made so.
func prepared(calls func(int, string, int, bool) []func(), round int, key string) (list []func()) {
	defer func() {
		if p := recover(); p != nil && os.Getenv("MAPGUARD_PROVE_DEBUG") != "" {
			println("no object:", text(p))
		}
	}()
	return calls(round, key, round+1, round%4 < 2)
}

// Some leaves out a part of a value in a quarter of the rounds: there may be
// none. In half of them all parts are there.
func Some[T any](round, part int, v T) T {
	var none T
	if round>>2&1 == 0 {
		return v
	}
	return Either(round, part, v, none)
}

// Either is one of two values, each in half of the rounds.
func Either[T any](round, part int, v, other T) T {
	if (uint32(round*31+part+1)*2654435761)>>16&1 == 0 {
		return other
	}
	return v
}

// Moment is a time: none, one that is over, or one to come.
func Moment(round, part int) time.Time {
	switch (uint32(round*31+part+1) * 2654435761) >> 16 % 3 {
	case 0:
		return time.Time{}
	case 1:
		return time.Unix(1700000000, 0)
	}
	return time.Now().Add(time.Hour)
}

// meet has goroutines make calls at one time, and returns 1 when they take too
// long. What a call that panics has locked stays so: then the round is lost, the
// others are not waited for, and that is no reason to drive no more.
func meet(lost *bool, calls ...[]func()) int {
	done := make(chan bool, len(calls))
	m := &meeting{live: len(calls), over: make(chan struct{})}
	mu.Lock()
	driven = m
	mu.Unlock()
	for _, c := range calls {
		c := c
		go func() {
			failed := false
			defer func() { m.through(); done <- failed }()
			for _, call := range c {
				failed = !try(call) || failed
			}
		}()
	}
	limit := time.NewTimer(time.Second)
	defer limit.Stop()
	if *lost {
		limit.Reset(shortly)
	}
	for range calls {
		select {
		case failed := <-done:
			if failed && !*lost {
				*lost = true
				limit.Reset(shortly)
			}
		case <-limit.C:
			if stuck.Add(int64(len(calls))); *lost && stuck.Load() < maxStuck {
				return 0
			}
			return 1
		}
	}
	return 0
}

// shortly is how long a round waits for the others when a call has panicked,
// maxStuck bounds the goroutines that are left behind.
const (
	shortly  = 50 * time.Millisecond
	maxStuck = 1000
)

var stuck atomic.Int64

// try makes a call, and reports whether it did not panic: its arguments are made
// up.
func try(call func()) (ok bool) {
	defer func() {
		if p := recover(); p != nil && os.Getenv("MAPGUARD_PROVE_DEBUG") != "" {
			println("a call failed:", text(p))
		}
	}()
	call()
	return true
}

func text(p any) string {
	if e, ok := p.(error); ok {
		return e.Error()
	}
	s, _ := p.(string)
	return s
}
