package ssautil

import "golang.org/x/tools/go/ssa"

// Reach answers which blocks of one function control can go to from another.
// It memoizes: each block is searched from at most once.
type Reach struct {
	fn   *ssa.Function
	from map[*ssa.BasicBlock][]bool
}

// NewReach returns the question for fn.
func NewReach(fn *ssa.Function) *Reach {
	return &Reach{fn: fn, from: make(map[*ssa.BasicBlock][]bool)}
}

// Blocks reports whether control can go from the end of block from to block to.
func (r *Reach) Blocks(from, to *ssa.BasicBlock) bool {
	seen := r.from[from]
	if seen == nil {
		seen = make([]bool, len(r.fn.Blocks))
		work := append([]*ssa.BasicBlock(nil), from.Succs...)
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			if !seen[b.Index] {
				seen[b.Index] = true
				work = append(work, b.Succs...)
			}
		}
		r.from[from] = seen
	}
	return to.Parent() == r.fn && seen[to.Index]
}

// MayPrecede reports whether control can go from x to y.
func (r *Reach) MayPrecede(x, y ssa.Instruction) bool {
	if x.Block() == y.Block() && Before(x, y) {
		return true
	}
	return r.Blocks(x.Block(), y.Block())
}

// InLoop reports whether control can come back to instr.
func (r *Reach) InLoop(instr ssa.Instruction) bool { return r.Blocks(instr.Block(), instr.Block()) }
