package infer

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A function that makes a map where there is none may leave before it has done so: it is behind the making only where it
// has found that there is a map, or has made it.

// Makes reports whether f, each time that it returns without an error, has asked at one point whether a place has a map,
// and has come to one of the others, which give it one, where it had none.
func (f *Func) Makes(test ssautil.Point, given []ssautil.Point) bool {
	return f.passes(test, func(r *ssa.Return) bool { return !f.fails(r) }) && !f.skips(test, given, func(b *ssa.BasicBlock) bool {
		r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		return ok && !f.fails(r)
	})
}

// MadeAt is Makes for what comes to a point of f instead of a return.
func (f *Func) MadeAt(test ssautil.Point, given []ssautil.Point, at ssautil.Point) bool {
	return test.Block != at.Block && !f.skips(test, given, func(b *ssa.BasicBlock) bool { return int32(b.Index) == at.Block })
}

// Relies reports whether f, each time that it returns without an error, has come through a call that has not failed.
func (f *Func) Relies(call ssautil.Point) bool {
	return f.passes(call, func(r *ssa.Return) bool { return !f.fails(r) }) && !slices.ContainsFunc(f.SSA.Blocks, func(b *ssa.BasicBlock) bool {
		r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		return ok && !f.fails(r) && !f.handsOn(call, r) && !f.Succeeded(call, ssautil.PointOf(r))
	})
}

// handsOn reports whether f returns the error of a call as its own.
func (f *Func) handsOn(call ssautil.Point, r *ssa.Return) bool {
	err, _ := errorOf(call.Instr(f.SSA))
	n := len(r.Results)
	return err != nil && n > 0 && ssautil.ResultAt(r, n-1) == err
}

// RunsGiven reports whether f, each time that it returns without an error, has called a function that it was given, which
// tells it nothing.
func (f *Func) RunsGiven() bool {
	return ssautil.Some(f.SSA, func(instr ssa.Instruction) bool {
		call, ok := instr.(*ssa.Call)
		if !ok || call.Call.Signature().Results().Len() > 0 {
			return false
		}
		_, given := call.Call.Value.(*ssa.Parameter)
		return given && f.passes(ssautil.PointOf(call), func(r *ssa.Return) bool { return !f.fails(r) })
	})
}

// Succeeded reports whether f comes to a point only if a call before, if it tells of errors, has told of none.
func (f *Func) Succeeded(call, at ssautil.Point) bool {
	err, fallible := errorOf(call.Instr(f.SSA))
	return !fallible || err != nil && ssautil.FoundNil(err, true, f.SSA.Blocks[at.Block])
}

// errorOf returns the error that a call gives, nil if it is not looked at, and whether it gives one.
func errorOf(instr ssa.Instruction) (err ssa.Value, fallible bool) {
	call, ok := instr.(*ssa.Call)
	if !ok {
		return nil, true
	}
	res := call.Call.Signature().Results()
	n := res.Len()
	switch {
	case n == 0 || !ssautil.IsError(res.At(n-1).Type()):
		return nil, false
	case n == 1:
		return call, true
	}
	for _, r := range *call.Referrers() {
		if e, ok := r.(*ssa.Extract); ok && e.Index == n-1 {
			return e, true
		}
	}
	return nil, true
}

// fails reports whether f returns an error, or a deferred call has recovered from a panic.
func (f *Func) fails(r *ssa.Return) bool {
	n := len(r.Results)
	if r.Block() == f.SSA.Recover {
		return true
	}
	if n == 0 || !ssautil.IsError(r.Results[n-1].Type()) {
		return false
	}
	err := ssautil.ResultAt(r, n-1)
	return depend.NonNil(err) || ssautil.FoundNil(err, false, r.Block())
}

// skips reports whether f may come from a nil test, where that finds no map, to a block of some kind without having been
// at one of the points that give one.
func (f *Func) skips(test ssautil.Point, given []ssautil.Point, ends func(*ssa.BasicBlock) bool) bool {
	asked := test.Instr(f.SSA)
	seen := make(map[*ssa.BasicBlock]bool)
	if asked == nil {
		return true
	}
	for work := slices.Clone(withoutMap(asked.Block(), asked)); len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] || slices.ContainsFunc(given, func(p ssautil.Point) bool { return p.Block == int32(b.Index) }) {
			continue
		}
		seen[b] = true
		if ends(b) {
			return true
		}
		work = append(work, withoutMap(b, asked)...)
	}
	return ends(asked.Block())
}

// withoutMap returns the blocks that come behind one, where a nil test has found no map.
func withoutMap(b *ssa.BasicBlock, asked ssa.Instruction) []*ssa.BasicBlock {
	test, ok := asked.(*ssa.BinOp)
	br, branches := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok || !branches {
		return b.Succs
	}
	cond, not := ssautil.Unnegated(br.Cond)
	switch {
	case cond != test:
		return b.Succs
	case (test.Op == token.EQL) != not:
		return b.Succs[:1]
	}
	return b.Succs[1:]
}

// Replaced reports whether the package sets one of its variables later than at its start.
func (p *Package) Replaced(v *types.Var) bool {
	return slices.ContainsFunc(p.changes()[v.Origin()], func(c change) bool { return !isInit(c.at.Parent()) })
}
