package threads

import (
	"fmt"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/outside"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A Visit is an access that a goroutine or a server makes, in the terms of the
// function that starts it. That tells which object it works on.
type Visit struct {
	Thread *Thread
	Path   accesspath.Path
	Op     access.Op
	// Held are the locks, in the same terms, those of the calls on the way
	// included.
	Held []locks.Held
	// Func is where the access stands.
	Func   *infer.Func
	Access *access.Access
	// Claim is the flag that the thread has claimed for good before.
	Claim accesspath.Path
	// Waits are what the thread has waited for by then, in the same terms.
	Waits []accesspath.Path
	// Many: several of the threads do it on the same object.
	Many bool
	// Pick is the function of a list by which the thread comes here, if a loop over the list starts a thread for
	// each of its functions: one of them does what that function does.
	Pick *infer.Func
	// common: several of the threads come to the same object, whichever function each of them picks.
	common bool
}

// At returns where the access stands.
func (v *Visit) At() token.Pos { return v.Access.At() }

// spawned follows what goroutines and servers do.
func (t *Theory) spawned() {
	var several []*infer.Func
	for _, f := range t.pkg.Funcs {
		if f.Ctx.Dead {
			continue
		}
		if f.Is(role.Handler) && !t.registered(f) && !t.withheld(f) {
			if home, alone := t.atHome(f); !home {
				t.server(f)
			} else if !alone {
				several = append(several, f)
			}
		}
		for i := range f.Calls {
			c := &f.Calls[i]
			if g := t.pkg.Lookup(c.Callee); g != nil && c.Kind == summary.Goroutine {
				th := t.thread(t.goroutine(f, c))
				th.Target = g
				w := &walk{t: t, from: f, start: c, visit: t.visitor(th, f)}
				w.enter(&stop{g: g, pick: w.pick(c, g), args: t.begins(f, c), held: c.Held.Held(), bound: c.Bound, gets: getsAlone(c, g), listings: listingsOf(c.Point.Instr(f.SSA), g)})
				th.cut = w.cut
			}
		}
		t.elsewhere(f)
	}
	for _, f := range several {
		if !t.crowded(f) {
			t.foremost(f) // the module shows that several threads call it, the package not on which objects
		}
	}
}

// getsAlone returns what a goroutine captures that nothing else has from its start on.
func getsAlone(c *summary.Call, g *infer.Func) (out ownership.Set) {
	for i, own := range c.Captured {
		if in, ok := ownership.Input(len(g.SSA.Params) + i); ok && own.Own == ownership.Owned {
			out |= in
		}
	}
	return out
}

// withheld reports whether the module calls a handler itself, and gives no server a value that has it.
func (t *Theory) withheld(f *infer.Func) bool {
	return t.pkg.Module != nil && t.pkg.Module.Withheld(outside.NodeOf(f.SSA))
}

// registered reports whether the package shows where a handler is registered: it runs from
// there on. A function that only its package can name, or a literal that is returned to no one else,
// is a part of handlers if all that the package does with it is to call it.
func (t *Theory) registered(f *infer.Func) bool {
	calls := t.pkg.CallersOf(f)
	started := func(s infer.CallSite) bool {
		return s.Call.Kind == summary.Goroutine && (s.Call.Registered || t.pkg.OneByOne(f))
	}
	plain := func(s infer.CallSite) bool { return s.Call.Kind.SameThread() && !s.Call.Guessed }
	inner := f.Obj != nil && !f.Obj.Exported() || f.SSA.Parent() != nil && !f.Ctx.Open()
	return len(calls) > 0 && (all(calls, started) || inner && all(calls, plain))
}

func all[T any](list []T, ok func(T) bool) bool {
	return !slices.ContainsFunc(list, func(x T) bool { return !ok(x) })
}

func (t *Theory) goroutine(f *infer.Func, c *summary.Call) *Thread {
	th := &Thread{Kind: Goroutine, Times: PerObject, Start: c.Pos, Starter: f, Registered: c.Registered, Queue: c.Queue, call: c}
	th.lone = (c.Many || c.Again) && t.pkg.Lone(f, c)
	if c.Many && !th.lone || c.Registered {
		th.Times = Many
	}
	return th
}

// elsewhere adds what other packages' functions do in goroutines that f starts.
// The transfer function has expressed it in f's terms already.
func (t *Theory) elsewhere(f *infer.Func) {
	byCall := make(map[*summary.Call]*Thread)
	for i := range f.Accesses {
		a := &f.Accesses[i]
		if !a.Spawned || !a.Imported || a.Fresh || a.Once {
			continue
		}
		for j := range f.Calls {
			c := &f.Calls[j]
			if c.Pos != a.Pos || c.Kind != summary.Goroutine {
				continue
			}
			th := byCall[c]
			if th == nil {
				th = t.thread(t.goroutine(f, c))
				byCall[c] = th
			}
			t.visitor(th, f)(f, a, spot{path: a.Path, held: a.Held.Held(), claim: a.Claim})
			break
		}
	}
}

// visitor returns what notes the accesses of a thread.
func (t *Theory) visitor(th *Thread, f *infer.Func) func(*infer.Func, *access.Access, spot) {
	looped := th.call != nil && th.call.Leaves && t.startedInLoop(f) // else it ends with each call
	return func(g *infer.Func, a *access.Access, at spot) {
		path := t.follow(th, at.path)
		for _, v := range t.byAcc[a] {
			if v.Thread == th && v.Path == path {
				if v.Pick != at.pick {
					v.Pick, v.Many = nil, v.common
				}
				v.Held = common(v.Held, at.held) // it comes here in two ways
				v.Waits = slices.DeleteFunc(v.Waits, func(p accesspath.Path) bool { return !slices.Contains(at.waits, p) })
				return
			}
		}
		v := &Visit{Thread: th, Path: path, Op: a.Op, Held: at.held, Func: g, Access: a, Claim: at.claim, Waits: slices.Clone(at.waits), Pick: at.pick}
		t.several(v, looped)
		t.Visits = append(t.Visits, v)
		t.byAcc[a] = append(t.byAcc[a], v)
	}
}

// follow names what a field of an object made for the thread points to as its
// starter does.
func (t *Theory) follow(th *Thread, path accesspath.Path) accesspath.Path {
	if th.call == nil {
		return path
	}
	for _, l := range th.call.Links {
		if path.HasPrefix(l.Field) {
			if p := t.pkg.Paths.Rebase(path, l.Field, l.To); p.Known() {
				return p
			}
		}
	}
	return path
}

// maxWalk bounds the functions, with their arguments, that are followed from
// one place.
const maxWalk = 400

// A walk follows what runs from a call on, in one thread, with the paths of the
// arguments in the terms of the function that it starts from.
type walk struct {
	t     *Theory
	from  *infer.Func
	visit func(g *infer.Func, a *access.Access, at spot)
	// start is the call that starts the goroutine, nil where the walk is no goroutine's.
	start *summary.Call
	// fresh is the function whose own objects no other goroutine has: what a handler
	// makes belongs to one request.
	fresh *ssa.Function
	cut   bool
	// since: what is done on objects that are made on the way is left out.
	since bool
	seen  map[visited]bool
	// args is where arguments are put while it is asked whether they were seen.
	args []accesspath.Path
	// last is what was held at the last place.
	last lastHeld
}

// A lastHeld is what is held at a place, in the starter's terms: accesses and calls of
// one function that follow each other mostly are at one place.
type lastHeld struct {
	at    *stop
	place *place
	given locks.State
	held  []locks.Held
}

type stop struct {
	g    *infer.Func
	args []accesspath.Path
	held []locks.Held // by the callers on the way
	// claim is the flag that one of them has claimed.
	claim accesspath.Path
	// waits are what they have waited for before their calls.
	waits []accesspath.Path
	// bound are the parameters that were given otherwise than by args.
	bound []summary.Binding
	// outer is where a literal was entered from.
	outer *stop
	// gets are the inputs, of the function that a goroutine begins with, that nothing else has from then on.
	gets ownership.Set
	// passed are the inputs that lead to variables of maps that were passed by value on the way.
	passed ownership.Set
	// itself: the activation that the walk starts from, not another one.
	itself bool
	// listings are the structs that were made for the call.
	listings []listing
	// pick is the function of a list that was chosen on the way.
	pick *infer.Func
}

// enter follows what runs from these stops on. One that was seen already may be
// nil.
func (w *walk) enter(first ...*stop) {
	w.seen = w.t.emptySeen()
	defer w.t.giveBack(w.seen)
	work := first
	for len(work) > 0 {
		if len(w.seen) >= maxWalk {
			w.cut = true
			w.from.Cut(fmt.Sprintf("more than %d functions that what it starts runs", maxWalk))
			return
		}
		at := work[0]
		work = work[1:]
		if at == nil || !w.t.useful[at.g] {
			continue
		}
		if id := visitOf(at.g, at.args, at.held, len(at.waits), firstOf(at.listings), at.passed, at.pick); !w.seen[id] {
			w.seen[id] = true
			w.accesses(at)
			work = w.callees(work, at)
		}
	}
}

func (w *walk) accesses(at *stop) {
	for _, v := range w.t.outline(at.g).accesses {
		a := v.access
		if !counts(a) || at.gets != 0 && a.Taken.Given(at.gets) || at.unreached(a.Point) {
			continue
		}
		path := w.inStarter(a.Path, at)
		if a.Op.OfVariable() {
			if w.passed(a.Path, at) {
				continue
			}
			path = w.t.pkg.Paths.InCopy(path, w.inStarter(a.Path.Parent(), at), a.Path)
		}
		if !path.Known() || path.Root().Kind == accesspath.Const {
			continue
		}
		given, held := w.heldAt(v.place, at)
		if given.IsTop() {
			continue // with these arguments, it does not come there
		}
		claim := w.claim(a.Claim, at)
		if !path.OneWith(claim, w.t.pkg.SetAtFirst) {
			claim = accesspath.Path{} // others claim the flag of another object, and come here, too
		}
		w.visit(at.g, a, spot{path, held, claim, at.waits, at.pick})
	}
}

// heldAt returns the state of a place with the arguments that are given, and the
// locks that are held there, in the starter's terms.
func (w *walk) heldAt(p *place, at *stop) (locks.State, []locks.Held) {
	if w.last.at != at || w.last.place != p {
		state, held := p.state, p.held
		if p.asks {
			if state = given(p.state, at); state != p.state {
				held = at.g.EffectiveState(state)
			}
		}
		w.last = lastHeld{at, p, state, w.locks(held, at)}
	}
	return w.last.given, w.last.held
}

// locks expresses locks in the starter's terms, and adds those of the calls on
// the way. Locks that each goroutine makes for itself keep no goroutine out.
func (w *walk) locks(held []locks.Held, at *stop) []locks.Held {
	if len(held) == 0 {
		return slices.Clip(at.held)
	}
	out := slices.Clone(at.held)
	for _, h := range held {
		r := h.Lock.Root()
		v, ok := r.Val.(interface{ Parent() *ssa.Function })
		if r.Kind == accesspath.Value && ok && (!w.around(v.Parent()) || at.again(v.Parent())) {
			continue
		}
		if p := w.inStarter(h.Lock, at); p.Known() {
			h.Lock = p
		}
		if !slices.ContainsFunc(out, func(o locks.Held) bool { return o.Lock == h.Lock || h.Lock.Vaguer(o.Lock) }) {
			out = append(out, h)
		}
	}
	return out
}

// claim is the flag that is claimed at a place, here or on the way.
func (w *walk) claim(here accesspath.Path, at *stop) accesspath.Path {
	if here.Known() {
		if p := w.inStarter(here, at); p.Known() {
			return p
		}
		return here
	}
	return at.claim
}

// waits adds those before a call, in the starter's terms, to those on the way.
func (w *walk) waits(here []accesspath.Path, at *stop) []accesspath.Path {
	out := slices.Clip(at.waits)
	for _, p := range here {
		if p = w.inStarter(p, at); p.Known() && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// callees adds what a function calls to the work.
func (w *walk) callees(work []*stop, at *stop) []*stop {
	for _, l := range w.t.outline(at.g).calls {
		if next, ok := w.callee(l, at); ok {
			work = append(work, next)
		}
	}
	return work
}

// callee returns where a call leads, nil if the walk has been there.
func (w *walk) callee(l lead, at *stop) (*stop, bool) {
	c, g := l.call, l.to
	given, held := w.heldAt(l.place, at)
	if given.IsTop() && !c.Held.IsTop() || at.unreached(c.Point) {
		return nil, false
	}
	w.args = w.args[:0]
	for _, arg := range c.Args {
		if w.since && !at.itself && slices.Contains(c.Replaced, arg) {
			w.args = append(w.args, accesspath.Path{})
			continue
		}
		w.args = append(w.args, w.inStarter(arg, at))
	}
	waits, passed, pick := w.waits(c.Waits, at), w.passedOn(c, at), at.pick
	if pick == nil {
		pick = w.pick(c, g)
	}
	if w.seen[visitOf(g, w.args, held, len(waits), firstOf(l.listings), passed, pick)] {
		return nil, true
	}
	next := &stop{g: g, args: slices.Clone(w.args), held: held, claim: w.claim(c.Claim, at), waits: waits, bound: w.bound(c, at), listings: l.listings, passed: passed, pick: pick}
	if g.SSA.Parent() != nil {
		next.outer = at
	}
	return next, true
}

// bound expresses what a call binds in the starter's terms.
func (w *walk) bound(c *summary.Call, at *stop) []summary.Binding {
	out := slices.Clone(c.Bound)
	for i := range out {
		out[i].Arg = w.inStarter(out[i].Arg, at)
	}
	return out
}

// inStarter expresses a path of a function on the way in the starter's terms;
// unknown if it starts at something made on the way.
func (w *walk) inStarter(path accesspath.Path, at *stop) accesspath.Path {
	return w.t.pkg.Paths.Substitute(path, accesspath.Path{}, func(r accesspath.Root) (accesspath.Path, bool) {
		switch r.Kind {
		case accesspath.Global, accesspath.Const:
			return w.t.pkg.Paths.Root(r), true
		case accesspath.Param:
			return w.param(r, at)
		case accesspath.Value:
			v, ok := r.Val.(interface{ Parent() *ssa.Function })
			made := ok && (v.Parent() == w.fresh || at.again(v.Parent()))
			return w.t.pkg.Paths.Root(r), ok && !made && w.around(v.Parent())
		}
		return accesspath.Path{}, false
	})
}

// param resolves a parameter: of the function itself, of one that a literal on
// the way stands in, or of the starter and what is around it.
func (w *walk) param(r accesspath.Root, at *stop) (accesspath.Path, bool) {
	for s := at; s != nil; s = s.outer {
		for _, b := range s.bound {
			if b.Param.Root() == r {
				return b.Arg, b.Arg.Known()
			}
		}
		if s.g.Key == r.Fn {
			if r.Index < len(s.args) {
				return s.args[r.Index], s.args[r.Index].Known()
			}
			return accesspath.Path{}, false
		}
	}
	for fn := w.from.SSA; fn != nil; fn = fn.Parent() {
		if accesspath.FuncKey(fn) == r.Fn {
			return w.t.pkg.Paths.Root(r), true
		}
	}
	return accesspath.Path{}, false
}

// again reports whether fn itself was entered on the way: what it makes belongs
// to that activation, not to the one that started the walk.
func (s *stop) again(fn *ssa.Function) bool {
	for ; s != nil; s = s.outer {
		if s.g.SSA == fn && !s.itself {
			return true
		}
	}
	return false
}

// around reports whether fn is the starter or a function that it stands in.
func (w *walk) around(fn *ssa.Function) bool {
	for s := w.from.SSA; s != nil; s = s.Parent() {
		if s == fn {
			return true
		}
	}
	return false
}
