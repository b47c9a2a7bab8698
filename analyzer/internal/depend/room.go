package depend

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// roomFor reports whether an act runs only where a length was found to be below a
// bound, and nothing else of the length goes into it: a removal in between leaves
// still more room, so only what adds to the map makes the look out of date.
func (f *Func) roomFor(l *Look, a *Act) bool {
	if l.all.Has(a.Value) || l.all.Has(a.Key) || l.all.hasAny(a.Inputs) || l.all.hasAny(a.From) {
		return false
	}
	room, at := false, a.Instr.Block()
	for _, b := range f.Fn.Blocks {
		br := f.branch(b.Index)
		if br == nil || !l.all.Has(br.Cond) || !f.leads(b, at) {
			continue
		}
		switch onTrue, onFalse := ssautil.DominatesEdge(b, 0, at), ssautil.DominatesEdge(b, 1, at); {
		case onTrue != onFalse:
			if !l.below(br.Cond, onTrue) {
				return false
			}
			room = true
		case !f.leads(b.Succs[0], at) || !f.leads(b.Succs[1], at):
			return false // it decides, together with other conditions
		}
	}
	return room
}

// below reports whether a condition, where it comes out as told, says that the
// length is below something that does not depend on it.
func (l *Look) below(cond ssa.Value, holds bool) bool {
	if not, ok := cond.(*ssa.UnOp); ok && not.Op == token.NOT {
		return l.below(not.X, !holds)
	}
	cmp, ok := cond.(*ssa.BinOp)
	if !ok {
		return false
	}
	length, bound, op := cmp.X, cmp.Y, cmp.Op
	if l.all.Has(bound) {
		length, bound, op = bound, length, mirrored[op]
	}
	if l.all.Has(bound) || !l.growsWith(length) {
		return false
	}
	switch op {
	case token.LSS, token.LEQ:
		return holds
	case token.GTR, token.GEQ:
		return !holds
	case token.EQL, token.NEQ:
		return ssautil.IsZero(bound) && length == l.length(length) && holds == (op == token.EQL)
	}
	return false
}

var mirrored = map[token.Token]token.Token{
	token.LSS: token.GTR, token.LEQ: token.GEQ, token.GTR: token.LSS, token.GEQ: token.LEQ,
	token.EQL: token.EQL, token.NEQ: token.NEQ,
}

// growsWith reports whether a value is the length, or the sum of it and something
// that does not depend on it.
func (l *Look) growsWith(v ssa.Value) bool {
	if sum, ok := v.(*ssa.BinOp); ok && sum.Op == token.ADD {
		return l.length(sum.X) != nil && !l.all.Has(sum.Y) || l.length(sum.Y) != nil && !l.all.Has(sum.X)
	}
	return l.length(v) != nil
}

// length returns v if it is the length that the look found, nil if it is not, or
// is computed from it.
func (l *Look) length(v ssa.Value) ssa.Value {
	if slices.Contains(l.Outcomes, v) && isLength(v, 0) {
		return v
	}
	return nil
}

// isLength reports whether a value is what len gives, as it is, perhaps in a
// callee.
func isLength(v ssa.Value, depth int) bool {
	c, ok := v.(*ssa.Call)
	if !ok || depth > maxPredicates {
		return false
	}
	if b, ok := c.Call.Value.(*ssa.Builtin); ok {
		return b.Name() == "len"
	}
	fn := c.Call.StaticCallee()
	if fn == nil || fn.Signature.Results().Len() != 1 || len(fn.Blocks) == 0 {
		return false
	}
	return !slices.ContainsFunc(Returns(fn), func(r *ssa.Return) bool { return !isLength(ssautil.ResultAt(r, 0), depth+1) })
}

// asksWhether reports whether all that a length or a nil test decides is whether there is
// a map, or anything in it, and an entry is put in either way: what another goroutine
// puts in is there beside it.
func (f *Func) asksWhether(l *Look, a *Act) bool {
	if l.Op != access.Len && l.Op != access.NilTest || a.Op != access.Insert || l.data.hasAny(a.written()) || l.data.Has(a.Key) {
		return false
	}
	some, at := false, a.Instr.Block()
	for _, b := range f.Fn.Blocks {
		br := f.branch(b.Index)
		if br == nil || !l.data.Has(br.Cond) || !f.leads(b, at) {
			continue
		}
		if !l.asksZero(br.Cond) || !f.meetsBefore(b, at) {
			return false
		}
		some = true
	}
	return some
}

// meetsBefore reports whether both sides of a branch come together before a block, whatever
// they do: on neither does the function end without it.
func (f *Func) meetsBefore(b, at *ssa.BasicBlock) bool {
	join := f.postdom().Join(b.Index)
	return join >= 0 && join < len(f.Fn.Blocks) && f.leads(f.Fn.Blocks[join], at)
}

// asksZero reports whether a condition asks of what the look found only whether it is
// nothing.
func (l *Look) asksZero(cond ssa.Value) bool {
	if l.Senses[cond] != NoSense {
		return true
	}
	cmp, ok := cond.(*ssa.BinOp)
	if !ok || l.data.Has(cmp.X) && l.data.Has(cmp.Y) {
		return false
	}
	found, with := cmp.X, cmp.Y
	if l.data.Has(with) {
		found, with = with, found
	}
	return slices.Contains(l.Outcomes, found) && ssautil.IsZero(with)
}
