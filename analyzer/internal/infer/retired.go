package infer

import (
	"go/constant"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// Retired reports whether an access is made by the one who has set a flag beside the map, for good, where all others that come
// to the map have found the flag unset in the section of the lock under which it is set: they are done with the map by
// then, or refuse. Complexity: for each flag beside the map, linear in the functions that use it.
func (p *Package) Retired(f *Func, a *access.Access) bool {
	if a.Spawned || !a.Op.Uses() || a.Path.Location().Elems > 0 {
		return false
	}
	return slices.ContainsFunc(p.retirements(a.Path.Location()), func(s *seal) bool { return s.closes(f, a) })
}

// retirements returns what leaves a map to one who sets a flag. The answer is kept for each place.
func (p *Package) retirements(loc accesspath.Location) []*seal {
	if out, ok := p.retiring[loc]; ok {
		return out
	}
	if p.retiring == nil {
		p.retiring = make(map[accesspath.Location][]*seal)
	}
	var out []*seal
	for _, s := range p.sealCandidates(loc, p.addFlag) {
		suits := func(f *Func, a *access.Access) bool { return s.closes(f, a) || s.before(f, a) }
		if s.valid() && p.usesSuit(loc, suits) {
			out = append(out, s)
		}
	}
	p.retiring[loc] = out
	return out
}

// closes reports whether an access is made by who has set the flag of the map's object.
func (s *seal) closes(f *Func, a *access.Access) bool {
	return !a.Spawned && s.claimedBy(f, a.Path.Parent(), a.Claim, a.Point, maxFilling)
}

// claimedBy reports whether a function that comes to a point with a claim, or all that call it, have set an object's flag.
func (s *seal) claimedBy(f *Func, object, claim accesspath.Path, at ssautil.Point, depth int) bool {
	if claim.Known() && claim.Location().Var == s.flag && claim.Parent() == object || s.wonAt(f, object, at) {
		return true
	}
	return s.p.atAllCalls(f, object, depth, func(x site, given accesspath.Path) bool {
		return s.claimedBy(x.caller, given, x.call.Claim, x.call.Point, depth-1)
	})
}

// wonAt reports whether a function comes to a point only where it has set an object's flag, in the section of the lock in which it
// was not set, by itself or by a helper that says so: since nothing sets it back, no other one does.
func (s *seal) wonAt(f *Func, object accesspath.Path, at ssautil.Point) bool {
	block := f.SSA.Blocks[at.Block]
	for d := block.Idom(); d != nil; d = d.Idom() {
		for i := range d.Succs {
			if len(d.Succs) != 2 || !ssautil.DominatesEdge(d, i, block) {
				continue
			}
			if read, set, ok := s.tells(d, i, object); ok && !set && s.setBehind(f, object, read, at) {
				return true
			}
			if g, given, yes := s.p.asksHelper(d, object); g != nil && s.wonBy(g, given, yes == i) {
				return true
			}
		}
	}
	return false
}

// setBehind reports whether a function sets an object's flag behind a look at it, in one section, and that on each way to a point.
func (s *seal) setBehind(f *Func, object accesspath.Path, read ssa.Instruction, at ssautil.Point) bool {
	take := s.takenFor(f, object, read, false)
	return take != nil && slices.ContainsFunc(s.p.changes()[s.flag], func(c change) bool {
		of, sets := s.sets(c.at)
		st, store := c.at.(*ssa.Store)
		if !sets || !store || of != object || c.at.Parent() != f.SSA || s.p.inTheMaking(c) {
			return false
		}
		if s.p.Paths.Of(st.Addr).ByValue() {
			return false // the flag of a copy
		}
		return ssautil.Dominates(read, c.at) && !lost(f, take, pointOf(c.at)) && f.Flow.Before(pointOf(c.at), at)
	})
}

// wonBy reports whether a helper has set an object's flag wherever it returns a truth value.
func (s *seal) wonBy(g *Func, object accesspath.Path, says bool) bool {
	return returnsOnly(g.SSA, says, func(ret *ssa.Return, v ssa.Value) bool {
		if s.wonAt(g, object, pointOf(ret)) {
			return true
		}
		v, not := ssautil.Unnegated(v)
		switch v := v.(type) {
		case *ssa.UnOp: // what the flag was
			is := v.Op == token.MUL && flagVar(v.X) == s.flag && s.p.Paths.Of(v.X).Parent() == object
			return is && s.set == "true" && not == says && s.setBehind(g, object, v, pointOf(ret))
		case *ssa.Call:
			of, sets := s.sets(v)
			fn, _ := ssautil.Callee(&v.Call)
			return sets && of == object && model.Flag(fn) == model.FlagClaim && not != says
		}
		return false
	})
}

// asksHelper returns the function of the package for whose truth value the branch at the end of a block asks, the name that it has
// for an object, and the side on which it says yes; nil if there is none, or it has no such name.
func (p *Package) asksHelper(b *ssa.BasicBlock, object accesspath.Path) (g *Func, given accesspath.Path, yes int) {
	br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return nil, given, 0
	}
	cond, not := ssautil.Unnegated(br.Cond)
	call, ok := cond.(*ssa.Call)
	if !ok || call.Call.StaticCallee() == nil {
		return nil, given, 0
	}
	if not {
		yes = 1
	}
	g = p.byKey[accesspath.FuncKey(call.Call.StaticCallee())]
	if g == nil || !object.Known() || g.IsLiteral() {
		return nil, given, 0
	}
	for i, arg := range call.Call.Args {
		if p.Paths.Of(arg) == object && i < len(g.SSA.Params) {
			return g, p.Paths.Of(g.SSA.Params[i]), yes
		}
	}
	return nil, given, 0
}

// returnsOnly reports whether a function returns a truth value somewhere, or may, and only where its return suits.
func returnsOnly(fn *ssa.Function, says bool, suits func(*ssa.Return, ssa.Value) bool) bool {
	some := false
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || b == fn.Recover {
			continue
		}
		if len(ret.Results) != 1 {
			return false
		}
		v := ssautil.ResultAt(ret, 0)
		if k, ok := v.(*ssa.Const); ok && k.Value != nil && k.Value.Kind() == constant.Bool && constant.BoolVal(k.Value) != says {
			continue
		}
		if !suits(ret, v) {
			return false
		}
		some = true
	}
	return some
}

// A use is what a function holds where it comes to a map, or calls what does, and whether that only reads.
type use struct {
	held    []locks.Held
	reading bool
}

// foundUnset reports whether a function comes to a use of the map only where an object's flag was found unset in the same
// section. A helper that does nothing to the lock is in that of its callers.
func (s *seal) foundUnset(f *Func, object accesspath.Path, at ssa.Instruction, u *use, depth int) bool {
	for d := at.Block().Idom(); d != nil; d = d.Idom() {
		for i := range d.Succs {
			read, set, ok := s.tells(d, i, object)
			if ok && !set && ssautil.DominatesEdgeBut(d, i, at.Block(), endsProgram) && s.sameSection(f, object, read, u) && s.quiet(f, object, read, at) {
				return true
			}
		}
	}
	locked := func(l summary.LockStep) bool { return l.Lock.Location().Var == s.lock }
	if slices.ContainsFunc(f.Locking, locked) {
		return false
	}
	return s.p.atAllCalls(f, object, depth, func(x site, given accesspath.Path) bool {
		call := x.call.Point.Instr(x.caller.SSA)
		return call != nil && !x.call.Point.Deferred && s.foundUnset(x.caller, given, call, &use{x.call.Held.Held(), u.reading}, depth-1)
	})
}

// endsProgram reports whether a block calls a method of an interface that never returns, as a logger has one.
func endsProgram(b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
		call, ok := instr.(*ssa.Call)
		return ok && call.Call.IsInvoke() && model.NoReturn(call.Call.Method)
	})
}

// atAllCalls reports whether all that call a function are known, run it in place, and suit, each with the name that it has for an
// object of the function.
func (p *Package) atAllCalls(f *Func, object accesspath.Path, depth int, suits func(site, accesspath.Path) bool) bool {
	sites := p.sites()[f]
	if depth == 0 || len(sites) == 0 || f.Ctx.Open() || f.Ctx.Escaped {
		return false
	}
	return !slices.ContainsFunc(sites, func(s site) bool {
		given := givenTo(f, s, object)
		return !s.call.Kind.InPlace() || object.Known() != given.Known() || !suits(s, given)
	})
}
