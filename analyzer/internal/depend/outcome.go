package depend

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// ReturnsOf finds the returns of v itself, not of something computed from it.
func ReturnsOf(v ssa.Value) []*ssa.Return {
	seen := make(map[ssa.Value]bool)
	var found []*ssa.Return
	work := []ssa.Value{v}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if v == nil || seen[v] || v.Referrers() == nil {
			continue
		}
		seen[v] = true
		for _, r := range *v.Referrers() {
			switch r := r.(type) {
			case *ssa.Return:
				found = append(found, r)
			case *ssa.Store:
				if r.Val == v {
					work = append(work, ssautil.Local(r.Addr))
				}
			case *ssa.UnOp:
				if r.Op == token.MUL {
					work = append(work, r)
				}
			case *ssa.Phi, *ssa.Extract, *ssa.ChangeType, *ssa.MakeInterface, *ssa.TypeAssert, *ssa.ChangeInterface, *ssa.FieldAddr, *ssa.Field:
				work = append(work, r.(ssa.Value))
			}
		}
	}
	return found
}

// ReturnedAfter returns a return of v on a path on which instr has run, best
// one that instr dominates; nil if there is none.
func (f *Func) ReturnedAfter(v ssa.Value, instr ssa.Instruction) *ssa.Return {
	var found *ssa.Return
	for _, r := range ReturnsOf(v) {
		if ssautil.Dominates(instr, r) {
			return r
		}
		if found == nil && f.Reach.Blocks(instr.Block(), r.Block()) {
			found = r
		}
	}
	return found
}

// told reports whether callers learn from the results whether the act was
// done: wherever the look turned the function away from the act, a result is
// another constant than behind the act, or an error in place of nil.
func (f *Func) told(s *Slice, act ssa.Instruction) bool {
	var done, refused []*ssa.Return
	for _, b := range f.Fn.Blocks {
		if len(b.Instrs) == 0 {
			continue
		}
		r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		switch {
		case !ok || b == f.Fn.Recover:
		case ssautil.Dominates(act, r):
			done = append(done, r)
		case f.turnedAway(s, act.Block(), b):
			refused = append(refused, r)
		}
	}
	for _, d := range done {
		if slices.ContainsFunc(refused, func(r *ssa.Return) bool { return !differ(d, r) }) {
			return false // the entry that is there will do as well
		}
	}
	return len(done) > 0 && len(refused) > 0
}

// turnedAway reports whether a branch that the look decides leads either to
// the act or to block to: what fails later, on the way to the act, was not
// turned away.
func (f *Func) turnedAway(s *Slice, act, to *ssa.BasicBlock) bool {
	for _, b := range f.Fn.Blocks {
		br := f.branch(b.Index)
		if br == nil || !s.Has(br.Cond) {
			continue
		}
		for i, side := range b.Succs {
			other := b.Succs[1-i]
			if f.leads(side, act) && !f.leads(other, act) && f.leads(other, to) {
				return true
			}
		}
	}
	return false
}

// leads reports whether control can go from the start of one block to another.
func (f *Func) leads(from, to *ssa.BasicBlock) bool { return from == to || f.Reach.Blocks(from, to) }

// differ reports whether two returns tell a caller different things: one
// result is certainly another.
func differ(x, y *ssa.Return) bool {
	for i := range x.Results {
		if i >= len(y.Results) {
			break
		}
		p, q := ssautil.ResultAt(x, i), ssautil.ResultAt(y, i)
		a, aok := constantOf(p)
		b, bok := constantOf(q)
		if aok && bok && a != b {
			return true
		}
		if ssautil.IsError(p.Type()) && (ssautil.IsNil(p) && NonNil(q) || ssautil.IsNil(q) && NonNil(p)) {
			return true
		}
	}
	return false
}

// constantOf returns the text of a constant truth value, number or string; the
// zero value stands for "nothing", too, and is left out of strings.
func constantOf(v ssa.Value) (string, bool) {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil {
		return "", false
	}
	b, ok := c.Type().Underlying().(*types.Basic)
	if !ok || b.Info()&(types.IsBoolean|types.IsInteger) == 0 {
		return "", false
	}
	return c.Value.ExactString(), true
}

// NonNil reports whether v is certainly not nil: a new object, or what the
// constructor of an error gives; a package-level error variable counts.
func NonNil(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		_, basic := v.X.Type().Underlying().(*types.Basic)
		_, st := v.X.Type().Underlying().(*types.Struct)
		return basic || st || NonNil(v.X)
	case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeChan, *ssa.MakeClosure, *ssa.MakeSlice:
		return true
	case *ssa.UnOp:
		_, global := v.X.(*ssa.Global)
		return v.Op == token.MUL && global && ssautil.IsError(v.Type())
	case *ssa.ChangeInterface:
		return NonNil(v.X)
	case *ssa.Call:
		return makesError(v)
	}
	return false
}

// makesError reports whether a call does nothing but make an error: it calls a
// function that gives an error and nothing else, and never nil.
func makesError(c *ssa.Call) bool {
	fn := c.Call.StaticCallee()
	if fn == nil || !ssautil.IsError(c.Type()) {
		return false
	}
	if obj, ok := fn.Object().(*types.Func); ok && model.MakesError(obj) {
		return true
	}
	for _, b := range fn.Blocks {
		if len(b.Instrs) == 0 {
			continue
		}
		r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		mi, ok := ssautil.ResultAt(r, 0).(*ssa.MakeInterface)
		if !ok || !NonNil(mi) {
			return false
		}
	}
	return len(fn.Blocks) > 0
}
