package transfer

import (
	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// settled are the conditions whose outcome is the same wherever one call of the
// function asks them: what started a goroutine under "parallel" does not come to
// what runs otherwise, in no later round either.
type settled map[ssa.Value]int

// settled returns the conditions on which it depends that a block is reached,
// and the edge that leads there, of those that a call computes once.
func (a *analysis) settled(at *ssa.BasicBlock) settled {
	var out settled
	for b := at.Idom(); b != nil; b = b.Idom() {
		br, ok := last(b).(*ssa.If)
		if !ok || !a.constant(br.Cond) {
			continue
		}
		for i := range b.Succs {
			if ssautil.DominatesEdge(b, i, at) {
				if out == nil {
					out = make(settled)
				}
				out[br.Cond] = i
			}
		}
	}
	return out
}

// constant reports whether a value is computed at most once in a call.
func (a *analysis) constant(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Parameter:
		return true
	case ssa.Instruction:
		return v.Parent() == a.fn && v.Block() != nil && !a.reach.Blocks(v.Block(), v.Block())
	}
	return false
}

// next returns the blocks to which control can go from b.
func (s settled) next(b *ssa.BasicBlock) []*ssa.BasicBlock {
	if br, ok := last(b).(*ssa.If); ok {
		if i, known := s[br.Cond]; known {
			return b.Succs[i : i+1]
		}
	}
	return b.Succs
}
