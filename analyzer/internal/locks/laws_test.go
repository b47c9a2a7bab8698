// The laws that make the analysis sound and the solver end, as properties of
// random programs: merging, the transfer functions, and running a callee's
// effect.
package locks

import (
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"testing"
	"testing/quick"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
)

const (
	testLocks = 3
	testConds = 2
	testSecs  = 6
)

var table accesspath.Table

// lock returns the i-th of a few locks.
func lock(i int) accesspath.Path {
	return table.Root(accesspath.Root{Kind: accesspath.Param, Fn: "f", Index: i})
}

func cond(i int, holds bool) Cond {
	return Cond{Val: table.Root(accesspath.Root{Kind: accesspath.Param, Fn: "f", Index: 100 + i}), Holds: holds}
}

var lat Lattice

// An op is one step of a random program.
type op struct {
	kind, lock, cond, sec byte
	holds, write          bool
}

const (
	opAcquire = iota
	opRelease
	opReacquire
	opForget
	opRegister
	opRunDefers
	opThen // runs the kept state as a callee
	opAssume
	opKeep  // remembers the state
	opMerge // meets it with the one remembered
	opKinds
)

var opNames = [opKinds]string{"acquire", "release", "reacquire", "forget", "register", "run defers", "then", "assume", "keep", "merge"}

func (o op) String() string {
	return fmt.Sprintf("%s L%d c%d=%v sec %d write %v", opNames[o.kind], o.lock, o.cond, o.holds, o.sec, o.write)
}

func (o op) mode() Mode {
	if o.write {
		return Write
	}
	return Read
}

func (o op) apply(s, kept State) (State, State) {
	switch o.kind {
	case opAcquire:
		s = s.Acquire(lock(int(o.lock)), o.mode(), Section(o.sec).Of())
	case opRelease:
		s = s.Release(lock(int(o.lock)))
	case opReacquire:
		s = s.Reacquire(Section(o.sec), func(l Lock) bool { return l.Path == lock(int(o.lock)) })
	case opForget:
		s = s.Forget(cond(int(o.cond), true))
	case opRegister:
		s = s.Register(int(o.lock))
	case opRunDefers:
		s = s.RunDefers(func(n int, s State) State {
			if n == 0 {
				return s.Acquire(lock(0), o.mode(), Section(o.sec).Of())
			}
			return s.Release(lock(n))
		})
	case opThen:
		if !kept.IsTop() {
			s = s.Then(kept)
		}
	case opAssume:
		s = s.Assume(cond(int(o.cond), o.holds))
	case opKeep:
		kept = s
	case opMerge:
		s = lat.Merge(s, kept)
	}
	return s, kept
}

func run(ops []op) State {
	s, kept := Reached(), State{}
	for _, o := range ops {
		s, kept = o.apply(s, kept)
	}
	return s
}

func randomOp(r *rand.Rand) op {
	return op{
		kind: byte(r.Intn(opKinds)), lock: byte(r.Intn(testLocks)), cond: byte(r.Intn(testConds)),
		sec: byte(1 + r.Intn(testSecs)), holds: r.Intn(2) == 0, write: r.Intn(2) == 0,
	}
}

func randomState(r *rand.Rand) State {
	if r.Intn(20) == 0 {
		return State{}
	}
	ops := make([]op, r.Intn(30))
	for i := range ops {
		ops[i] = randomOp(r)
	}
	return run(ops)
}

// holds checks a law on random states.
func holds(t *testing.T, law func(a, b, c State, o op) bool) {
	t.Helper()
	cfg := &quick.Config{
		MaxCount: 2_000,
		Rand:     rand.New(rand.NewSource(1)),
		Values: func(vs []reflect.Value, r *rand.Rand) {
			for i := range 3 {
				vs[i] = reflect.ValueOf(randomState(r))
			}
			vs[3] = reflect.ValueOf(randomOp(r))
		},
	}
	err := quick.Check(law, cfg)
	if fail, ok := err.(*quick.CheckError); ok {
		t.Errorf("case %d:\n%s\n%s\n%s\n%s", fail.Count, show(fail.In[0].(State)), show(fail.In[1].(State)), show(fail.In[2].(State)), fail.In[3])
	} else if err != nil {
		t.Error(err)
	}
}

// show writes all of a state, for comparison.
func show(s State) string {
	if s.IsTop() {
		return s.String()
	}
	out := ""
	for _, c := range s.s.cases {
		out += fmt.Sprintf("[%v %v %b %b]", c.When, c.Locks, c.registered, c.unsure)
	}
	return fmt.Sprint(out, s.s.dropped, s.s.widened, s.s.held)
}

func TestMergeLaws(t *testing.T) {
	for name, law := range map[string]func(a, b, c State, o op) bool{
		"identity": func(a, _, _ State, _ op) bool {
			return lat.Equals(lat.Merge(a, State{}), a) && lat.Equals(lat.Merge(State{}, a), a)
		},
		"idempotent":  func(a, _, _ State, _ op) bool { return lat.Equals(lat.Merge(a, a), a) },
		"commutative": func(a, b, _ State, _ op) bool { return lat.Equals(lat.Merge(a, b), lat.Merge(b, a)) },
		"associative": func(a, b, c State, _ op) bool {
			return lat.Equals(lat.Merge(lat.Merge(a, b), c), lat.Merge(a, lat.Merge(b, c)))
		},
		"lower bound": func(a, b, _ State, _ op) bool {
			m := lat.Merge(a, b)
			return lat.Below(m, a) && lat.Below(m, b)
		},
		"greatest lower bound": func(a, b, c State, _ op) bool {
			low := lat.Merge(lat.Merge(a, c), b) // some state below both
			return lat.Below(low, lat.Merge(a, b))
		},
		"promises no more": func(a, b, _ State, _ op) bool {
			for _, h := range lat.Merge(a, b).Held() {
				for _, s := range [...]State{a, b} {
					if g, ok := s.Find(h.Lock); !s.IsTop() && (!ok || g.Mode < h.Mode || g.Sec.Union(h.Sec) != h.Sec) {
						return false
					}
				}
			}
			return true
		},
	} {
		t.Run(name, func(t *testing.T) { holds(t, law) })
	}
}

// A monotone transfer function is what makes the solver end, and end at the
// same result in any order.
func TestTransferMonotone(t *testing.T) {
	for kind := range byte(opKeep) {
		t.Run(opNames[kind], func(t *testing.T) {
			holds(t, func(a, b, kept State, o op) bool {
				o.kind = kind
				lo, _ := o.apply(lat.Merge(a, b), kept)
				hi, _ := o.apply(b, kept)
				return lat.Below(lo, hi)
			})
		})
	}
}

// So must a callee's effect be: what is known of it only ever shrinks.
func TestThenMonotoneInTheCallee(t *testing.T) {
	holds(t, func(a, b, s State, _ op) bool {
		if a.IsTop() || b.IsTop() {
			return true
		}
		return lat.Below(s.Then(lat.Merge(a, b)), s.Then(b))
	})
}

// Whatever states come, meeting them one after the other soon changes nothing
// any more.
func TestHeightIsBounded(t *testing.T) {
	const longest = MaxCases*(testConds*2+1) + testLocks*(1+4+1+5) + testLocks*2 + 2
	for seed := range int64(200) {
		r := rand.New(rand.NewSource(seed))
		s, changes := State{}, 0
		for range 500 {
			next := lat.Merge(s, randomState(r))
			if !lat.Equals(next, s) {
				changes++
			}
			s = next
		}
		if changes > longest {
			t.Errorf("seed %d: %d changes on the way down to %s", seed, changes, show(s))
		}
	}
}

// States are values: an operation must not change what it was given.
func TestOperationsLeaveTheirOperandAlone(t *testing.T) {
	holds(t, func(a, b, _ State, o op) bool {
		before, other := show(a), show(b)
		o.apply(a, b)
		lat.Merge(a, b)
		return show(a) == before && show(b) == other
	})
}

// Top is where no path leads: whatever happens there, it stays top.
func TestTopStaysTop(t *testing.T) {
	for kind := range byte(opKeep) {
		s, _ := op{kind: kind, lock: 1, sec: 1}.apply(State{}, run([]op{{kind: opAcquire, sec: 1}}))
		if !s.IsTop() {
			t.Errorf("%s makes top %s", opNames[kind], show(s))
		}
	}
}

// Over is what Then says of the locks held at entry.
func TestOverIsThen(t *testing.T) {
	holds(t, func(_, b, _ State, o op) bool {
		if b.IsTop() {
			return true
		}
		entry := Reached().Acquire(lock(int(o.lock)), o.mode(), Entry.Of())
		want := entry.Then(b).Held()
		got := slices.Clone(b.Over(entry.Held()))
		slices.SortFunc(got, func(a, b Held) int { return comparePath(a.Lock, b.Lock) })
		for _, h := range got {
			if !slices.ContainsFunc(want, func(w Held) bool { return w.Lock == h.Lock }) {
				return false
			}
		}
		return len(got) == len(want)
	})
}

// FuzzMerge drives two random programs and checks the laws on what they reach.
// The input's bytes are the programs, one operation in four bytes.
func FuzzMerge(f *testing.F) {
	acquire := []byte{opAcquire, 0, 0, 1}
	release := []byte{opRelease, 0, 0, 0}
	f.Add([]byte{}, []byte{})
	f.Add(acquire, release)
	f.Add(slices.Concat(acquire, release), acquire)
	f.Add(slices.Concat([]byte{opAssume, 0, 0x80, 0}, acquire), []byte{opAssume, 0, 0, 0})
	f.Add(slices.Concat(acquire, []byte{opKeep, 0, 0, 0}, release, []byte{opMerge, 0, 0, 0, opThen, 0, 0, 0}), acquire)
	f.Fuzz(func(t *testing.T, x, y []byte) {
		a, b := run(program(x)), run(program(y))
		m := lat.Merge(a, b)
		switch {
		case !lat.Equals(m, lat.Merge(b, a)):
			t.Errorf("not commutative: %s, %s", show(a), show(b))
		case !lat.Equals(lat.Merge(m, m), m):
			t.Errorf("not idempotent: %s", show(m))
		case !lat.Below(m, a) || !lat.Below(m, b):
			t.Errorf("%s is not below both %s and %s", show(m), show(a), show(b))
		case len(m.Cases()) > MaxCases:
			t.Errorf("%d cases", len(m.Cases()))
		}
		for _, c := range m.Cases() {
			if !slices.IsSortedFunc(c.When, compareCond) || !slices.IsSortedFunc(c.Locks, compareLock) {
				t.Errorf("not sorted: %s", show(m))
			}
		}
		for _, h := range m.Held() {
			_, inA := a.Find(h.Lock)
			_, inB := b.Find(h.Lock)
			if !a.IsTop() && !inA || !b.IsTop() && !inB {
				t.Errorf("%s promises more than %s and %s", show(m), show(a), show(b))
			}
		}
	})
}

func program(b []byte) []op {
	var ops []op
	for ; len(b) >= 4 && len(ops) < 40; b = b[4:] {
		ops = append(ops, op{
			kind: b[0] % opKinds, lock: b[1] % testLocks, cond: b[2] & 0x7f % testConds, holds: b[2]&0x80 != 0,
			sec: 1 + b[3]&0x7f%testSecs, write: b[3]&0x80 != 0,
		})
	}
	return ops
}

func randomSections(r *rand.Rand) Sections {
	if r.Intn(10) == 0 {
		return Many
	}
	var a Sections
	for range r.Intn(4) {
		a = a.Union(Section(1 + r.Intn(testSecs)).Of())
	}
	return a
}

func TestSectionsUnionLaws(t *testing.T) {
	cfg := &quick.Config{MaxCount: 20_000, Rand: rand.New(rand.NewSource(1)), Values: func(vs []reflect.Value, r *rand.Rand) {
		for i := range vs {
			vs[i] = reflect.ValueOf(randomSections(r))
		}
	}}
	for name, law := range map[string]any{
		"idempotent":  func(a Sections) bool { return a.Union(a) == a },
		"identity":    func(a Sections) bool { return a.Union(Sections{}) == a },
		"commutative": func(a, b Sections) bool { return a.Union(b) == b.Union(a) },
		"associative": func(a, b, c Sections) bool { return a.Union(b).Union(c) == a.Union(b.Union(c)) },
		"absorbing":   func(a Sections) bool { return a.Union(Many) == Many && Many.Union(a) == Many },
		"grows":       func(a, b Sections) bool { u := a.Union(b); return u.Union(a) == u && u.Union(b) == u },
	} {
		t.Run(name, func(t *testing.T) {
			if err := quick.Check(law, cfg); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestTooManySections(t *testing.T) {
	var u Sections
	for id := range Section(len(u)) {
		u = u.Union((id + 1).Of())
	}
	if u != (Sections{1, 2, 3, 4}) {
		t.Errorf("four sections are %v", u)
	}
	if u.Union(Section(5).Of()) != Many {
		t.Errorf("a fifth section gives %v, want Many", u.Union(Section(5).Of()))
	}
	if Many.Same(Many) {
		t.Error("too many sections were taken for the same")
	}
}
