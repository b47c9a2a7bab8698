package conduct

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// An Under is what can run while a lock is held.
type Under struct {
	// funcs are the functions that can begin with the lock held.
	funcs map[*infer.Func]bool
	// back are those of them that code of others comes back to, with the first
	// place where it runs.
	back map[*infer.Func]*summary.Stay
	open bool // it can come back to any function that it can name
	// Takes are the locks that are taken meanwhile.
	Takes map[*types.Var]bool
}

// Enters reports whether a function can begin with the lock held.
func (u *Under) Enters(f *infer.Func) bool { return u.funcs[f] }

// Back returns a place where code of others runs with the lock held that may come
// back to a function, nil if there is none.
func (u *Under) Back(f *infer.Func) *summary.Stay { return u.back[f] }

// Under returns what can run while a lock is held. Complexity: linear in what
// is reached, once for each lock that is asked for.
func (t *Theory) Under(lock *types.Var) *Under {
	if u := t.under[lock]; u != nil {
		return u
	}
	u := &Under{funcs: make(map[*infer.Func]bool), back: make(map[*infer.Func]*summary.Stay), Takes: make(map[*types.Var]bool)}
	t.under[lock] = u
	w := &under{t: t, u: u, waits: true}
	for _, s := range t.startsOf(lock) {
		if s.step == nil {
			w.enter(s.f)
		} else {
			w.step(s.step)
		}
	}
	w.rest()
	return u
}

// From returns what can run beside the code of a part of a function, whose instructions
// stand at positions that within accepts: what it calls, and what code of others that it
// runs may come back to. Goroutines that it waits for are another matter.
func (t *Theory) From(f *infer.Func, within func(token.Pos) bool) *Under {
	u := &Under{funcs: make(map[*infer.Func]bool), back: make(map[*infer.Func]*summary.Stay), Takes: make(map[*types.Var]bool)}
	w := &under{t: t, u: u}
	steps := t.stepsOf(f)
	for i := range steps {
		if within(steps[i].pos) {
			w.step(&steps[i])
		}
	}
	w.rest()
	return u
}

// A start is where a lock is held: throughout a function, which callers enter with
// it, or at one of its steps.
type start struct {
	f    *infer.Func
	step *step // nil: throughout
}

// startsOf returns where a lock is held, in the order of the functions. They are
// found for all locks at once.
func (t *Theory) startsOf(lock *types.Var) []start {
	if t.starts == nil {
		t.starts = make(map[*types.Var][]start)
		for _, f := range t.pkg.Funcs {
			t.findStarts(f)
		}
	}
	return t.starts[lock]
}

func (t *Theory) findStarts(f *infer.Func) {
	var entry []*types.Var
	for _, h := range f.Ctx.Entry {
		if v := h.Lock.Location().Var; !slices.Contains(entry, v) {
			entry = append(entry, v)
			t.starts[v] = append(t.starts[v], start{f: f})
		}
	}
	steps := t.stepsOf(f)
	for i := range steps {
		for _, v := range steps[i].held {
			if !slices.Contains(entry, v) {
				t.starts[v] = append(t.starts[v], start{f, &steps[i]})
			}
		}
	}
}

type under struct {
	t    *Theory
	u    *Under
	work []*infer.Func
	// waits: what other goroutines run that are waited for counts, too.
	waits bool
}

// rest follows what was entered to its end.
func (w *under) rest() {
	for len(w.work) > 0 {
		f := w.work[len(w.work)-1]
		w.work = w.work[:len(w.work)-1]
		steps := w.t.stepsOf(f)
		for i := range steps {
			w.step(&steps[i])
		}
	}
}

func (w *under) enter(f *infer.Func) {
	if !w.u.funcs[f] {
		w.u.funcs[f] = true
		w.work = append(w.work, f)
	}
}

func (w *under) step(s *step) {
	if s.seen && !w.waits {
		return
	}
	for _, g := range s.enters {
		w.comes(g, s.stay)
	}
	if s.takes != nil {
		w.u.Takes[s.takes] = true
	}
	if s.open && !w.u.open {
		// Code of others can come to every function that it can name.
		w.u.open = true
		for _, g := range w.t.pkg.Funcs {
			if g.Obj != nil && g.Obj.Exported() && g.Ctx.Root {
				w.comes(g, s.stay)
			}
		}
	}
}

// comes notes a function that begins with the lock held, because of unknown code
// if at is not nil.
func (w *under) comes(g *infer.Func, at *summary.Stay) {
	if at != nil && !w.u.funcs[g] {
		w.u.back[g] = at
	}
	w.enter(g)
}

// A step is what a function does at one place that can matter while a lock is
// held. It is the same for all locks, and made once.
type step struct {
	pos    token.Pos
	held   []*types.Var // the locks that may be held there, by the function itself
	enters []*infer.Func
	looped bool // a loop comes to it again
	takes  *types.Var
	stay   *summary.Stay // unknown code runs, which may come to what it enters
	open   bool          // and to all that code of others can name
	waits  *summary.Stay // the place itself may wait for another goroutine
	seen   bool          // for no other one than those that run what it enters
}

func (t *Theory) stepsOf(f *infer.Func) []step {
	out, ok := t.steps[f]
	if ok {
		return out
	}
	var last locks.State // places that follow each other mostly have one state
	var held []*types.Var
	add := func(at locks.State, s step) {
		if at != last {
			last, held = at, taken(at)
		}
		s.held = held
		out = append(out, s)
	}
	for i := range f.Calls {
		c := &f.Calls[i]
		if g := t.pkg.Lookup(c.Callee); g != nil && joins(c) {
			add(c.Held, step{pos: c.Pos, enters: []*infer.Func{g}, looped: c.Looped})
		}
	}
	for i := range f.Locking {
		if l := &f.Locking[i]; l.Acquire && l.Lock.Location().Var != nil {
			add(l.Held, step{pos: l.Pos, takes: l.Lock.Location().Var})
		}
	}
	for i := range f.Stays {
		if st := &f.Stays[i]; st.Kind != summary.Hands {
			starts, seen := t.waitedFor(f, st)
			add(st.Held, step{pos: st.Pos, waits: st, seen: seen, enters: starts})
		}
		if s := t.unknown(f, &f.Stays[i]); len(s.enters) > 0 || s.open {
			s.pos = f.Stays[i].Pos
			add(f.Stays[i].Held, s)
		}
	}
	out = t.withMade(f, out)
	t.steps[f] = out
	return out
}

// taken returns the locks that may be held in a state of a function, by the
// function itself.
func taken(s locks.State) []*types.Var {
	var out []*types.Var
	for _, l := range s.Locks() {
		if v := l.Path.Location().Var; l.Can&locks.Taken != 0 && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// unknown returns what an unknown call may run.
func (t *Theory) unknown(f *infer.Func, s *summary.Stay) step {
	switch s.Kind {
	case summary.Hands:
		return step{enters: t.methodsOf(s.Type)}
	case summary.Invokes:
		if t.foreign(f, s) {
			return step{}
		}
		back, known := t.comesBack(f, s)
		switch {
		case fixed(s.Func):
			return step{stay: s, enters: slices.Concat(t.implementing(s), back)}
		case known:
			return step{stay: s, enters: back}
		}
		return step{stay: s, enters: t.implementing(s), open: true}
	case summary.Value:
		if s.Given && !t.public(f) {
			return step{} // who passes it speaks for it
		}
		if back, known := t.comesBack(f, s); known {
			return step{stay: s, enters: slices.Concat(back, t.passed(f, s))}
		}
		out := step{stay: s, open: true}
		for _, g := range t.pkg.Funcs {
			if s.Sig != nil && g.Ctx.Escaped && sameShape(g.SSA.Signature, s.Sig) {
				out.enters = append(out.enters, g)
			}
		}
		return out
	}
	return step{}
}

// public reports whether code elsewhere can call a function, or the one in which a literal stands: it may have passed what
// is called there.
func (t *Theory) public(f *infer.Func) bool {
	outer := t.pkg.Lookup(accesspath.FuncKey(callback.Outermost(f.SSA)))
	return f.Is(role.Public) || outer != nil && outer.Is(role.Public)
}

// ComesTo reports whether a call of which not all is known may run a function that suits.
func (t *Theory) ComesTo(f *infer.Func, s *summary.Stay, suits func(*infer.Func) bool) bool {
	step := t.unknown(f, s)
	return step.open || slices.ContainsFunc(step.enters, suits)
}

// implementing returns the package's methods that a call by an interface may run.
func (t *Theory) implementing(s *summary.Stay) []*infer.Func {
	var out []*infer.Func
	for _, g := range t.methodsNamed(s.Func.Name()) {
		if sameShape(g.Obj.Signature(), s.Func.Signature()) && t.reaches(s.Type, g.Obj) {
			out = append(out, g)
		}
	}
	return out
}

// methodsNamed returns the package's methods of a name.
func (t *Theory) methodsNamed(name string) []*infer.Func {
	if t.byName == nil {
		t.byName = make(map[string][]*infer.Func)
		for _, g := range t.pkg.Funcs {
			if g.Obj != nil && g.Obj.Signature().Recv() != nil {
				t.byName[g.Obj.Name()] = append(t.byName[g.Obj.Name()], g)
			}
		}
	}
	return t.byName[name]
}

// reaches reports whether a call on a value in an interface can be one of a method
// of the package: a type that has it also has the interface's other methods. Only
// other packages can embed what is exported, and types in functions have no
// methods of their own.
func (t *Theory) reaches(in types.Type, method *types.Func) bool {
	iface, ok := in.Underlying().(*types.Interface)
	_, param := types.Unalias(in).(*types.TypeParam)
	if !ok || param || exportedReceiver(method) {
		return true
	}
	return slices.ContainsFunc(t.implementers(iface), func(typ types.Type) bool {
		obj, _, _ := types.LookupFieldOrMethod(typ, true, method.Pkg(), method.Name())
		fn, ok := obj.(*types.Func)
		return ok && fn.Origin() == method.Origin()
	})
}

func exportedReceiver(method *types.Func) bool {
	n, ok := types.Unalias(ssautil.Pointee(method.Signature().Recv().Type())).(*types.Named)
	return !ok || n.Obj().Exported()
}

// implementers returns the package's types that implement an interface; generic
// ones, of which that depends on what they are made of, count as such.
func (t *Theory) implementers(iface *types.Interface) []types.Type {
	if out, ok := t.implement[iface]; ok {
		return out
	}
	out := []types.Type{}
	scope := t.pkg.Types.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || types.IsInterface(tn.Type()) {
			continue
		}
		named, ok := types.Unalias(tn.Type()).(*types.Named)
		if p := types.NewPointer(tn.Type()); ok && named.TypeParams() != nil || types.Implements(p, iface) {
			out = append(out, p)
		}
	}
	if t.implement == nil {
		t.implement = make(map[*types.Interface][]types.Type)
	}
	t.implement[iface] = out
	return out
}

// fixed reports whether an interface's method is one of the standard library's,
// or of an interface that this package alone can implement.
func fixed(m *types.Func) bool {
	return m.Pkg() == nil || !m.Exported() || ssautil.IsStandard(m.Pkg())
}

// sameShape compares parameters and results.
func sameShape(a, b *types.Signature) bool {
	return types.Identical(a.Params(), b.Params()) && types.Identical(a.Results(), b.Results())
}

// Leads reports whether the order of locks leads from one to another: while the
// first is held, the second is taken, directly or through others.
func (t *Theory) Leads(from, to *types.Var) bool { return t.LeadsTo(from)[to] }

// LeadsTo returns the locks to which the order of locks leads from one. Complexity: that of
// Under for each of them, once for each lock that is asked for.
func (t *Theory) LeadsTo(from *types.Var) map[*types.Var]bool {
	out, ok := t.leads[from]
	if ok {
		return out
	}
	out = make(map[*types.Var]bool)
	t.leads[from] = out
	work := []*types.Var{from}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for l := range t.Under(v).Takes {
			if !out[l] {
				out[l] = true
				work = append(work, l)
			}
		}
	}
	return out
}
