// Package conduct answers what has to be known before code may hold a lock
// that it does not hold yet: which functions can begin with it held, which
// other locks are taken under it, and whether code waits for others or runs
// something unknown. All of it rests on the summaries of the theories; nothing
// is computed before it is asked for.
//
// Locks are told apart by their field or variable: two objects of one type have
// one lock here, so that an order between two objects counts, too.
package conduct

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/outside"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A Theory is what functions of a package do while locks are held. It is not
// safe for concurrent use.
type Theory struct {
	pkg   *infer.Package
	under map[*types.Var]*Under
	leads map[*types.Var]map[*types.Var]bool // see LeadsTo
	calm  map[*infer.Func]bool
	// methods are those of [Theory.methodsOf], byName those of
	// [Theory.methodsNamed].
	methods map[types.Type][]*infer.Func
	byName  map[string][]*infer.Func
	// back are the answers of [Theory.comesBack], nodes the names of the functions.
	back  map[beginning]returning
	nodes []outside.Name
	steps map[*infer.Func][]step
	// starts are those of [Theory.startsOf], nil until they are asked for.
	starts map[*types.Var][]start
	// implement are those of [Theory.implementers].
	implement map[*types.Interface][]types.Type
	locks     []*types.Var // see Locks; nil until it is asked for
	awaited   map[*types.Var]*summary.Stay
	made      map[*infer.Func][]Section // see Make
}

// New returns the theory of an analysed package.
func New(pkg *infer.Package) *Theory {
	return &Theory{
		pkg: pkg, under: make(map[*types.Var]*Under), leads: make(map[*types.Var]map[*types.Var]bool), calm: make(map[*infer.Func]bool), methods: make(map[types.Type][]*infer.Func),
		steps: make(map[*infer.Func][]step), awaited: make(map[*types.Var]*summary.Stay),
		made: make(map[*infer.Func][]Section),
	}
}

// joins reports whether a call runs as a part of its caller.
func joins(c *summary.Call) bool { return c.Kind != summary.Goroutine && !c.Registered }

// A Spot is a place in a function's source at which something happens. Lock: a
// lock is taken there; Made is the lock that a fix takes there, if one does.
type Spot struct {
	Pos  token.Pos
	Lock bool
	Made *types.Var
}

// An Effect is what some code may do.
type Effect struct {
	// Stay is the first place at which it may wait or runs unknown code, nil if
	// there is none, and In the function in which that is.
	Stay *summary.Stay
	In   *infer.Func
	// Takes are the locks that it may take, in the order in which they are met,
	// and Odd says that it takes one that has no name.
	Takes []*types.Var
	Odd   bool
	// Runs are the functions that it calls, callees included.
	Runs map[*infer.Func]bool
}

// Of returns what the part of a function does whose instructions stand at
// positions that within accepts, callees included. brief, which may be nil,
// accepts unknown calls of which the caller knows that they end by themselves.
func (t *Theory) Of(f *infer.Func, within func(at Spot) bool, brief func(*infer.Func, *summary.Stay) bool) Effect {
	// f itself is not seen yet: where the part calls it, all of it runs.
	w := &walker{t: t, seen: make(map[*infer.Func]bool), brief: brief}
	w.Runs = make(map[*infer.Func]bool)
	w.body(f, within, false)
	return w.Effect
}

type walker struct {
	Effect
	t     *Theory
	seen  map[*infer.Func]bool
	brief func(*infer.Func, *summary.Stay) bool
}

func (w *walker) body(f *infer.Func, within func(Spot) bool, called bool) {
	for i := range f.Stays {
		s := &f.Stays[i]
		if !within(Spot{Pos: s.Pos}) || called && s.Given || w.Stay != nil {
			continue
		}
		if s.Kind == summary.Hands {
			w.methods(s.Type)
			continue
		}
		if w.brief == nil || !w.brief(f, s) {
			w.Stay, w.In = s, f
		}
	}
	for i := range f.Locking {
		if l := &f.Locking[i]; l.Acquire && within(Spot{Pos: l.Pos, Lock: true}) {
			w.takes(l.Lock.Location().Var)
		}
	}
	for _, m := range w.t.made[f] {
		if within(Spot{Pos: m.From, Lock: true, Made: m.Lock}) {
			w.takes(m.Lock)
		}
	}
	for i := range f.Calls {
		c := &f.Calls[i]
		if g := w.t.pkg.Lookup(c.Callee); g != nil && joins(c) && within(Spot{Pos: place(f, g, c)}) {
			w.enter(g)
		}
	}
}

// place returns where a function comes to run another one. A literal that is let go may run where unknown code does, which
// stays there, and where it is written: what gets it may run it at once.
func place(f, g *infer.Func, c *summary.Call) token.Pos {
	if c.Pos.IsValid() || c.Kind != summary.Escaped || g.SSA.Parent() != f.SSA {
		return c.Pos
	}
	return g.SSA.Pos()
}

func (w *walker) enter(g *infer.Func) {
	w.Runs[g] = true
	if !w.seen[g] {
		w.seen[g] = true
		w.body(g, func(Spot) bool { return true }, true)
	}
}

func (w *walker) takes(v *types.Var) {
	if v == nil {
		w.Odd = true
	} else if !slices.Contains(w.Takes, v) {
		w.Takes = append(w.Takes, v)
	}
}

func (w *walker) methods(typ types.Type) {
	for _, g := range w.t.methodsOf(typ) {
		w.enter(g)
	}
}

// methodsOf returns the package's exported methods of a type: those that code
// elsewhere can call through an interface, and what it calls of the parts of such a value.
func (t *Theory) methodsOf(typ types.Type) []*infer.Func {
	out, ok := t.methods[typ]
	if ok {
		return out
	}
	add := func(typ types.Type, called func(*types.Func) bool) {
		for s := range types.NewMethodSet(typ).Methods() {
			fn, ok := s.Obj().(*types.Func)
			if !ok || !called(fn) {
				continue
			}
			if g := t.pkg.Lookup(any(fn.Origin())); g != nil {
				out = append(out, g)
			}
		}
	}
	add(typ, (*types.Func).Exported)
	for _, part := range model.Contents(typ, func(pkg *types.Package) bool { return pkg == t.pkg.Types }) {
		add(types.NewPointer(part), model.Walked)
	}
	t.methods[typ] = out
	return out
}

// Calm reports whether a function ends by itself in any case: it waits for
// nothing, takes no lock, and runs nothing unknown. Complexity: a function that
// is not calm stops those that come to it, so all of them take linear time but
// for functions that call each other.
func (t *Theory) Calm(f *infer.Func) bool {
	seen := make(map[*infer.Func]bool)
	calm := t.isCalm(f, seen)
	if calm {
		for g := range seen {
			t.calm[g] = true
		}
	}
	t.calm[f] = calm
	return calm
}

// CalmWith reports whether a function ends by itself where the functions do that it gets as parameters, which it may call itself.
// Who gives them to it speaks for them.
func (t *Theory) CalmWith(f *infer.Func) bool {
	return t.calmBut(f, make(map[*infer.Func]bool), func(s *summary.Stay) bool { return s.Kind == summary.Value && callsParameter(f, s.Pos) })
}

// callsParameter reports whether a parameter of a function is called at a place, and nothing else can be, a number of times
// that does not hang on what it gives: where only that ends a loop, others may have to change it, and wait for the caller's lock.
func callsParameter(f *infer.Func, at token.Pos) bool {
	call := ssautil.CallAt(f.SSA, at)
	if call == nil || ssautil.Unbounded(f.SSA)[call.Block().Index] {
		return false
	}
	p, ok := ssautil.Unwrap(call.Common().Value).(*ssa.Parameter)
	return ok && p.Parent() == f.SSA && !call.Common().IsInvoke()
}

func (t *Theory) isCalm(f *infer.Func, seen map[*infer.Func]bool) bool {
	if calm, ok := t.calm[f]; ok || seen[f] {
		return calm || seen[f]
	}
	seen[f] = true
	return t.calmBut(f, seen, func(*summary.Stay) bool { return false })
}

// calmBut reports whether a function is calm but for some places in itself.
func (t *Theory) calmBut(f *infer.Func, seen map[*infer.Func]bool, but func(*summary.Stay) bool) bool {
	for i := range f.Stays {
		if s := &f.Stays[i]; but(s) {
			continue
		} else if s.Kind != summary.Hands || slices.ContainsFunc(t.methodsOf(s.Type), func(g *infer.Func) bool { return !t.isCalm(g, seen) }) {
			return false
		}
	}
	if len(t.made[f]) > 0 || slices.ContainsFunc(f.Locking, func(l summary.LockStep) bool { return l.Acquire }) {
		return false
	}
	for i := range f.Calls {
		if g := t.pkg.Lookup(f.Calls[i].Callee); g != nil && joins(&f.Calls[i]) && !t.isCalm(g, seen) {
			return false
		}
	}
	return true
}

// Locks returns the locks that the package's functions take, in the order of
// the source.
func (t *Theory) Locks() []*types.Var {
	if t.locks != nil {
		return t.locks
	}
	seen := make(map[*types.Var]bool)
	t.locks = []*types.Var{}
	for _, f := range t.pkg.Funcs {
		for _, v := range t.Takes(f) {
			if !seen[v] {
				seen[v] = true
				t.locks = append(t.locks, v)
			}
		}
	}
	return t.locks
}
