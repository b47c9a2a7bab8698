package locks

import (
	"slices"
	"testing"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
)

// taken returns the state at the entry with lock 0 taken for writing.
func taken() State { return Reached().Acquire(lock(0), Write, Section(1).Of()) }

func TestAcquireRelease(t *testing.T) {
	if h, ok := taken().Find(lock(0)); !ok || h.Mode != Write || h.Sec != Section(1).Of() {
		t.Errorf("after Acquire: %s", taken())
	}
	if s := taken().Release(lock(0)); len(s.Held()) != 0 || len(s.Left()) != 0 {
		t.Errorf("after Release of an own lock: %s", s)
	}
	if s := Reached().Release(lock(0)); !slices.Equal(s.Left(), []accesspath.Path{lock(0)}) {
		t.Errorf("after Release of the caller's lock: %s", s)
	}
	if s := taken().Acquire(accesspath.Path{}, Write, Section(2).Of()); !lat.Equals(s, taken()) {
		t.Errorf("an unknown lock promises something: %s", s)
	}
	again := taken().Release(lock(0)).Acquire(lock(0), Write, Section(2).Of())
	if h, _ := again.Find(lock(0)); h.Sec == Section(1).Of() {
		t.Errorf("a second section looks like the first: %s", again)
	}
}

func TestMergeModeAndSection(t *testing.T) {
	read := Reached().Acquire(lock(0), Read, Section(2).Of())
	if h, ok := lat.Merge(taken(), read).Find(lock(0)); !ok || h.Mode != Read || h.Sec != (Sections{1, 2}) {
		t.Errorf("write and read lock meet in %v, want the weaker mode and both sections", h)
	}
	if m := lat.Merge(taken(), Reached()); len(m.Held()) != 0 {
		t.Errorf("held on one path only, yet promised: %s", m)
	}
	if _, ok := lat.Merge(taken(), State{}).Find(lock(0)); !ok {
		t.Error("a path that does not come here takes the lock away")
	}
}

func TestPerhaps(t *testing.T) {
	l, other := lock(0), lock(1)
	merged := lat.Merge(taken(), Reached())
	for _, tc := range []struct {
		name string
		s    State
		want bool
	}{
		{"held on one path", merged, true},
		{"held on both", lat.Merge(taken(), taken().Acquire(other, Write, Section(2).Of())), false},
		{"let go on the other", lat.Merge(taken(), taken().Release(l)), false},
		{"released since", merged.Release(l), false},
		{"taken since", merged.Acquire(l, Write, Section(3).Of()), false},
		{"taken on the path that lacked it", lat.Merge(merged, Reached().Acquire(l, Write, Section(3).Of())), true},
		{"a callee takes it perhaps", Reached().Then(merged), true},
		{"a callee takes it perhaps, and it is held", taken().Then(merged), false},
		{"not taken", Reached(), false},
	} {
		if got := slices.Contains(tc.s.Perhaps(), l); got != tc.want {
			t.Errorf("%s: perhaps held is %v, want %v in %s", tc.name, got, tc.want, tc.s)
		}
	}
	if len(merged.Held()) != 0 {
		t.Error("a lock that is held perhaps counts as held")
	}
}

// branch is the state behind "if c { then }" from s.
func branch(s State, c Cond, then func(State) State) State {
	return lat.Merge(then(s.Assume(c)), s.Assume(c.Not()))
}

func locked(s State) State   { return s.Acquire(lock(0), Write, Section(1).Of()) }
func unlocked(s State) State { return s.Release(lock(0)) }

func TestConditionalLock(t *testing.T) {
	c := cond(0, true)
	s := branch(Reached(), c, locked)
	if len(s.Held()) != 0 || len(s.Cases()) != 2 {
		t.Fatalf("after if c { Lock }: %s", s)
	}
	if in := s.Assume(c); len(in.Held()) != 1 {
		t.Errorf("where c holds, the lock is held; got %s", in)
	}
	if out := s.Assume(c.Not()); len(out.Held()) != 0 || len(out.Perhaps()) != 0 {
		t.Errorf("where c does not hold, nothing is held; got %s", out)
	}
	other := branch(s, cond(1, true), func(s State) State { return s })
	if !lat.Equals(other, s) {
		t.Errorf("a branch on something else changes the lock: %s", other)
	}
	end := branch(other, c, unlocked)
	if len(end.Locks()) != 0 {
		t.Errorf("after if c { Lock } … if c { Unlock }: %s", end)
	}
	if f := s.Forget(c).Assume(c); len(f.Held()) != 0 {
		t.Errorf("an outdated condition still promises a lock: %s", f)
	}
}

func TestOppositeBranches(t *testing.T) {
	c := cond(0, true)
	s := lat.Merge(locked(Reached().Assume(c)), Reached().Assume(c.Not()).Acquire(lock(0), Read, Section(2).Of()))
	if h, ok := s.Find(lock(0)); !ok || h.Mode != Read {
		t.Errorf("locked on both branches, want held in any case for reading; got %s", s)
	}
}

// A callee that gives the caller's lock up and takes it again, on some paths.
func TestReleasesAndRetakes(t *testing.T) {
	retakes := Reached().Release(lock(0)).Acquire(lock(0), Write, Section(7).Of())
	sometimes := EffectOf(lat.Merge(retakes, Reached()))
	s := taken().After(sometimes)
	if h, ok := s.Find(lock(0)); !ok || h.Sec != (Sections{1, 7}) {
		t.Errorf("held before and after %s: %s", sometimes, s)
	}
	if len(s.Left()) != 0 {
		t.Errorf("the function's own lock looks like its caller's: %s", s)
	}
	if over := Reached().After(sometimes).Over([]Held{{Lock: lock(0), Mode: Write, Sec: Entry.Of()}}); len(over) != 1 || over[0].Sec != (Sections{7, Entry}) {
		t.Errorf("held at entry, and kept or retaken: %v", over)
	}
	if s := Reached().After(sometimes); len(s.Held()) != 0 {
		t.Errorf("not held before, so not known to be held after: %s", s)
	}
	if s := taken().Then(retakes).Release(lock(0)); len(s.Locks()) != 0 {
		t.Errorf("taken, given up and retaken in a callee, released: %s", s)
	}
}

// func num(lock bool) { if lock { mu.RLock(); defer mu.RUnlock() } … }
func TestConditionalDefer(t *testing.T) {
	c := cond(0, true)
	run := func(n int, s State) State { return s.Release(lock(0)) }
	s := branch(Reached(), c, func(s State) State { return s.Acquire(lock(0), Read, Section(1).Of()).Register(0) })
	if end := s.RunDefers(run); len(end.Locks()) != 0 || !EffectOf(end).None() {
		t.Errorf("taken and released by a deferred call of the same branch: %s", end)
	}
	if e := EffectOf(s); e.None() {
		t.Error("a conditional lock is an effect")
	}
}

func TestDefersRunLastFirst(t *testing.T) {
	var order []int
	Reached().Register(0).Register(2).Register(1).RunDefers(func(n int, s State) State {
		order = append(order, n)
		return s
	})
	if !slices.Equal(order, []int{2, 1, 0}) {
		t.Errorf("deferred calls run in the order %v", order)
	}
}

// func tryStart() bool, which returns true with the lock held.
func TestConditionOnResult(t *testing.T) {
	result := Cond{Result: 1, Holds: true}
	exit := lat.Merge(locked(Reached()).Assume(result), Reached().Assume(result.Not()))
	answer := cond(0, true)
	at := exit.Map(Subst{
		Lock: func(p accesspath.Path) accesspath.Path { return p },
		Cond: func(c Cond) (Cond, Verdict) {
			answer.Holds = c.Holds
			return answer, If
		},
		Section: func(s Section) Section { return s + 10 },
	})
	s := Reached().Then(at)
	answer.Holds = true
	if h, ok := s.Assume(answer).Find(lock(0)); !ok || h.Sec != Section(11).Of() {
		t.Errorf("where the answer is true the lock is held: %s", s)
	}
	if len(s.Assume(answer.Not()).Held()) != 0 {
		t.Errorf("where it is false it is not: %s", s)
	}
	never := exit.Map(Subst{
		Lock:    func(p accesspath.Path) accesspath.Path { return p },
		Cond:    func(c Cond) (Cond, Verdict) { return c, map[bool]Verdict{true: Never}[c.Holds] },
		Section: func(s Section) Section { return s },
	})
	if len(never.Locks()) != 0 {
		t.Errorf("a case that cannot be is still there: %s", never)
	}
}

// What a function leaves held for reasons that no caller can know is none of
// its effect.
func TestUntoldEffect(t *testing.T) {
	c := cond(0, true)
	if e := EffectOf(lat.Merge(taken(), Reached())); !e.None() {
		t.Errorf("held on some returns, unknown which: %s", e)
	}
	if e := EffectOf(lat.Merge(taken().Assume(c), Reached())); !e.None() {
		t.Errorf("not held where the condition holds, too: %s", e)
	}
	if e := EffectOf(branch(Reached(), c, locked)); len(e.Exit().Cases()) != 2 {
		t.Errorf("the caller knows when it is held: %s", e)
	}
}

func TestWidening(t *testing.T) {
	s := Reached()
	for i := range 5 {
		l := table.Root(accesspath.Root{Kind: accesspath.Param, Fn: "wide", Index: i})
		s = lat.Merge(s, s.Acquire(l, Write, Section(1).Of()))
	}
	if !s.Widened() || len(s.Cases()) != 1 || len(s.Held()) != 0 || len(s.Perhaps()) != 5 {
		t.Errorf("32 cases: %s", s)
	}
	if u := EffectOf(taken()).Unknown(); !u.Exit().Widened() || len(taken().After(u).Held()) != 0 {
		t.Errorf("nothing is known, yet held: %s", taken().After(u))
	}
}

func TestReacquireOpensNewSection(t *testing.T) {
	s := taken().Acquire(lock(1), Read, Section(2).Of())
	s = s.Reacquire(3, func(l Lock) bool { return l.Mode == Write })
	if h, _ := s.Find(lock(0)); h.Sec != Section(3).Of() {
		t.Errorf("L0 keeps its section: %s", s)
	}
	if h, _ := s.Find(lock(1)); h.Sec != Section(2).Of() {
		t.Errorf("L1 changes its section: %s", s)
	}
}

func TestExcludes(t *testing.T) {
	read, write := []Held{{Lock: lock(0), Mode: Read}}, []Held{{Lock: lock(0), Mode: Write}}
	other := []Held{{Lock: lock(1), Mode: Write}}
	for _, tc := range []struct {
		a, b []Held
		want bool
	}{{read, read, false}, {read, write, true}, {write, write, true}, {write, other, false}, {nil, write, false}} {
		if Excludes(tc.a, tc.b) != tc.want || Excludes(tc.b, tc.a) != tc.want {
			t.Errorf("%v and %v: want %v", tc.a, tc.b, tc.want)
		}
	}
}

func TestStrings(t *testing.T) {
	s := branch(Reached(), Cond{Result: 2, Test: Nil, Holds: true}, locked)
	for _, tc := range []struct{ got, want string }{
		{s.String(), "if result 1 != nil: all kept; if result 1 == nil: arg held (1)"},
		{State{}.String(), "unreached"},
		{Effect{}.String(), "keeps all locks"},
		{EffectOf(Reached().Release(lock(0))).String(), "arg given up"},
		{EffectOf(lat.Merge(Reached(), Reached().Release(lock(0)).Acquire(lock(0), Read, Many))).String(), "all kept; arg given up and retaken for reading (many)"},
	} {
		if tc.got != tc.want {
			t.Errorf("got %q, want %q", tc.got, tc.want)
		}
	}
}

// Each round of a loop takes the lock of its element: where it has come to all, all are held, until one is let go.
func TestEach(t *testing.T) {
	elem := table.Elem(lock(0), table.Root(accesspath.Root{Kind: accesspath.Const, Const: "1"}))
	all := table.Each(lock(0))
	each := func(accesspath.Path) []accesspath.Path { return []accesspath.Path{all} }
	taking := Round{Elem: elem, Locks: []Lock{{Path: elem, Can: Own, Mode: Write, Sec: Section(1).Of()}}}
	letting := Round{Elem: elem, Locks: []Lock{{Path: elem, Can: Gone}}}

	held := Reached().Acquire(elem, Write, Section(1).Of()).Through(taking, each)
	if _, ok := held.Find(all); !ok || len(held.Held()) != 1 {
		t.Errorf("after the loop that takes them: %s", held)
	}
	if _, ok := held.Release(elem).Find(all); ok {
		t.Errorf("one of them is let go, yet all are held: %s", held.Release(elem))
	}
	if e := EffectOf(held.Release(elem)); len(e.Takes()) > 0 {
		t.Errorf("one of them is let go, yet the caller gets all: %s", e)
	}
	if over := Reached().Release(elem).Over(held.Held()); len(over) > 0 {
		t.Errorf("one of the caller's is let go, yet all are held: %v", over)
	}
	if s := held.Release(elem).Between(letting).Release(elem).Through(letting, each); len(s.Locks()) > 0 {
		t.Errorf("after the loop that lets them go: %s", s)
	}
}
