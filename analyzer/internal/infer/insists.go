package infer

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// maxClaimCalls bounds the calls, one in the other, that lead to where an entry is put in as a mark.
const maxClaimCalls = 4

// insists reports whether what takes the entry of a key out panics where there was none, as an Unlock does of a mutex that is not
// locked: only who has put the entry in is to come there. A panic that is caught says nothing.
func (p *Package) insists(at ssa.Instruction) bool {
	if at == nil || ssautil.MayRecover(at.Parent()) {
		return false
	}
	d, _ := at.(*ssa.Call)
	if look, ok := at.(*ssa.Lookup); ok {
		br, ok := look.Block().Instrs[len(look.Block().Instrs)-1].(*ssa.If)
		if !ok {
			return false
		}
		asked, side := ssautil.Absence(br.Cond)
		return asked == look && ssautil.PanicStmt(br.Block().Succs[side])
	}
	if d == nil {
		return false
	}
	args, ok := ssautil.BuiltinCall(d, "delete")
	return ok && p.findsLess(d, p.Paths.Of(args[0]))
}

// findsLess reports whether a function panics where a map has as many entries as before, when it has taken one out.
func (p *Package) findsLess(d *ssa.Call, m accesspath.Path) bool {
	return ssautil.Some(d.Parent(), func(instr ssa.Instruction) bool {
		br, ok := instr.(*ssa.If)
		if !ok || !ssautil.Always(d, br) {
			return false
		}
		cmp, ok := br.Cond.(*ssa.BinOp)
		if !ok || cmp.Op != token.NEQ && cmp.Op != token.EQL {
			return false
		}
		less := p.oneLess(cmp.Y, m, d) && p.sizeOf(cmp.X, m, d, false) || p.oneLess(cmp.X, m, d) && p.sizeOf(cmp.Y, m, d, false)
		same := p.sizeOf(cmp.X, m, d, true) && p.sizeOf(cmp.Y, m, d, false) || p.sizeOf(cmp.Y, m, d, true) && p.sizeOf(cmp.X, m, d, false)
		side := 0 // where it is as it was
		if less == (cmp.Op == token.EQL) {
			side = 1
		}
		return (less || same) && ssautil.PanicStmt(br.Block().Succs[side])
	})
}

// oneLess reports whether a number is one less than the size of a map before an entry is taken out.
func (p *Package) oneLess(v ssa.Value, m accesspath.Path, d *ssa.Call) bool {
	less, ok := v.(*ssa.BinOp)
	return ok && less.Op == token.SUB && ssautil.IsInt(less.Y, 1) && p.sizeOf(less.X, m, d, true)
}

// sizeOf reports whether a number is the size of a map, as it is before, or behind, where an entry is taken out.
func (p *Package) sizeOf(v ssa.Value, m accesspath.Path, d *ssa.Call, before bool) bool {
	of, ok := ssautil.LenOf(v)
	if !ok || p.Paths.Of(of) != m {
		return false
	}
	at := v.(*ssa.Call)
	if before {
		return ssautil.Dominates(at, d)
	}
	return ssautil.Dominates(d, at)
}

// cameBy reports whether all that call what takes a mark back may have it, as far as the package shows: they hold it; or they have
// called what sets it, and do nothing with it from then on; or they are there for other packages, which may have got what goes with it.
// A goroutine that has its key from elsewhere takes that of someone who still goes by it.
func (p *Package) cameBy(f *Func, mark accesspath.Path, seen map[*Func]bool) bool {
	if seen[f] {
		return true
	}
	seen[f] = true
	sites := p.sites()[f]
	if len(sites) == 0 {
		return isExported(f.SSA)
	}
	return !slices.ContainsFunc(sites, func(s site) bool {
		at := s.call.Point.Instr(s.caller.SSA)
		switch {
		case at == nil:
			return true
		case fromWithin(at, sites):
			return false
		case hasMark(s.call.Held.Held(), mark) && s.call.Kind.InPlace():
			return false
		}
		if claim, ok := p.claimBefore(s.caller, at, mark, maxClaimCalls); ok {
			return heldBehind(s, claim, mark)
		}
		return !s.call.Kind.InPlace() || !p.cameBy(s.caller, mark, seen)
	})
}

// fromWithin reports whether an instruction starts a goroutine which has a call of its own among some.
func fromWithin(at ssa.Instruction, sites []site) bool {
	start, ok := at.(*ssa.Go)
	if !ok {
		return false
	}
	by := ssautil.Function(start.Call.Value)
	return by != nil && slices.ContainsFunc(sites, func(s site) bool { return s.caller.SSA == by })
}

// heldBehind reports whether a function still goes by a mark, which it has set at a point, behind a call, before it sets that anew.
func heldBehind(s site, claim ssautil.Point, mark accesspath.Path) bool {
	from, flow := s.caller.SSA.Blocks[claim.Block], s.caller.Flow
	return slices.ContainsFunc(s.caller.Accesses, func(a access.Access) bool {
		return a.Point != s.call.Point && a.Point != claim && hasMark(a.Held.Held(), mark) && flow.ReachesPast(from, s.call.Point, a.Point)
	})
}

// hasMark reports whether the mark of some key is among what is held.
func hasMark(held []locks.Held, mark accesspath.Path) bool {
	return slices.ContainsFunc(held, func(h locks.Held) bool { return h.Lock.Location() == mark.Location() && h.Mode == locks.Write })
}

// claimBefore returns where a function sets a mark, itself or by what it calls, each time before it comes to an instruction; or anywhere
// in it if that is nil.
func (p *Package) claimBefore(f *Func, at ssa.Instruction, mark accesspath.Path, depth int) (claim ssautil.Point, ok bool) {
	before := func(point ssautil.Point) bool {
		instr := point.Instr(f.SSA)
		return instr != nil && (at == nil || instr != at && ssautil.Dominates(instr, at))
	}
	for _, m := range f.Marks {
		if m.Puts && m.Lock.Location() == mark.Location() && before(m.Point) {
			return m.Point, true
		}
	}
	for i := range f.Calls {
		c := &f.Calls[i]
		g := p.byKey[c.Callee]
		if g == nil || depth == 0 || c.Kind != summary.Direct || !before(c.Point) {
			continue
		}
		if _, claims := p.claimBefore(g, nil, mark, depth-1); claims {
			return c.Point, true
		}
	}
	return ssautil.Point{}, false
}
