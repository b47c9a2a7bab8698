package depend

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// ReturnsOf finds the returns of v itself, not of something computed from it.
func ReturnsOf(v ssa.Value) []*ssa.Return {
	if v == nil {
		return nil
	}
	seen, fn := make(map[ssa.Value]bool), v.Parent()
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
				if r.Parent() == fn {
					found = append(found, r)
				}
			case *ssa.Store:
				if r.Val == v {
					work = append(work, cellsOf(r.Addr)...)
				}
			case *ssa.MakeClosure:
				work = append(work, capturedAs(r, v)...)
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

// cellsOf returns the local variable that an address belongs to, with its name in
// the function around, if a literal captures it.
func cellsOf(addr ssa.Value) []ssa.Value {
	v := ssautil.Local(addr)
	if fv, ok := v.(*ssa.FreeVar); ok {
		return []ssa.Value{v, ssautil.Binding(fv)}
	}
	return []ssa.Value{v}
}

// capturedAs returns the names of v in a literal that captures it.
func capturedAs(lit *ssa.MakeClosure, v ssa.Value) []ssa.Value {
	fn, ok := lit.Fn.(*ssa.Function)
	if !ok {
		return nil
	}
	var out []ssa.Value
	for i, b := range lit.Bindings {
		if b == v && i < len(fn.FreeVars) {
			out = append(out, fn.FreeVars[i])
		}
	}
	return out
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

// ownAnyway reports whether the function returns the very object that the act puts
// in, which was made here, also where a look at the entry in the act's critical
// section keeps the act from running. Another result beside the object may tell the
// caller which of the two it got.
func (f *Func) ownAnyway(a *Act) bool {
	v, at := ssautil.Unwrap(a.Value), a.Instr.Block()
	if !madeHere(v) || v.Parent() != f.Fn {
		return false
	}
	for _, b := range f.postdom().Deciders(at.Index) {
		br := f.branch(b)
		if br == nil || !f.readAgain(br.Cond, a) {
			continue
		}
		for i, around := range br.Block().Succs {
			if !f.leads(around, at) && f.returnsOnly(v, around, br.Cond, i == 0) {
				return true
			}
		}
	}
	return false
}

// returnsOnly reports whether v is returned on a way from a block, on which a condition
// holds or does not, beside nothing that could say more.
func (f *Func) returnsOnly(v ssa.Value, from *ssa.BasicBlock, cond ssa.Value, holds bool) bool {
	for _, b := range f.Fn.Blocks {
		r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || !f.leads(from, b) || f.onlyWhere(b, cond, !holds) {
			continue
		}
		own, silent := false, true
		for i := range r.Results {
			res := ssautil.Unwrap(ssautil.ResultAt(r, i))
			own = own || res == v
			silent = silent && (res == v || ofNoWay(res, v))
		}
		if own && silent {
			return true
		}
	}
	return false
}

// onlyWhere reports whether a block runs only where a condition holds, or does not, by a
// branch on that very value.
func (f *Func) onlyWhere(b *ssa.BasicBlock, cond ssa.Value, holds bool) bool {
	side := 1
	if holds {
		side = 0
	}
	for up := b.Idom(); up != nil; up = up.Idom() {
		if br := f.branch(up.Index); br != nil && br.Cond == cond && ssautil.DominatesEdge(up, side, b) {
			return true
		}
	}
	return false
}

// ofNoWay reports whether a result beside v is the same on each way: a constant, or
// what the call gave together with v.
func ofNoWay(res, v ssa.Value) bool {
	if _, ok := res.(*ssa.Const); ok {
		return true
	}
	e, ok := res.(*ssa.Extract)
	made, tuple := v.(*ssa.Extract)
	return ok && tuple && e.Tuple == made.Tuple
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

// NonNil reports whether v is certainly not nil: a new object, a value that has been made an
// interface, whatever it is, or what the constructor of an error gives; a package-level error
// variable counts.
func NonNil(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.MakeInterface, *ssa.MakeMap, *ssa.MakeChan, *ssa.MakeClosure, *ssa.MakeSlice:
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
