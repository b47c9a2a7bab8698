package mapguardprobe

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"
)

// Sites of the plan that the tests watch: one map, all that is done to it.
const (
	looks1 = iota
	acts1
	sets
	deletes
	uses
	reads
	writes
)

// watch begins a watch of one finding, without waits, and returns what tells
// what was confirmed so far.
func watch(t *testing.T, f Finding, wait time.Duration) func() string {
	t.Helper()
	mu.Lock()
	defer mu.Unlock()
	own := []int{0}
	plan = Plan{
		Sites:    []Site{looks1: {Looks: own}, acts1: {Acts: own}, sets: {}, deletes: {}, uses: {Uses: own}, reads: {Traps: own}, writes: {Others: own}},
		Findings: []Finding{f},
		Frames:   [][]int{own},
	}
	done, visits, serials, gaps = make([]bool, 1), make([]int, len(plan.Sites)), make([]int, 1), make([][]int, 1)
	active, kept = map[int64]*Op{}, nil
	routines, looks, traps, waited, later = map[int64]*routine{}, map[*look]struct{}{}, nil, map[waitKey]*waits{}, nil
	holders, calls, copied, copies, running = map[int64][]lock{}, map[unsafe.Pointer]map[int]func(){}, map[int]int{}, 0, 0
	longest, left, unwaiting, races = wait, 100*wait, false, false
	open.Store(1)
	name := filepath.Join(t.TempDir(), "log")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	out = file
	t.Cleanup(func() {
		open.Store(0)
		out = nil
		file.Close()
	})
	return func() string {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if strings.HasPrefix(line, "confirmed 0 ") {
				return line
			}
		}
		return ""
	}
}

// other runs something in another goroutine, to its end.
func other(f func()) {
	over := make(chan bool)
	go func() {
		defer close(over)
		f()
	}()
	<-over
}

func TestActOnALookThatIsOutOfDate(t *testing.T) {
	deleting := Finding{Pair: true, Act: Delete}
	setting := Finding{Pair: true, Act: Set}
	look := func(m map[string]int) { Get(looks1, &m)("k") }
	act := func(m map[string]int) { Put(acts1, &m)("k", 1) }
	remove := func(m map[string]int) { Drop(acts1, m)("k") }
	set := func(m map[string]int, key string) { Put(sets, &m)(key, 2) }
	for _, c := range []struct {
		name      string
		finding   Finding
		run       func(m map[string]int)
		confirmed bool
	}{
		{"another goroutine inserts in between", setting, func(m map[string]int) { look(m); other(func() { set(m, "k") }); act(m) }, true},
		{"nothing comes in between", setting, func(m map[string]int) { look(m); act(m) }, false},
		{"the goroutine itself inserts", setting, func(m map[string]int) { look(m); set(m, "k"); act(m) }, false},
		{"the goroutine itself inserts last", setting, func(m map[string]int) { look(m); other(func() { set(m, "k") }); set(m, "k"); act(m) }, false},
		{"another key is inserted", setting, func(m map[string]int) { look(m); other(func() { set(m, "l") }); act(m) }, false},
		{"another map is changed", setting, func(m map[string]int) { look(m); other(func() { set(map[string]int{}, "k") }); act(m) }, false},
		{"it is inserted and deleted again", setting, func(m map[string]int) {
			look(m)
			other(func() { set(m, "k"); Drop(deletes, m)("k") })
			act(m)
		}, false},
		{"the goroutine looks again", setting, func(m map[string]int) { look(m); other(func() { set(m, "k") }); Get(sets, &m)("k"); act(m) }, false},
		{"the change is before the look", setting, func(m map[string]int) { other(func() { set(m, "k") }); look(m); act(m) }, false},
		{"what is gone is deleted again", deleting, func(m map[string]int) { m["k"] = 1; look(m); other(func() { Drop(deletes, m)("k") }); remove(m) }, false},
		{"both go by having found it", Finding{Pair: true, Twice: true, Act: Delete}, func(m map[string]int) {
			m["k"] = 1
			Get2(looks1, &m)("k")
			other(func() { Drop(deletes, m)("k") })
			remove(m)
		}, true},
		{"a deletion removes what was put back", deleting, func(m map[string]int) {
			m["k"] = 1
			look(m)
			other(func() { Drop(deletes, m)("k"); set(m, "k") })
			remove(m)
		}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			confirmed := watch(t, c.finding, 0)
			f := Enter(0, false)
			defer f.Leave()
			c.run(map[string]int{})
			if got := confirmed() != ""; got != c.confirmed {
				t.Errorf("confirmed is %t", got)
			}
		})
	}
}

// Who finds another's entry in a second look, and returns an own one all the
// same, acts on the first look: there is no second insertion.
func TestOwnValueBesideAnothersEntry(t *testing.T) {
	for _, c := range []struct {
		name      string
		own       bool
		between   func(m map[string]int)
		confirmed bool
	}{
		{"another's entry", true, func(m map[string]int) { other(func() { Put(sets, &m)("k", 2) }) }, true},
		{"an entry that is gone again", true, func(m map[string]int) { other(func() { Put(sets, &m)("k", 2); Drop(deletes, m)("k") }) }, false},
		{"no entry", true, func(map[string]int) {}, false},
		{"an own entry", true, func(m map[string]int) { Put(sets, &m)("k", 2) }, false},
		{"another kind of finding", false, func(m map[string]int) { other(func() { Put(sets, &m)("k", 2) }) }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			confirmed := watch(t, Finding{Pair: true, Own: c.own, Act: Set}, 0)
			m := map[string]int{}
			f := Enter(0, false)
			defer f.Leave()
			Get2(looks1, &m)("k")
			c.between(m)
			if _, there := Get2(sets, &m)("k"); !there {
				Put(acts1, &m)("k", 1)
			}
			Own(uses)
			if got := confirmed() != ""; got != c.confirmed {
				t.Errorf("confirmed is %t", got)
			}
		})
	}
}

func TestTwoAccessesAtOneTime(t *testing.T) {
	var lock sync.Mutex
	read := func(m map[string]int) { Get(reads, &m)("k") }
	write := func(m map[string]int) { Put(writes, &m)("l", 1) }
	locked := func(f func()) func() {
		return func() { lock.Lock(); defer lock.Unlock(); f() }
	}
	m, n := map[string]int{}, map[string]int{}
	for _, c := range []struct {
		name      string
		a, b      func()
		confirmed bool
	}{
		{"read and write", func() { read(m) }, func() { write(m) }, true},
		{"both read", func() { read(m) }, func() { read(m) }, false},
		{"of different maps", func() { read(m) }, func() { write(n) }, false},
		{"under one lock", locked(func() { read(m) }), locked(func() { write(m) }), false},
		{"neither is the finding's own", func() { write(m) }, func() { write(m) }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			confirmed := watch(t, Finding{}, 100*time.Millisecond)
			var both sync.WaitGroup
			for _, f := range []func(){c.a, c.b} {
				f := f
				both.Add(1)
				go func() {
					defer both.Done()
					f()
				}()
			}
			both.Wait()
			if got := confirmed() != ""; got != c.confirmed {
				t.Errorf("confirmed is %t", got)
			}
		})
	}
}

// What is written down has the keys and the locks of each step.
func TestAMapThatACallerKeeps(t *testing.T) {
	for _, c := range []struct {
		name      string
		change    func(m map[string]int)
		confirmed bool
	}{
		{"another goroutine changes it", func(m map[string]int) { other(func() { Put(writes, &m)("k", 1) }) }, true},
		{"another goroutine reads it", func(m map[string]int) { other(func() { Get(writes, &m)("k") }) }, false},
		{"the caller changes it", func(m map[string]int) { Put(writes, &m)("k", 1) }, false},
		{"another map is changed", func(m map[string]int) { other(func() { o := map[string]int{}; Put(writes, &o)("k", 1) }) }, false},
	} {
		confirmed := watch(t, Finding{}, 0)
		m := map[string]int{}
		Handed(reads, m)
		if c.change(m); (confirmed() != "") != c.confirmed {
			t.Errorf("%s: confirmed: %t, want %t", c.name, !c.confirmed, c.confirmed)
		}
	}
}

func TestOperationsThatOverlap(t *testing.T) {
	for _, c := range []struct {
		name      string
		finding   Finding
		second    func(m map[string]int)
		confirmed bool
	}{
		{"a change during a read", Finding{}, func(m map[string]int) { Put(writes, &m)("k", 1) }, true},
		{"a read during a read", Finding{}, func(m map[string]int) { Get(writes, &m)("k") }, false},
		{"one goroutine alone", Finding{Alone: true}, func(m map[string]int) { Put(reads, &m)("k", 1) }, false},
		{"outside the call", Finding{Via: true}, func(m map[string]int) { Put(writes, &m)("k", 1) }, false},
	} {
		confirmed := watch(t, c.finding, 0)
		m := map[string]int{"a": 1}
		op := AllOf(reads, Iterate, m)
		other(func() { c.second(m) })
		if op.Done(); (confirmed() != "") != c.confirmed {
			t.Errorf("%s: confirmed: %t, want %t", c.name, !c.confirmed, c.confirmed)
		}
	}
}

func TestKeyAndLocksOfAStep(t *testing.T) {
	confirmed := watch(t, Finding{Pair: true, Act: Set}, 0)
	var a, b sync.RWMutex
	m := map[string]int{}
	f := Enter(0, false)
	defer f.Leave()
	Locked("s.a (read)", &a)
	Get(looks1, &m)("k")
	Unlocked(&a)
	other(func() {
		Locked("s.a", &a)
		Locked("s.b", &b)
		Unlocked(&a)
		Put(sets, &m)("k", 1)
	})
	Unlocked(&b) // taken by the other goroutine
	if len(holders) != 0 {
		t.Errorf("locks are left: %v", holders)
	}
	Put(acts1, &m)("k", 2)
	line := confirmed()
	steps := strings.Split(line, `" "`)
	if len(steps) != 3 {
		t.Fatalf("not three steps: %q", line)
	}
	for i, want := range []string{`\nkey\t\"k\"\nlock\ts.a (read)\n`, `\nkey\t\"k\"\nlock\ts.b\n`, `\nkey\t\"k\"\ntesting.`} {
		if !strings.Contains(steps[i], want) {
			t.Errorf("step %d has no %s: %s", i, want, steps[i])
		}
	}
}

func TestLocksThatAreKnownAreBounded(t *testing.T) {
	watch(t, Finding{}, 0)
	locks := make([]sync.Mutex, 2*maxLocks)
	for i := range locks {
		Locked("l", &locks[i])
	}
	if n := len(names(goid())); n != maxLocks {
		t.Errorf("%d locks are known", n)
	}
	for i := range locks {
		Unlocked(&locks[i])
	}
	if len(holders) != 0 {
		t.Errorf("locks are left: %v", holders)
	}
}

func TestKeyText(t *testing.T) {
	long := strings.Repeat("x", 2*maxKey)
	for key, want := range map[any]string{"a\n": `"a\n"`, 7: "7", int64(-1): "-1", uint32(3): "3", uint64(4): "4", [1]int{1}: "", long: `"` + long[:maxKey] + `"`} {
		if got := keyText(key); got != want {
			t.Errorf("%v is written as %s", key, got)
		}
	}
}

// The more often a wait was in vain, the shorter it is; no goroutine waits while
// others are to come from copies of calls and there is none.
func TestWaits(t *testing.T) {
	watch(t, Finding{}, 64*time.Millisecond)
	w, last := &waits{}, time.Hour
	for ; w.vain < 50; w.vain += eager {
		if d := w.length(); d > last || d < 50*time.Microsecond {
			t.Errorf("after %d waits in vain one takes %v", w.vain, d)
		} else {
			last = d
		}
	}
	if last > time.Millisecond {
		t.Errorf("waits stay at %v", last)
	}
	if lonely(1) {
		t.Error("lonely without copies")
	}
	copies = 1
	if !lonely(1) {
		t.Error("not lonely before the first copy")
	}
	running = 1
	if lonely(1) {
		t.Error("lonely beside a copy")
	}
	setWaits(false)
	if grant(waitKey{}) {
		t.Error("waits where none are wanted")
	}
}

// A call that panics with a lock held does not end the driver: its round does
// not wait for those that want the lock.
func TestRoundsThatPanicWithALock(t *testing.T) {
	watch(t, Finding{}, 0)
	const enough = maxLate + 4
	rounds := 0
	r := &registration{own: 2, all: 2, calls: func(int, string, int, bool) []func() {
		rounds++
		mu.Lock()
		done[0] = rounds >= enough
		mu.Unlock()
		var lock sync.Mutex
		both := func() { lock.Lock(); panic("made up") }
		return []func(){both, both}
	}}
	r.drive(time.Now().Add(time.Minute), 0)
	if rounds < enough {
		t.Errorf("it gives up after %d rounds", rounds)
	}
}
