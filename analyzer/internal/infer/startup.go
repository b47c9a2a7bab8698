package infer

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// startUps marks the methods that by name and signature bring their object
// into service, the functions that are documented to run before anything else
// does, those that are there for tests alone, and those that only such functions
// call. What happens there before a goroutine is started happens before the
// object is shared. It is a guess: findings there are shown at low confidence.
func (p *Package) startUps() {
	sites := p.sites()
	for _, f := range p.Funcs {
		f.StartUp, f.Setter = f.Is(role.StartUp) || f.Is(role.Service) && p.startsFirst(f), f.Is(role.Setter)
		f.Before = f.Is(role.OnceBefore) && !slices.ContainsFunc(sites[f], site.starts) ||
			f.Is(role.ForTests) && !slices.ContainsFunc(sites[f], site.inProduction) ||
			f.initializes() && !slices.ContainsFunc(sites[f], site.later)
		f.requested = requested(f, sites, maxServes)
	}
	defer p.markEarly()
	for range 4 { // helpers of helpers; deeper ones are rare
		changed := false
		for _, f := range p.Funcs {
			if p.initializesBy(f, sites[f]) {
				f.Before, changed = true, true
			}
			if f.Ctx.Open() {
				continue
			}
			if f.startUp(sites[f]) {
				changed = true
			}
		}
		if !changed {
			return
		}
	}
}

// requested reports whether requests come to f, as far as a few calls show.
func requested(f *Func, sites map[*Func][]site, depth int) bool {
	return slices.ContainsFunc(sites[f], func(s site) bool {
		return s.call.Registered || depth > 0 && s.call.Kind.InPlace() && requested(s.caller, sites, depth-1)
	})
}

// starts reports whether the call starts a goroutine: use refutes what the
// documentation says of the time.
func (s site) starts() bool { return s.call.Kind == summary.Goroutine }

// inProduction reports whether the call refutes a name that says that only tests
// call the function: its caller is none of that kind.
func (s site) inProduction() bool {
	c := s.caller
	return !c.Is(role.ForTests) && !c.Ctx.InitOnly && !strings.HasSuffix(c.SSA.Prog.Fset.Position(c.SSA.Pos()).Filename, "_test.go")
}

// later reports whether the call refutes a name that says that a function gives
// its package what it works with: its caller does not belong to the start.
func (s site) later() bool {
	c := s.caller
	return s.starts() || !c.Is(role.Initializer) && !c.Before && !c.Ctx.InitOnly && c.SSA.Name() != "main"
}

// initializes reports whether f by its name sets up the package's variables, and
// gives one of them its map whatever it finds there. Were it to run while others
// use the map, each time would take from them what they have put in; one that
// looks first whether there is a map already is made for exactly that.
func (f *Func) initializes() bool {
	return f.initializer() && (f.replaces() || slices.ContainsFunc(f.Accesses, func(a access.Access) bool {
		return a.Op == access.Assign && a.Stored != access.StoredNone && Own(&a) && a.Path.Root().Kind == accesspath.Global && f.always(a.Point)
	}))
}

// replaces reports whether f gives a variable of the package a new struct, with its lock and all, whatever it finds
// there: a lock that others may hold cannot be given a new value.
func (f *Func) replaces() bool {
	return ssautil.Some(f.SSA, func(instr ssa.Instruction) bool {
		st, ok := instr.(*ssa.Store)
		if !ok {
			return false
		}
		v, ok := st.Addr.(*ssa.Global)
		whole, isStruct := st.Val.Type().Underlying().(*types.Struct)
		if !ok || !isStruct || v.Pkg != f.SSA.Pkg {
			return false
		}
		for field := range whole.Fields() {
			if model.IsMutex(field.Type()) {
				return f.always(ssautil.Point{Block: int32(st.Block().Index)})
			}
		}
		return false
	})
}

// initializesBy reports what initializes does of a function that calls such ones.
func (p *Package) initializesBy(f *Func, sites []site) bool {
	if f.Before || !f.initializer() || slices.ContainsFunc(sites, site.later) {
		return false
	}
	return slices.ContainsFunc(f.Calls, func(c summary.Call) bool {
		g := p.byKey[c.Callee]
		return g != nil && g.Before && c.Kind == summary.Direct && f.always(c.Point)
	})
}

func (f *Func) initializer() bool { return f.Is(role.Initializer) && f.SSA.Signature.Recv() == nil }

// always reports whether f does not return without having passed a point.
func (f *Func) always(p ssautil.Point) bool {
	return f.passes(p, func(*ssa.Return) bool { return true })
}

// passes is always for some returns.
func (f *Func) passes(p ssautil.Point, counts func(*ssa.Return) bool) bool {
	for _, b := range f.SSA.Blocks {
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && counts(r) && !f.SSA.Blocks[p.Block].Dominates(b) {
			return false
		}
	}
	return true
}

// markEarly marks what importing packages need to know: what a function that is
// to run before anything else does with the package's variables.
func (p *Package) markEarly() {
	for _, f := range p.Funcs {
		if !f.Before {
			continue
		}
		for i := range f.Accesses {
			if a := &f.Accesses[i]; a.Path.Root().Kind == accesspath.Global && f.AtStart(a) {
				a.Early = true
			}
		}
	}
}

// startUp marks f by its callers, and reports whether that says anything new.
func (f *Func) startUp(sites []site) bool {
	startUp, before, setter := f.StartUp, f.Before, f.Setter
	f.StartUp = startUp || onlyAtStart(sites, func(c *Func) bool { return c.StartUp || c.Before })
	f.Before = before || onlyAtStart(sites, func(c *Func) bool { return c.Before })
	f.Setter = setter || onlyBySetters(sites)
	return f.StartUp != startUp || f.Before != before || f.Setter != setter
}

func onlyBySetters(sites []site) bool {
	for _, s := range sites {
		if !s.caller.Setter && !s.caller.Ctx.InitOnly || !s.call.Kind.InPlace() {
			return false
		}
	}
	return len(sites) > 0
}

// onlyAtStart reports whether all calls are by functions of the kind asked for,
// before they start goroutines.
func onlyAtStart(sites []site, start func(*Func) bool) bool {
	for _, s := range sites {
		if !start(s.caller) && !s.caller.Ctx.InitOnly {
			return false
		}
		if s.starts() || s.call.Kind == summary.Escaped || afterGo(s.caller, s.call) {
			return false
		}
	}
	return len(sites) > 0
}

// afterGo reports whether the caller has started goroutines before the call that may still run.
func afterGo(f *Func, call *summary.Call) bool {
	at := slices.IndexFunc(f.Calls, func(c summary.Call) bool {
		return c.Pos == call.Pos && c.Point == call.Point && c.Callee == call.Callee
	})
	return f.begunBefore(call.Point, func(c *summary.Call) bool { return at < 0 || slices.Contains(c.After, at) })
}

// AtStart reports whether an access of f brings its object into service: f is
// documented to run before anything else does, or it is a start-up method, the
// map belongs to what f got, and the key is not one that its caller chose; and
// f has not started a goroutine before. What another package does so is known
// there.
func (f *Func) AtStart(a *access.Access) bool {
	if a.Early {
		return true
	}
	if a.Spawned || !f.Before && !f.bringsUp(a) {
		return false
	}
	at := slices.IndexFunc(f.Accesses, func(b access.Access) bool { return b.Pos == a.Pos && b.Point == a.Point && b.Path == a.Path })
	return !f.begunBefore(a.Point, func(c *summary.Call) bool { return at < 0 || slices.Contains(c.Beside, at) })
}

// CallsAtStart is AtStart for a call that lacks a lock for an access of its callee.
func (f *Func) CallsAtStart(call *summary.Call, a *access.Access) bool {
	r, k := a.Path.Root(), a.Key.Root()
	if !f.StartUp && !f.Before || r.Kind != accesspath.Param || r.Index >= len(call.Args) || call.Args[r.Index].Root().Kind != accesspath.Param {
		return false
	}
	if k.Kind == accesspath.Param && k.Index < len(call.Args) && a.Key.Depth() == 0 {
		if given := call.Args[k.Index]; given.Root().Kind == accesspath.Param && given.Root().Index != 0 && given.Depth() == 0 {
			return false // one entry of many, as a request asks for
		}
	}
	return !afterGo(f, call)
}

// startsFirst reports whether a method starts goroutines, and no other function of the package starts some that are
// methods of the same object.
func (p *Package) startsFirst(f *Func) bool {
	of := f.receiver()
	return of != nil && f.starts(nil) && !slices.ContainsFunc(p.Funcs, func(g *Func) bool {
		return g != f && g.starts(func(c *summary.Call) bool {
			runs := p.byKey[c.Callee]
			return g.receiver() == of || runs != nil && runs.receiver() == of
		})
	})
}

// receiver returns the type whose method f is, nil if it is none.
func (f *Func) receiver() *types.TypeName { return methodOf(f.SSA) }

// methodOf returns the type whose method a function is, nil if it is none.
func methodOf(fn *ssa.Function) *types.TypeName {
	if recv := fn.Signature.Recv(); recv != nil {
		if n, ok := types.Unalias(ssautil.Pointee(recv.Type())).(*types.Named); ok {
			return n.Origin().Obj()
		}
	}
	return nil
}

// starts reports whether f starts goroutines of a kind, nil for any.
func (f *Func) starts(kind func(*summary.Call) bool) bool {
	return slices.ContainsFunc(f.Calls, func(c summary.Call) bool { return c.Start != nil && (kind == nil || kind(&c)) })
}

// begunBefore reports whether f has started a goroutine before a point that may still run there.
func (f *Func) begunBefore(at ssautil.Point, beside func(*summary.Call) bool) bool {
	for i := range f.Calls {
		if c := &f.Calls[i]; c.Kind == summary.Goroutine && f.Flow.MayPrecede(c.Point, at) && (c.Start == nil || beside(c)) {
			return true
		}
	}
	return false
}

func (f *Func) bringsUp(a *access.Access) bool {
	if !f.StartUp || a.Path.Root().Kind != accesspath.Param {
		return false
	}
	k := a.Key.Root()
	ofMany := k.Kind == accesspath.Param && k.Index != 0 && a.Key.Depth() == 0 // as a request asks for one
	return !ofMany || !f.requested && f.fillsNew(a)
}

// fillsNew reports whether an access is to a map that f itself has made for its place, in any case, in the same sections,
// and nothing has got the object since. What a request asks for is an entry among those of others, and such a map would
// take theirs away.
func (f *Func) fillsNew(a *access.Access) bool {
	return slices.ContainsFunc(f.Accesses, func(b access.Access) bool {
		gives := b.Op == access.Assign && b.Path == a.Path && !b.Lifted && !b.Spawned && !b.First
		if !gives || !b.NewMap() || !f.Flow.Dominates(b.Point, a.Point) {
			return false
		}
		return locks.SameSections(b.Held, a.Held) && locks.SameSections(a.Held, b.Held) && !f.passedOn(a.Path.Root(), b.Point, a.Point)
	})
}

// passedOn reports whether f may give away one of its parameters between two points.
func (f *Func) passedOn(param accesspath.Root, from, to ssautil.Point) bool {
	if param.Fn != f.Key || param.Index >= len(f.SSA.Params) {
		return true
	}
	return slices.ContainsFunc(*f.SSA.Params[param.Index].Referrers(), func(r ssa.Instruction) bool {
		switch r.(type) {
		case *ssa.DebugRef, *ssa.FieldAddr, *ssa.BinOp:
			return false
		case *ssa.Store, *ssa.MakeClosure:
			return f.Flow.MayPrecede(ssautil.PointOf(r), to) // others have it from then on
		}
		return f.Flow.Between(from, ssautil.PointOf(r), to)
	})
}
