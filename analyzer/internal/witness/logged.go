package witness

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// onlyLogged reports whether the function does nothing but tell its callers whether to write a line to a log: it puts in a value
// without identity, such as the time, all its callers are known, and by its answer they log, and do nothing else. Two that are both
// told to log write one line too many. What others put in under the key for a reason of their own would be lost.
func (j *Judge) onlyLogged(v *Verdict) bool {
	f, stored := v.Func, v.Act.Stored
	if stored != access.StoredPure && stored != access.StoredFresh || v.Pair.Traits&(depend.Effects|depend.Data|depend.Returned) != 0 {
		return false
	}
	results := f.SSA.Signature.Results()
	if results.Len() != 1 || !ssautil.IsBool(results.At(0).Type()) || f.Ctx.Open() || f.Ctx.Escaped {
		return false
	}
	calls := j.Pkg.CallersOf(f)
	return len(calls) > 0 && !j.updated(v) && !slices.ContainsFunc(calls, func(s infer.CallSite) bool { return !decidesOnLog(s) })
}

// updated reports whether another function puts a value in that its callers give, or updates the entry.
func (j *Judge) updated(v *Verdict) bool {
	return slices.ContainsFunc(j.steps(v), func(s *infer.Site) bool {
		b := s.Acc
		puts := b.Op == access.Insert || b.Op == access.Store || b.Op == access.Atomic
		return puts && b.Stands() != v.Act.Stands() && (b.Stored == access.StoredDerived || given(s.Func, b.Value))
	})
}

// decidesOnLog reports whether the answer of a call decides on nothing but lines of a log.
func decidesOnLog(s infer.CallSite) bool {
	call, ok := s.Call.Point.Instr(s.Caller.SSA).(*ssa.Call)
	if !ok || s.Call.Kind != summary.Direct {
		return false
	}
	pdom := ssautil.NewPostdom(s.Caller.SSA)
	logs := func(use ssa.Instruction) bool {
		br, ok := use.(*ssa.If)
		return ok && onlyLogs(pdom, br.Block())
	}
	return len(*call.Referrers()) > 0 && !slices.ContainsFunc(*call.Referrers(), func(use ssa.Instruction) bool {
		switch use := use.(type) {
		case *ssa.DebugRef:
			return false
		case *ssa.UnOp:
			return slices.ContainsFunc(*use.Referrers(), func(r ssa.Instruction) bool { return !logs(r) })
		}
		return !logs(use)
	})
}

// onlyLogs reports whether all that the branch at the end of a block decides on is what is logged.
func onlyLogs(pdom *ssautil.Postdom, at *ssa.BasicBlock) bool {
	under := make(map[*ssa.BasicBlock]bool)
	work := []*ssa.BasicBlock{at}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, i := range pdom.Controls(b.Index) {
			if c := at.Parent().Blocks[i]; !under[c] {
				under[c] = true
				work = append(work, c)
			}
		}
	}
	for b := range under {
		if b == at || slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool { return !quiet(instr) }) {
			return false
		}
		for _, next := range b.Succs {
			if !under[next] && chooses(next, under, at) {
				return false
			}
		}
	}
	return len(under) > 0
}

// chooses reports whether a value of a block tells from which of the blocks that a branch decides on control came, or that it
// came from the branch.
func chooses(b *ssa.BasicBlock, under map[*ssa.BasicBlock]bool, branch *ssa.BasicBlock) bool {
	return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			return false
		}
		var first ssa.Value
		for i, p := range b.Preds {
			if !under[p] && p != branch {
				continue
			}
			if first != nil && first != phi.Edges[i] {
				return true
			}
			first = phi.Edges[i]
		}
		return false
	})
}

// quiet reports whether an instruction does nothing that others could see but to write to a log.
func quiet(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Call:
		if b, ok := instr.Call.Value.(*ssa.Builtin); ok {
			return b.Name() == "append" || b.Name() == "len" || b.Name() == "cap"
		}
		fn, _ := ssautil.Callee(&instr.Call)
		return fn != nil && role.Harmless(fn)
	case *ssa.Store:
		return ssautil.Local(instr.Addr) != nil
	case *ssa.UnOp:
		return instr.Op != token.ARROW
	case *ssa.Return:
		return len(instr.Results) == 0
	case *ssa.MapUpdate, *ssa.Send, *ssa.Go, *ssa.Defer, *ssa.Panic, *ssa.Select, *ssa.MakeClosure:
		return false
	}
	return true
}

// givesNothing reports whether what callers get once the act has run is constants, and errors.
func givesNothing(v *Verdict) bool {
	act := v.Act.Point.Instr(v.Func.SSA)
	if act == nil || act.Block() == nil || act.Parent() != v.Func.SSA {
		return false
	}
	reach := ssautil.NewReach(v.Func.SSA)
	return !slices.ContainsFunc(depend.Returns(v.Func.SSA), func(r *ssa.Return) bool {
		if r.Block() != act.Block() && !reach.Blocks(act.Block(), r.Block()) {
			return false
		}
		for i := range r.Results {
			x := ssautil.ResultAt(r, i)
			if _, fixed := x.(*ssa.Const); !fixed && !ssautil.IsError(x.Type()) {
				return true
			}
		}
		return false
	})
}
