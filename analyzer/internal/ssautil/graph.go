package ssautil

import (
	"iter"

	"golang.org/x/tools/go/ssa"
)

// A Graph presents the blocks of a function to the dataflow solver, by their
// index. A branch of which both sides lead to one block is one edge.
type Graph struct{ Blocks []*ssa.BasicBlock }

// NumNodes returns the number of blocks.
func (g Graph) NumNodes() int { return len(g.Blocks) }

// Nodes yields the blocks.
func (g Graph) Nodes() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range g.Blocks {
			if !yield(i) {
				return
			}
		}
	}
}

// Out yields the successors of block n.
func (g Graph) Out(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, s := range g.Blocks[n].Succs {
			if (i == 0 || s != g.Blocks[n].Succs[0]) && !yield(s.Index) {
				return
			}
		}
	}
}
