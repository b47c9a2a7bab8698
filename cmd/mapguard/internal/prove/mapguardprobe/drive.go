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
		r.random++
		return int(mixed(r.random)>>1) % n
	}
	d := &keyring{keys: r.keys, choose: choose}
	setWaits(exploring == 0)
	defer setWaits(true)
	enough := time.Now().Add(time.Until(until) / 4)
	for late, begun := 0, r.round; !settled(r.finding) && time.Now().Before(until) && late < maxLate; r.round++ {
		round := r.round
		if exploring > 0 && round >= begun+exploring && (len(r.meetings) > 0 || time.Now().After(enough)) {
			exploring = 0
			setWaits(true)
		}
		now, known := r.next(choose)
		key := d.key(round, now.key)
		list := prepared(r.calls, now.round, key)
		if len(list) == 0 {
			continue
		}
		before, at, slow, lost := changes.Load(), r.places(), late, false
		now.key = d.last
		now.extend(known, len(list), choose)
		for _, i := range now.before {
			late += meet(&lost, []func(){list[i%len(list)]})
		}
		again := now.rivals != nil
		if !again {
			now.rivals = r.rivals(choose)
		}
		a, others := now.calls(list)
		late += r.meets(&lost, a, others)
		if late == slow && !again && r.met.conflict() {
			r.repeat(now, choose)
		}
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
// calls that went before. One that is to be repeated as it was has its key, and
// the calls that were made at one time, too.
type fruit struct {
	round  int
	before []int
	key    string
	rivals []int // the first in one goroutine, the rest in another
}

// calls are those that are made at one time.
func (f *fruit) calls(list []func()) (a func(), others []func()) {
	for _, i := range f.rivals[1:] {
		others = append(others, list[i%len(list)])
	}
	return list[f.rivals[0]%len(list)], others
}

// rivals chooses a call that reaches the finding, and what comes at the same
// time.
func (r *registration) rivals(choose func(int) int) []int {
	a := choose(r.own)
	out := []int{a, a}
	switch choose(3) {
	case 1:
		out[1] = choose(r.all)
	case 2:
		if r.all > r.own {
			out[1] = r.own + choose(r.all-r.own)
		}
	}
	for choose(2) == 1 && len(out) < 4 {
		out = append(out, choose(r.all))
	}
	return out
}

// next is a round of its own, or one that is kept: an operation is chosen, then
// a round that reached it, so that what is hard to reach comes as often as the
// rest. Objects, arguments and what went before are as in that.
// One whose calls came to the finding and to a change of its map is repeated as
// it was: what is missing is that they meet.
func (r *registration) next(choose func(int) int) (f fruit, known bool) {
	if len(r.meetings) > 0 && choose(2) == 0 {
		return r.meetings[choose(len(r.meetings))], true
	}
	if len(r.fruitful) == 0 || choose(2) == 0 {
		return fruit{round: r.round}, false
	}
	list := r.fruitful[toOwn-choose(2)]
	if len(list) == 0 || choose(2) == 0 {
		if len(r.reached) == 0 {
			return fruit{round: r.round}, false
		}
		list = r.fruitful[r.reached[choose(len(r.reached))]]
	}
	f = list[choose(len(list))]
	return fruit{round: f.round, before: append([]int(nil), f.before...)}, true
}

// extend adds calls that go before: what is driven may need an entry.
func (f *fruit) extend(known bool, calls int, choose func(int) int) {
	more := 0
	switch {
	case f.rivals != nil:
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
	f = fruit{round: f.round, before: f.before}
	for site, n := range r.places() {
		if n == before[site] {
			continue
		}
		if len(r.fruitful[site]) == 0 {
			r.reached = append(r.reached, site)
		}
		r.keep(site, f, choose)
	}
	own, change := r.met.came()
	if own {
		r.keep(toOwn, f, choose)
	}
	if change {
		r.keep(toChange, f, choose)
	}
}

// Rounds are kept for two things besides operations: that the finding's own was
// reached, in the function that it is in, and that its map was changed, both by
// the calls that were made at one time.
const (
	toOwn    = -1
	toChange = -2
)

// keep keeps a round for what it has reached.
func (r *registration) keep(what int, f fruit, choose func(int) int) {
	if r.fruitful == nil {
		r.fruitful = map[int][]fruit{}
	}
	if list := r.fruitful[what]; len(list) < maxFruitful {
		r.fruitful[what] = append(list, f)
	} else {
		list[choose(maxFruitful)] = f
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

// key is the key of a round, made of a given one, if any.
func (k *keyring) key(round int, of string) string {
	k.last = "k"
	switch n := k.choose(4); {
	case of != "":
		k.last = of
	case n < 2 && len(k.proven) > 0:
		k.last = k.proven[k.choose(len(k.proven))]
	case n == 2 && len(k.keys) > 0:
		k.last = k.keys[k.choose(len(k.keys))]
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

// background says that a call starts goroutines: then others may come when the
// driver's are through.
var background atomic.Bool

// Started tells that a goroutine is started.
func Started() { background.Store(true) }

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
	if mixed(uint32(round*31+part+1))&1 == 0 {
		return other
	}
	return v
}

// mixed spreads a number over all bits, so that parts of one round, and choices
// that follow each other, have nothing to do with each other.
func mixed(n uint32) uint32 {
	n *= 2654435761
	n ^= n >> 16
	n *= 2246822519
	n ^= n >> 13
	n *= 3266489917
	return n ^ n>>16
}

// Moment is a time: none, one that is over, or one to come.
func Moment(round, part int) time.Time {
	switch mixed(uint32(round*31+part+1)) % 3 {
	case 0:
		return time.Time{}
	case 1:
		return time.Unix(1700000000, 0)
	}
	return time.Now().Add(time.Hour)
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
