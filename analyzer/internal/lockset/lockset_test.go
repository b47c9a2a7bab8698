package lockset

import (
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/quick"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
)

var (
	paths accesspath.Table
	lat   Lattice
)

func lock(i int) accesspath.Path {
	return paths.Root(accesspath.Root{Kind: accesspath.Param, Fn: "lock", Index: i})
}

func cond(i int, truth bool) Cond {
	return Cond{paths.Root(accesspath.Root{Kind: accesspath.Param, Fn: "cond", Index: i}), truth}
}

// show writes a state so that a failing law can be read.
func show(s State) string {
	if s.IsTop() {
		return "top"
	}
	var parts []string
	on := func(c Cond) string { return fmt.Sprintf("c%d=%v", c.Val.Root().Index, c.Truth) }
	for _, h := range s.held {
		p := fmt.Sprintf("L%d mode %d by %v", h.Lock.Root().Index, h.Mode, h.Acq)
		if h.If.Val.Known() {
			p += " if " + on(h.If)
		}
		parts = append(parts, p)
	}
	for _, r := range s.released {
		parts = append(parts, fmt.Sprintf("released L%d", r.Root().Index))
	}
	for _, c := range s.assumed {
		parts = append(parts, "knows "+on(c))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// The domain of the property tests is small on purpose: with few locks,
// conditions and acquisitions, random states meet often.
const (
	testLocks = 3
	testConds = 3
	testAcqs  = 6
)

// An op is one step of a random program. Random states are made by programs,
// so that each is one that code can reach.
type op struct {
	kind, lock, cond, acq byte
	truth, write          bool
}

const (
	opAcquire = iota
	opRelease
	opReacquire
	opKeep  // remembers the state
	opMerge // meets it with the one remembered
	opAssume
	opForget
	opKinds
)

var opNames = [opKinds]string{"acquire", "release", "reacquire", "keep", "merge", "assume", "forget"}

func (o op) String() string {
	return fmt.Sprintf("%s L%d c%d=%v acq %d write %v", opNames[o.kind], o.lock, o.cond, o.truth, o.acq, o.write)
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
		s = s.Acquire(lock(int(o.lock)), o.mode(), AcqOf(int32(o.acq)))
	case opRelease:
		s = s.Release(lock(int(o.lock)))
	case opReacquire:
		s = s.Reacquire(AcqOf(int32(o.acq)), func(h Held) bool { return h.Lock == lock(int(o.lock)) })
	case opKeep:
		kept = s
	case opMerge:
		s = lat.Merge(s, kept)
	case opAssume:
		s = s.Assume(cond(int(o.cond), o.truth))
	case opForget:
		s = s.Forget(cond(int(o.cond), true).Val)
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

// A domain is a family of random states.
type domain struct {
	name  string
	kinds int  // the ops in use are those below
	one   bool // each lock has one acquisition, always in one mode
}

var (
	plain       = domain{name: "plain", kinds: opAssume}
	conditional = domain{name: "conditional", kinds: opKinds}
	oneSection  = domain{name: "one acquisition a lock", kinds: opKinds, one: true}
)

func (d domain) op(r *rand.Rand) op {
	o := op{
		kind: byte(r.Intn(d.kinds)), lock: byte(r.Intn(testLocks)), cond: byte(r.Intn(testConds)),
		acq: byte(1 + r.Intn(testAcqs)), truth: r.Intn(2) == 0, write: r.Intn(2) == 0,
	}
	if d.one {
		o.acq, o.write = o.lock+1, true
	}
	return o
}

func (d domain) state(r *rand.Rand) State {
	if r.Intn(20) == 0 {
		return State{}
	}
	ops := make([]op, r.Intn(13))
	for i := range ops {
		ops[i] = d.op(r)
	}
	return run(ops)
}

// below reports a ≤ b: a promises nothing that b does not.
func below(a, b State) bool { return lat.Equals(lat.Merge(a, b), a) }

// holds checks a law on random states of the domain.
func (d domain) holds(t *testing.T, law func(a, b, c State, o op) bool) {
	t.Helper()
	cfg := &quick.Config{
		MaxCount: 20_000,
		Rand:     rand.New(rand.NewSource(1)),
		Values: func(vs []reflect.Value, r *rand.Rand) {
			for i := range 3 {
				vs[i] = reflect.ValueOf(d.state(r))
			}
			vs[3] = reflect.ValueOf(d.op(r))
		},
	}
	err := quick.Check(law, cfg)
	if fail, ok := err.(*quick.CheckError); ok {
		t.Errorf("case %d:\n%s\n%s\n%s\n%s", fail.Count, show(fail.In[0].(State)), show(fail.In[1].(State)), show(fail.In[2].(State)), fail.In[3])
	} else if err != nil {
		t.Error(err)
	}
}

func TestMergeLaws(t *testing.T) {
	for _, d := range []domain{plain, conditional} {
		t.Run(d.name, func(t *testing.T) {
			t.Run("identity", func(t *testing.T) {
				d.holds(t, func(a, _, _ State, _ op) bool {
					return lat.Equals(lat.Merge(a, lat.Ident()), a) && lat.Equals(lat.Merge(lat.Ident(), a), a)
				})
			})
			t.Run("idempotent", func(t *testing.T) {
				d.holds(t, func(a, _, _ State, _ op) bool { return lat.Equals(lat.Merge(a, a), a) })
			})
			t.Run("commutative", func(t *testing.T) {
				d.holds(t, func(a, b, _ State, _ op) bool { return lat.Equals(lat.Merge(a, b), lat.Merge(b, a)) })
			})
			t.Run("lower bound", func(t *testing.T) {
				d.holds(t, func(a, b, _ State, _ op) bool {
					m := lat.Merge(a, b)
					return below(m, a) && below(m, b)
				})
			})
			t.Run("associative", func(t *testing.T) {
				d.holds(t, func(a, b, c State, _ op) bool {
					return lat.Equals(lat.Merge(lat.Merge(a, b), c), lat.Merge(a, lat.Merge(b, c)))
				})
			})
			t.Run("greatest lower bound", func(t *testing.T) {
				d.holds(t, func(a, b, c State, _ op) bool {
					low := lat.Merge(lat.Merge(a, c), b) // some state below both
					return below(low, lat.Merge(a, b))
				})
			})
		})
	}
}

// A monotone transfer function is what makes the solver end, and end at the
// same result in any order.
func TestTransferMonotone(t *testing.T) {
	monotone := func(t *testing.T, d domain, kind byte) {
		d.holds(t, func(a, b, _ State, o op) bool {
			o.kind = kind
			lo, hi := lat.Merge(a, b), b
			if kind == opAssume && hi.knows(cond(int(o.cond), !o.truth)) {
				return true // hi does not come this way: nothing is promised
			}
			lo, _ = o.apply(lo, State{})
			hi, _ = o.apply(hi, State{})
			if kind == opAssume {
				// A branch tells more of a lock that is held under a
				// condition than of one that is held perhaps; that part
				// promises nothing.
				m := lat.Merge(lo, hi)
				m.maybe, lo.maybe = nil, nil
				return lat.Equals(m, lo)
			}
			return below(lo, hi)
		})
	}
	for kind := range byte(opAssume) {
		if kind == opKeep || kind == opMerge {
			continue
		}
		t.Run("plain/"+opNames[kind], func(t *testing.T) { monotone(t, plain, kind) })
	}
	for _, kind := range []byte{opAcquire, opRelease, opReacquire, opForget} {
		t.Run("conditional/"+opNames[kind], func(t *testing.T) { monotone(t, conditional, kind) })
	}
	// A lock that different acquisitions hold under different conditions is
	// left out: which of them a branch then names is a matter of choice.
	t.Run("conditional/assume", func(t *testing.T) { monotone(t, oneSection, opAssume) })
}

func TestMaybe(t *testing.T) {
	l, other := lock(0), lock(1)
	locked := Reached().Acquire(l, Write, AcqOf(1))
	merged := lat.Merge(locked, Reached())
	for _, tc := range []struct {
		name string
		s    State
		want bool
	}{
		{"held on one path", merged, true},
		{"held on both", lat.Merge(locked, locked.Acquire(other, Write, AcqOf(2))), false},
		{"let go on the other", lat.Merge(locked, locked.Release(l)), false},
		{"released since", merged.Release(l), false},
		{"taken since", merged.Acquire(l, Write, AcqOf(3)), false},
		{"taken on the path that lacked it", lat.Merge(merged, Reached().Acquire(l, Write, AcqOf(3))), true},
		{"suspected", Reached().Suspect(l), true},
		{"suspected while held", locked.Suspect(l), false},
		{"nobody took it", Reached(), false},
	} {
		if got := slices.Contains(tc.s.Maybe(), l); got != tc.want {
			t.Errorf("%s: perhaps held is %v, want %v", tc.name, got, tc.want)
		}
	}
	if len(merged.Held()) != 0 {
		t.Error("a lock that is held perhaps counts as held")
	}
}

// Whatever states come, meeting them one after the other soon changes nothing
// any more: that is why a solver that meets each result with the former one
// ends even where a branch is not monotone.
func TestDescentEnds(t *testing.T) {
	const longest = 60
	for seed := range int64(200) {
		r := rand.New(rand.NewSource(seed))
		s, changes := State{}, 0
		for range 500 {
			next := lat.Merge(s, conditional.state(r))
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
	conditional.holds(t, func(a, b, _ State, o op) bool {
		before, other := show(a), show(b)
		o.apply(a, b)
		lat.Merge(a, b)
		return show(a) == before && show(b) == other
	})
}

// Top is where no path leads: whatever happens there, it stays top.
func TestTopStaysTop(t *testing.T) {
	for kind := range byte(opMerge) {
		s, _ := op{kind: kind, lock: 1, acq: 1}.apply(State{}, State{})
		if !s.IsTop() {
			t.Errorf("%s makes top %s", opNames[kind], show(s))
		}
	}
	if s := (State{}).Assume(cond(0, true)); !s.IsTop() {
		t.Errorf("Assume makes top %s", show(s))
	}
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
	f.Add(slices.Concat(acquire, []byte{opKeep, 0, 0, 0}, release, []byte{opMerge, 0, 0, 0}), acquire)
	f.Fuzz(func(t *testing.T, x, y []byte) {
		a, b := run(program(x)), run(program(y))
		m := lat.Merge(a, b)
		switch {
		case !lat.Equals(m, lat.Merge(b, a)):
			t.Errorf("not commutative: %s, %s", show(a), show(b))
		case !lat.Equals(lat.Merge(m, m), m):
			t.Errorf("not idempotent: %s", show(m))
		case !below(m, a) || !below(m, b):
			t.Errorf("%s is not below both %s and %s", show(m), show(a), show(b))
		}
		if !slices.IsSortedFunc(m.held, compareHeld) || !slices.IsSortedFunc(m.released, comparePath) || !slices.IsSortedFunc(m.assumed, compareCond) {
			t.Errorf("not sorted: %s", show(m))
		}
		for _, h := range m.Held() {
			if h.If.Val.Known() {
				continue
			}
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
			kind: b[0] % opKinds, lock: b[1] % testLocks, cond: b[2] & 0x7f % testConds, truth: b[2]&0x80 != 0,
			acq: 1 + b[3]&0x7f%testAcqs, write: b[3]&0x80 != 0,
		})
	}
	return ops
}

// taken returns the state at the entry with lock 0 taken for writing.
func taken() State { return Reached().Acquire(lock(0), Write, AcqOf(1)) }

func TestAcquireRelease(t *testing.T) {
	s := taken()
	if h, ok := s.Find(lock(0)); !ok || h.Mode != Write || h.Acq != AcqOf(1) {
		t.Errorf("after Acquire: %s", show(s))
	}
	if s := s.Release(lock(0)); len(s.Held()) != 0 || len(s.Released()) != 0 {
		t.Errorf("after Release of an own lock: %s", show(s))
	}
	if s := Reached().Release(lock(0)); !slices.Equal(s.Released(), []accesspath.Path{lock(0)}) {
		t.Errorf("after Release of the caller's lock: %s", show(s))
	}
	if s := taken().Acquire(accesspath.Path{}, Write, AcqOf(2)); !lat.Equals(s, taken()) {
		t.Errorf("an unknown lock promises something: %s", show(s))
	}
	again := taken().Release(lock(0)).Acquire(lock(0), Write, AcqOf(2))
	if h, _ := again.Find(lock(0)); h.Acq == AcqOf(1) {
		t.Errorf("a second section looks like the first: %s", show(again))
	}
}

func TestMergeModeAndSection(t *testing.T) {
	read := Reached().Acquire(lock(0), Read, AcqOf(2))
	m := lat.Merge(taken(), read)
	if h, ok := m.Find(lock(0)); !ok || h.Mode != Read || h.Acq != AcqOf(1).Union(AcqOf(2)) {
		t.Errorf("write and read lock meet in %s, want the weaker mode and both sections", show(m))
	}
	if m := lat.Merge(taken(), Reached()); len(m.Held()) != 0 {
		t.Errorf("held on one path only, yet promised: %s", show(m))
	}
	early := lat.Merge(taken(), State{}) // the other path returned
	if _, ok := early.Find(lock(0)); !ok {
		t.Errorf("a path that does not come here takes the lock away: %s", show(early))
	}
}

// branch is the state behind "if c { then }" from s.
func branch(s State, c Cond, then func(State) State) State {
	return lat.Merge(then(s.Assume(c)), s.Assume(c.Not()))
}

func TestConditionalLockOk(t *testing.T) {
	c := cond(0, true)
	lockIt := func(s State) State { return s.Acquire(lock(0), Write, AcqOf(1)) }
	s := branch(Reached(), c, lockIt)
	if len(s.Held()) != 1 || s.Held()[0].If != c {
		t.Fatalf("after if c { Lock }: %s", show(s))
	}
	if in := s.Assume(c); len(in.Held()) != 1 || in.Held()[0].If.Val.Known() {
		t.Errorf("where c holds, the lock is held in any case; got %s", show(in))
	}
	if out := s.Assume(c.Not()); len(out.Held()) != 0 {
		t.Errorf("where c does not hold, nothing is held; got %s", show(out))
	}
	other := branch(s, cond(1, true), func(s State) State { return s })
	if len(other.Held()) != 1 || other.Held()[0].If != c {
		t.Errorf("a branch on something else changes the lock: %s", show(other))
	}
	end := branch(other, c, func(s State) State { return s.Release(lock(0)) })
	if len(end.Held()) != 0 || len(end.Released()) != 0 {
		t.Errorf("after if c { Lock } … if c { Unlock }: %s", show(end))
	}
}

func TestConditionalLockOppositeBranchesOk(t *testing.T) {
	c := cond(0, true)
	s := lat.Merge(
		Reached().Assume(c).Acquire(lock(0), Write, AcqOf(1)),
		Reached().Assume(c.Not()).Acquire(lock(0), Read, AcqOf(2)),
	)
	if h, ok := s.Find(lock(0)); !ok || h.If.Val.Known() || h.Mode != Read {
		t.Errorf("locked on both branches, want held in any case for reading; got %s", show(s))
	}
}

func TestConditionalLockOtherConditionBad(t *testing.T) {
	s := branch(Reached(), cond(0, true), func(s State) State { return s.Acquire(lock(0), Write, AcqOf(1)) })
	for _, in := range s.Assume(cond(1, true)).Held() {
		if !in.If.Val.Known() {
			t.Errorf("a lock taken under one condition is promised under another: %s", show(s))
		}
	}
}

func TestConditionForgottenBad(t *testing.T) {
	c := cond(0, true)
	s := branch(Reached(), c, func(s State) State { return s.Acquire(lock(0), Write, AcqOf(1)) })
	s = s.Forget(c.Val).Assume(c) // c has a new value: it says nothing of the lock
	if len(s.Held()) != 0 {
		t.Errorf("an outdated condition still promises a lock: %s", show(s))
	}
}

func TestReacquireOpensNewSection(t *testing.T) {
	s := taken().Acquire(lock(1), Read, AcqOf(2))
	s = s.Reacquire(AcqOf(3), func(h Held) bool { return h.Mode == Write })
	if h, _ := s.Find(lock(0)); h.Acq != AcqOf(3) {
		t.Errorf("L0 keeps its section: %s", show(s))
	}
	if h, _ := s.Find(lock(1)); h.Acq != AcqOf(2) {
		t.Errorf("L1 changes its section: %s", show(s))
	}
}

func randomAcq(r *rand.Rand) Acq {
	if r.Intn(10) == 0 {
		return Many
	}
	a := AcqOf(1 + int32(r.Intn(testAcqs)))
	for range r.Intn(3) {
		a = a.Union(AcqOf(1 + int32(r.Intn(testAcqs))))
	}
	return a
}

func TestAcqUnionLaws(t *testing.T) {
	cfg := &quick.Config{MaxCount: 20_000, Rand: rand.New(rand.NewSource(1)), Values: func(vs []reflect.Value, r *rand.Rand) {
		for i := range vs {
			vs[i] = reflect.ValueOf(randomAcq(r))
		}
	}}
	for name, law := range map[string]any{
		"idempotent":  func(a Acq) bool { return a.Union(a) == a },
		"commutative": func(a, b Acq) bool { return a.Union(b) == b.Union(a) },
		"associative": func(a, b, c Acq) bool { return a.Union(b).Union(c) == a.Union(b.Union(c)) },
		"absorbing":   func(a Acq) bool { return a.Union(Many) == Many && Many.Union(a) == Many },
		"grows":       func(a, b Acq) bool { u := a.Union(b); return u.Union(a) == u && u.Union(b) == u },
	} {
		t.Run(name, func(t *testing.T) {
			if err := quick.Check(law, cfg); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAcqUnionTooMany(t *testing.T) {
	u := Acq{}
	for id := range int32(len(u)) {
		u = u.Union(AcqOf(id + 1))
	}
	if u != (Acq{1, 2, 3, 4}) {
		t.Errorf("four acquisitions are %v", u)
	}
	if u.Union(AcqOf(5)) != Many {
		t.Errorf("a fifth acquisition gives %v, want Many", u.Union(AcqOf(5)))
	}
	if u.Union(AcqOf(3)) != u {
		t.Errorf("one that is there already gives %v", u.Union(AcqOf(3)))
	}
}
