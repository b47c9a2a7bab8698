package infer

import (
	"go/types"
	"maps"
	"slices"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/outside"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// An Outside gives what is known of the calls of a declared function in other
// packages; nil of one that others may call, too.
type Outside func(*types.Func) *outside.Context

// Again works the contexts out once more, now that callers in other packages are
// known, and which threads run what in the module. What the functions do by themselves stays as it is: summaries, and with
// them the facts of the package, do not depend on who calls.
func (p *Package) Again(of Outside, threads *outside.View) {
	p.threads = threads
	p.outer, p.outerCalls = make(map[*Func]*outside.Context), nil
	p.calls, p.Blames, p.made = nil, nil, nil
	p.mask()
	for _, f := range p.Funcs {
		f.Ctx, f.StartUp, f.Before, f.Setter = Context{}, false, false, false
		if f.Obj != nil && f.Obj.Pkg() == p.Types {
			if ctx := of(f.Obj); ctx != nil {
				p.outer[f] = ctx
			}
		}
	}
	for _, f := range p.Funcs {
		f.Ctx.Dead, f.Ctx.Idle = p.dead(f), p.idle(f)
	}
	atInit := sync.OnceValue(p.calledAtInit) // few packages have such functions
	maps.DeleteFunc(p.outer, func(f *Func, ctx *outside.Context) bool { return ctx.Own && !atInit()[f] })
	p.contexts()
	p.startUps()
	p.markPublished()
}

// A saved is what of a function depends on who calls it.
type saved struct {
	ctx                     Context
	startUp, before, setter bool
}

// Save notes the contexts as they are, and returns what brings them back after
// Again.
func (p *Package) Save() (restore func()) {
	was := *p
	funcs := make([]saved, len(p.Funcs))
	for i, f := range p.Funcs {
		funcs[i] = saved{f.Ctx, f.StartUp, f.Before, f.Setter}
	}
	return func() {
		p.Blames, p.calls, p.handed, p.outer, p.outerCalls, p.threads, p.made = was.Blames, was.calls, was.handed, was.outer, was.outerCalls, was.threads, was.made
		for i, f := range p.Funcs {
			f.Ctx, f.StartUp, f.Before, f.Setter = funcs[i].ctx, funcs[i].startUp, funcs[i].before, funcs[i].setter
		}
	}
}

// dead reports whether nothing that runs refers to f, or to the function that
// the literal f stands in.
func (p *Package) dead(f *Func) bool {
	outer := p.byKey[accesspath.FuncKey(callback.Outermost(f.SSA))]
	return outer != nil && p.outer[outer] != nil && p.outer[outer].Dead
}

// idle reports whether nothing that the module shows calls f, or the function that the literal f stands in. It
// promises its callees nothing, but only others count where other modules do not.
func (p *Package) idle(f *Func) bool {
	outer, ok := callback.Outermost(f.SSA).Object().(*types.Func)
	return ok && p.threads.Idle(outside.NameOf(outer))
}

// Rests reports whether the module shows that nothing which runs comes to f.
func (p *Package) Rests(f *Func) bool {
	if p.Module == nil || f == nil {
		return false
	}
	outer := outside.NodeOf(callback.Outermost(f.SSA))
	return p.Module.Unused(outer) || p.Module.Idle(outer)
}

// Outer returns what is known of the calls of f in other packages, nil if there
// can be more.
func (p *Package) Outer(f *Func) *outside.Context { return p.outer[f] }

// outerSites returns the calls of f in other packages as if they stood in this
// one, with callers of which nothing but what they promise is known.
func (p *Package) outerSites(f *Func) []site {
	ctx := p.outer[f]
	if ctx == nil {
		return nil
	}
	if sites, ok := p.outerCalls[f]; ok {
		return sites
	}
	var out []site
	for _, c := range ctx.Calls {
		out = append(out, p.outerSite(f, c))
	}
	if p.outerCalls == nil {
		p.outerCalls = make(map[*Func][]site)
	}
	p.outerCalls[f] = out
	return out
}

func (p *Package) outerSite(f *Func, c *outside.Call) site {
	call := &summary.Call{Callee: f.Key, Kind: c.Kind, Held: locks.Reached(), Owned: c.Fates}
	for i := range f.SSA.Params {
		call.Args = append(call.Args, p.Paths.ParamOf(f.Key, i))
		if slices.Contains(c.Ones, i) {
			call.Args[i] = p.Paths.Root(one)
		}
	}
	caller := &Func{Func: &summary.Func{Name: c.Said}, Ctx: Context{InitOnly: c.Init, OnceOnly: c.Once, known: true}}
	if c.Kind.InPlace() {
		for _, l := range c.Held {
			lock := p.codec.Storage(f.Obj, l.Path)
			if l.Place != nil {
				lock = p.Paths.Root(accesspath.Root{Kind: accesspath.Place, Obj: l.Place})
			}
			if lock.Known() {
				caller.Ctx.Entry = append(caller.Ctx.Entry, locks.Held{Lock: lock, Mode: l.Mode, Sec: locks.Entry.Of()})
			}
		}
		caller.Ctx.Usual = caller.Ctx.Entry
	}
	return site{caller, call}
}

// Tells returns what a call of another package's function tells of it, for the
// analysis of that package. codec is this package's.
func (p *Package) Tells(f *Func, c *summary.Call, callee *types.Func) outside.Call {
	out := outside.Call{Said: f.Name, Kind: c.Kind, Init: f.Ctx.InitOnly, Once: f.Ctx.OnceOnly}
	if c.Kind.InPlace() {
		for _, h := range c.Held.Over(f.Ctx.Entry) {
			if l, ok := p.told(c, callee, h); ok {
				out.Held = append(out.Held, l)
			}
		}
	}
	out.Behind = p.earlier(f, c, callee)
	for i, fate := range c.Owned {
		if !f.ownsArg(c, i) {
			fate = ownership.Fate{Own: ownership.Shared}
		} else {
			if set, _ := fate.Own.If(); set != 0 {
				fate.Foreign = fate.Foreign.Union(f.Ctx.Foreign)
			}
			fate.Own = ownership.Owned
		}
		out.Fates = append(out.Fates, fate)
	}
	return out
}

// Sole reports whether one thread of the module at a time runs the functions in which these
// accesses stand, and comes to one object only: it exists once, or once for each object
// and the map is a part of that.
func (p *Package) Sole(sites []*Site) bool {
	if p.threads == nil {
		return false
	}
	own, ok := p.threads.Sole(standing(sites))
	return ok && (!own || !slices.ContainsFunc(sites, func(s *Site) bool { return !p.belongs(s) }))
}

// OtherPrograms reports whether the module shows that no program of its makes one of some accesses and another one, too.
func (p *Package) OtherPrograms(some []*Site, other *Site) bool {
	if p.threads == nil || len(some) == 0 {
		return false
	}
	at := standing([]*Site{other})[0]
	return !slices.ContainsFunc(standing(some), func(fn outside.Name) bool { return !p.threads.OtherPrograms(fn, at) })
}

// Before reports whether the program's main goroutine makes some accesses, and is done with
// them when any other thread begins that can make others.
func (p *Package) Before(first, then []*Site) bool {
	return p.threads != nil && p.threads.Before(standing(first), standing(then))
}

// Known reports whether the module is known, and so which threads run what.
func (p *Package) Known() bool { return p.threads != nil }

// SetUp reports whether the module shows that some accesses are made before the threads begin that
// make others; with by, the threads that this function starts. Those that set up do not meet each
// other, unless the map is there once: each does it for the object that it starts.
func (p *Package) SetUp(first, then []*Site, by *Func) bool {
	if p.threads == nil {
		return false
	}
	var starter outside.Name
	if by != nil {
		starter = outside.NodeOf(by.SSA)
	}
	early, late := standing(first), standing(then)
	if !slices.ContainsFunc(first, (*Site).once) {
		late = slices.DeleteFunc(late, func(fn outside.Name) bool { return slices.Contains(early, fn) })
	}
	return p.threads.SetUp(early, late, starter)
}

// Ended reports whether the module shows that some accesses are made once the threads are over that make others.
func (p *Package) Ended(late, early []*Site) bool {
	if p.threads == nil {
		return false
	}
	own, ok := p.threads.Ended(standing(late), standing(early))
	return ok && (!own || !slices.ContainsFunc(late, func(s *Site) bool { return !p.belongs(s) }))
}

// once reports whether the map of an access is that of a package-level variable.
func (s *Site) once() bool {
	v := s.Acc.Path.Location().Var
	return v == nil || !v.IsField() || s.Acc.Path.Root().Kind == accesspath.Global
}

// Late reports whether something besides the program's start makes one of some accesses, as
// far as the module shows; true where nothing is known of the module.
func (p *Package) Late(sites []*Site) bool {
	return p.threads == nil || p.threads.Late(standing(sites))
}

// ShownLate is Late where nothing shows unless the module is known.
func (p *Package) ShownLate(sites []*Site) bool {
	return p.threads != nil && p.threads.Late(standing(sites))
}

// OnlyStart reports whether the module shows that the program's start makes some changes, and
// nothing else does, nor after a thread has begun that makes one of some accesses, the own
// ones among them.
func (p *Package) OnlyStart(changes, own, accesses []*Site) bool {
	return p.threads != nil && p.threads.OnlyStart(standing(changes), standing(own), standing(accesses))
}

// Threaded reports whether the module shows a thread besides its main goroutine that makes
// one of some accesses, or may have one; true where nothing is known of the module.
func (p *Package) Threaded(sites []*Site) bool {
	return p.threads == nil || p.threads.Shown(standing(sites))
}

// Begun is Threaded where only a goroutine that the module starts, or a server's handler, counts.
func (p *Package) Begun(sites []*Site) bool {
	return p.threads == nil || p.threads.Begun(standing(sites))
}

// Contended reports whether several threads of the module may make an access on one object.
func (p *Package) Contended(s *Site) bool {
	return p.threads != nil && p.threads.Contended(standing([]*Site{s})[0])
}

// Served returns the function that a server calls for each request and that leads to an access,
// if the module shows one.
func (p *Package) Served(s *Site) (by string, ok bool) {
	if p.threads == nil {
		return "", false
	}
	name, ok := p.threads.Served(standing([]*Site{s})[0])
	return name.Short(), ok
}

// InCommon returns who has the map of an access in common, if the module shows it: the function that
// a server calls for each request, or the one that starts several goroutines, on an object of which
// the map is a part, or of what that has.
func (p *Package) InCommon(f *Func, a *access.Access) (by string, many, ok bool) {
	if p.threads == nil || f == nil {
		return "", false, false
	}
	name, many, ok := p.threads.InCommon(outside.PlaceOf(outside.NodeOf(f.SSA), a.Point))
	return name.Short(), many, ok
}

// Requested is Served by calls without a lock, on objects that requests can have in common.
func (p *Package) Requested(s *Site) bool {
	return p.threads != nil && s.Func != nil && p.threads.Requested(standing([]*Site{s})[0])
}

// Enclosed reports whether the module comes to some accesses only with a lock held for writing.
func (p *Package) Enclosed(sites []*Site) bool {
	return p.threads != nil && p.threads.Enclosed(standing(sites), !slices.ContainsFunc(sites, func(s *Site) bool { return !p.belongs(s) }))
}

// Application reports whether the module is known to be an application: what it does not do itself, others
// hardly do with its packages.
func (p *Package) Application() bool { return p.threads != nil && p.threads.Application() }

// Programs reports whether the module is known, and has programs of its own: its goroutines are theirs, and
// where none is shown, the form of a map is no evidence of any.
func (p *Package) Programs() bool { return p.threads != nil && p.threads.Programs() }

// ShownPublic returns those of some accesses that the module makes to objects which others can know.
func (p *Package) ShownPublic(sites []*Site) []*Site {
	if p.threads == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(sites), func(s *Site) bool { return !p.threads.Public(standing([]*Site{s})[0]) })
}

// PartOf reports whether an object is what a function works on, its receiver or first parameter, or
// something that fields lead to from there.
func (p *Package) PartOf(f *Func, object accesspath.Path) bool {
	if !object.Known() || !f.WorksOn(object) {
		return false
	}
	for ; object.Depth() > 0; object = object.Parent() {
		if object.LastField() == nil {
			return false
		}
	}
	return true
}

// standing returns what stands for accesses where they are made; the function for one of another
// package.
func standing(sites []*Site) (fns []outside.Name) {
	for _, s := range sites {
		name := s.Far
		if s.Func != nil {
			name = outside.PlaceOf(outside.NodeOf(s.Func.SSA), s.Acc.Point)
		}
		if !slices.Contains(fns, name) {
			fns = append(fns, name)
		}
	}
	return fns
}

// belongs reports whether the map of an access is a part of what its function works on.
func (p *Package) belongs(s *Site) bool {
	if s.Func == nil {
		return false
	}
	return s.Func.WorksOn(s.Acc.Path) && p.OwnParts(s.Acc.Path.Trunk())
}

// WorksOn reports whether an object is the first parameter of the declared function that f is, or stands
// in, which is a method's receiver; or a part of that.
func (f *Func) WorksOn(object accesspath.Path) bool {
	r := object.Root()
	return r.Kind == accesspath.Param && r.Index == 0 && r.Fn == accesspath.FuncKey(callback.Outermost(f.SSA))
}

// Passes returns what becomes of the locks of f's callers at a call; nil is one of
// which nothing is known.
func (p *Package) Passes(f *Func, c *summary.Call) outside.Passage {
	out := outside.Passage{Apart: true}
	if c == nil || !c.Kind.InPlace() {
		return out
	}
	note := func(lock accesspath.Path) *types.Var {
		if loc := lock.Location(); loc.Elems == 0 && !locks.Token(lock) {
			return loc.Var
		}
		return nil
	}
	for _, h := range c.Held.Over(f.Ctx.Entry) {
		if v := note(h.Lock); v != nil {
			out.Takes = append(out.Takes, outside.Lock{Place: v, Mode: h.Mode})
		}
	}
	drops, within := p.dropsBefore(f, maxNested)
	for _, lock := range c.Held.Left() {
		drops = append(drops, lock.Location().Var)
	}
	out.Drops, out.Apart = drops, !within
	return out
}

// LetsGo reports whether f may let go of a lock with which it was called, at a call or where it waits; or
// the function in which it stands, if it is a literal, before it runs.
func (p *Package) LetsGo(f *Func) bool {
	lets := slices.ContainsFunc(f.Calls, func(c summary.Call) bool { return len(c.Held.Left()) > 0 }) ||
		slices.ContainsFunc(f.Stays, func(s summary.Stay) bool { return len(s.Held.Left()) > 0 }) ||
		slices.ContainsFunc(f.Accesses, func(a access.Access) bool { return len(a.Held.Left()) > 0 })
	if lets {
		return true
	}
	drops, _ := p.dropsBefore(f, maxNested)
	return len(drops) > 0
}

// maxNested bounds the literals, one in the other, between a call and the declared
// function that it is a part of.
const maxNested = 4

// dropsBefore reports whether a literal runs as a part of the declared function that
// it stands in, and the locks that may have been let go before.
func (p *Package) dropsBefore(f *Func, depth int) (drops []*types.Var, within bool) {
	if !f.IsLiteral() {
		return nil, true
	}
	sites := p.sites()[f]
	if depth == 0 || f.Ctx.Open() || len(sites) == 0 {
		return nil, false
	}
	for _, s := range sites {
		if !s.call.Kind.InPlace() || callback.Outermost(s.caller.SSA) != callback.Outermost(f.SSA) {
			return nil, false
		}
		before, within := p.dropsBefore(s.caller, depth-1)
		if !within {
			return nil, false
		}
		drops = append(drops, before...)
		for _, lock := range s.call.Held.Left() {
			drops = append(drops, lock.Location().Var)
		}
	}
	return drops, true
}

// told names a lock that is held at a call as the callee does, or by its field
// alone where it cannot.
func (p *Package) told(c *summary.Call, callee *types.Func, h locks.Held) (outside.Lock, bool) {
	key := callee.Origin()
	lock := h.Lock
	if lock.Root().Kind != accesspath.Global {
		lock = p.Paths.Express(h.Lock, c.Args, func(i int) accesspath.Path { return p.Paths.ParamOf(key, i) })
	}
	if fact := p.codec.Name(lock); lock.Known() && fact.Root != 0 && fact.Exact() {
		return outside.Lock{Path: fact, Mode: h.Mode}, true
	}
	loc := h.Lock.Location()
	return outside.Lock{Place: loc.Var, Mode: h.Mode}, loc.Valid() && h.Lock.Root().Kind != accesspath.Global
}

// elsewhere tells which calls are those of other packages' functions, or of
// methods of interfaces that a package of the module declares.
func (p *Package) elsewhere(module func(path string) bool) func(*ssa.CallCommon) bool {
	return func(call *ssa.CallCommon) bool {
		if call.IsInvoke() {
			n, ok := types.Unalias(call.Value.Type()).(*types.Named)
			return !ok || n.Obj().Pkg() != nil && module(n.Obj().Pkg().Path())
		}
		fn := call.StaticCallee()
		if fn == nil {
			return false
		}
		obj, ok := fn.Object().(*types.Func)
		return ok && obj.Pkg() != nil && obj.Pkg() != p.Types && module(obj.Pkg().Path())
	}
}
