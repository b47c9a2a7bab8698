package infer

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A phase is the time in which a map is filled. It ends where an atomic flag beside the map is set, in the one function that makes
// all changes of the map, each before it sets the flag, and which runs once for an object. So each change comes before a
// read behind a look at the flag that finds it set: it needs no lock.
type phase struct {
	*seal
	// fills is the function that fills the map, and ends are the points where it has set the flag.
	fills *Func
	ends  []ssautil.Point
}

// A joined is what was known of an access before: for what it has waited.
type joined struct {
	joined bool
	waits  []accesspath.Path
}

// maxFilling bounds the functions, one called by the other, that fill a map, or come to it for the only one who is left
// with it.
const maxFilling = 3

// markPublished marks the reads of maps that come when the phase is over in which the map is filled, as after a wait for what fills
// it. Complexity: for each flag, linear in the functions that use it.
func (p *Package) markPublished() {
	for a, was := range p.published {
		a.Joined, a.Waits = was.joined, was.waits // who calls what may be another matter now
	}
	p.published = make(map[*access.Access]joined)
	after := make(map[token.Pos]bool)
	for _, ph := range p.phases() {
		for _, loc := range p.filledBy(ph) {
			for _, f := range p.Funcs {
				for i := range f.Accesses {
					if a := &f.Accesses[i]; a.Path.Location() == loc && ph.reads(f, a) {
						after[a.Stands()] = true
					}
				}
			}
		}
	}
	if len(after) == 0 {
		return
	}
	for _, f := range p.Funcs {
		for i := range f.Accesses {
			if a := &f.Accesses[i]; after[a.Stands()] && !a.Op.Writes() {
				p.published[a] = joined{a.Joined, a.Waits}
				a.Joined, a.Waits = true, nil
			}
		}
	}
}

// phases returns the phases that flags of the package end.
func (p *Package) phases() (out []*phase) {
	seen := make(map[*types.Var]bool)
	for _, f := range p.Funcs {
		for call := range ssautil.Calls(f.SSA) {
			fn, args := ssautil.Callee(call.Common())
			if op := model.Flag(fn); op == model.FlagNone || op == model.FlagCount || len(args) < 2 {
				continue
			}
			k, ok := args[len(args)-1].(*ssa.Const)
			flag := flagVar(args[0])
			if !ok || k.Value == nil || unset(k) {
				continue
			}
			if flag == nil || seen[flag] || flag.Pkg() != p.Types {
				continue
			}
			seen[flag] = true
			ph := &phase{seal: p.newSeal(flag, k.Value.ExactString(), nil)}
			if ph.settled() && ph.runsOnce(ph.fills, ph.object(), maxFilling) {
				out = append(out, ph)
			}
		}
	}
	return out
}

// settled reports whether the flag is only ever set, by atomic operations of one function.
func (ph *phase) settled() bool {
	if ph.flag.Exported() {
		return false
	}
	of := ph.object()
	for _, c := range ph.p.changes()[ph.flag] {
		call, ok := c.at.(ssa.CallInstruction)
		if ok {
			if fn, args := ssautil.Callee(call.Common()); model.ReadsFlag(fn) && flagVar(args[0]) == ph.flag {
				continue
			}
		}
		if ph.p.inTheMaking(c) {
			continue
		}
		if addr := ph.setsTo(c.at); !ok || addr == nil || ph.p.Paths.Of(addr).Parent() != of || !ph.end(c.at) {
			return false
		}
	}
	return ph.fills != nil
}

// end notes where the function that fills the map sets the flag: at an instruction, or in a literal that it defers.
func (ph *phase) end(at ssa.Instruction) bool {
	f := ph.p.byKey[accesspath.FuncKey(at.Parent())]
	if f == nil {
		return false
	}
	point := pointOf(at)
	if sites := ph.p.sites()[f]; f.IsLiteral() && len(sites) == 1 && sites[0].call.Kind == summary.Deferred {
		f, point = sites[0].caller, sites[0].call.Point
	}
	if ph.fills != nil && ph.fills != f {
		return false
	}
	ph.fills, ph.ends = f, append(ph.ends, point)
	return true
}

// object returns the object whose flag the function sets, in its terms; unknown of a package's variable, and where that
// cannot be told.
func (ph *phase) object() accesspath.Path {
	for _, c := range ph.p.changes()[ph.flag] {
		if addr := ph.setsTo(c.at); addr != nil && !ph.p.inTheMaking(c) {
			return ph.p.Paths.Of(addr).Parent()
		}
	}
	return accesspath.Path{}
}

// runsOnce reports whether a function runs once for an object that it knows by a path: its one caller makes the object, or has
// claimed a flag of it, or runs once itself; or it is called to bring the object into service, or goes on until it is told to stop.
func (ph *phase) runsOnce(f *Func, object accesspath.Path, depth int) bool {
	p := ph.p
	sites := p.sites()[f]
	once := f.Ctx.OnceOnly || f.Ctx.InitOnly || p.isMain(f)
	if once || len(sites) != 1 || depth == 0 {
		return once || len(sites) == 0 && (f.StartUp || p.Serves(f)) && !f.Ctx.Escaped
	}
	s := sites[0]
	if f.Ctx.Escaped || s.call.Kind == summary.Escaped || f.Ctx.Open() && !f.StartUp && !p.Serves(f) {
		return false
	}
	given := givenTo(f, s, object)
	if s.call.Claimed && (given.OneWith(s.call.Claim, ph.p.SetAtFirst) || !object.Known() && s.call.Claim.Root().Kind == accesspath.Global) {
		return true
	}
	if made, ok := given.Root().Val.(*ssa.Alloc); ok && given.Depth() == 0 && made.Parent() == s.caller.SSA {
		return !s.caller.Flow.ReachesPast(made.Block(), s.call.Point, s.call.Point)
	}
	if object.Known() && !given.Known() || s.call.Looped {
		return false
	}
	return ph.runsOnce(s.caller, given, depth-1)
}

// givenTo expresses a function's object in terms of its caller.
func givenTo(f *Func, s site, object accesspath.Path) accesspath.Path {
	r := object.Root()
	switch {
	case !object.Known() || object.Depth() > 0:
		return accesspath.Path{}
	case r.Kind != accesspath.Param || r.Fn != f.Key:
		return object // of a function around it
	case r.Index < len(s.call.Args):
		return s.call.Args[r.Index]
	}
	return accesspath.Path{}
}

func (p *Package) isMain(f *Func) bool {
	return p.Types.Name() == "main" && f.SSA.Name() == "main" && f.SSA.Parent() == nil && f.SSA.Signature.Recv() == nil
}

// filledBy returns the maps beside the flag of a phase that are changed in it alone.
func (p *Package) filledBy(ph *phase) (out []accesspath.Location) {
	seen := make(map[accesspath.Location]bool)
	for _, f := range p.Funcs {
		for i := range f.Accesses {
			loc := f.Accesses[i].Path.Location()
			if loc.Var == nil || seen[loc] || !f.Accesses[i].Op.Writes() || !ph.beside(loc) {
				continue
			}
			seen[loc] = true
			if ph.covers(loc) {
				out = append(out, loc)
			}
		}
	}
	return out
}

// beside reports whether a place is a field of the flag's struct, or a variable beside it, that only the package can change.
func (ph *phase) beside(loc accesspath.Location) bool {
	v := loc.Var
	if v.Exported() || v.Pkg() != ph.p.Types || v.IsField() != ph.flag.IsField() || loc.Elems > 0 {
		return false
	}
	return ph.p.changedInSight(v) && (!v.IsField() || ph.p.OwnMap(v))
}

// covers reports whether all changes of a place are made in the phase, and nothing gets at the map in other ways.
func (ph *phase) covers(loc accesspath.Location) bool { return ph.p.changesSuit(loc, ph.early) }

// early reports whether a change of the map comes before the flag is set.
func (ph *phase) early(f *Func, a *access.Access) bool {
	at := a.Point.Instr(f.SSA)
	if at == nil || a.Lifted || a.Spawned {
		return false
	}
	if st, ok := at.(*ssa.Store); ok && changedBehind(f, st) {
		return false
	}
	return ph.comesEarly(f, a.Path.Parent(), a.Point, maxFilling)
}

// comesEarly reports whether what a function does at a point to an object comes before the flag of the object is set.
func (ph *phase) comesEarly(f *Func, object accesspath.Path, at ssautil.Point, depth int) bool {
	if f == ph.fills {
		return object == ph.object() && !slices.ContainsFunc(ph.ends, func(end ssautil.Point) bool { return f.Flow.MayPrecede(end, at) })
	}
	return ph.p.atAllCalls(f, object, depth, func(s site, given accesspath.Path) bool {
		return ph.comesEarly(s.caller, given, s.call.Point, depth-1)
	})
}

// reads reports whether an access only reads the map, when the phase is over.
func (ph *phase) reads(f *Func, a *access.Access) bool {
	if a.Op.Writes() || a.Spawned || a.Lifted || a.Point.Deferred {
		return false
	}
	at := a.Point.Instr(f.SSA)
	object, ok := ownerOf(a.Path)
	if at == nil || !ok {
		return false
	}
	fetch := fetchOf(at)
	return fetch != nil && ph.standsAt(f, object, fetch, ph.entered(f, object))&flagSet != 0
}
