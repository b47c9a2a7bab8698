package ssautil

import (
	"iter"

	"golang.org/x/tools/go/ssa"
	"honnef.co/go/tools/analysis/dfa"
	"honnef.co/go/tools/analysis/dfa/dense"
)

// Forward solves a monotone forward dataflow problem over the blocks of a
// function and returns the fact at the start of each one; entry is that of the
// first. block maps the fact at the start of a block to that at its end, which is
// done once for all edges. edge refines it on the way to the block's n-th
// successor, and gets what it returned there before. A branch of which both sides
// lead to one block is one edge.
//
// Complexity: the edges, times the height of the lattice.
func Forward[L dfa.Semilattice[F], F any](blocks []*ssa.BasicBlock, entry F, block func(b *ssa.BasicBlock, in F) F, edge func(from *ssa.BasicBlock, n int, out, before F) F) []F {
	var lattice L
	type memo struct {
		in, out F
		done    bool
		edges   [2]F // what edge returned; a block of SSA has two successors at most
	}
	memos := make([]memo, len(blocks))
	for i := range memos {
		memos[i].edges = [2]F{lattice.Ident(), lattice.Ident()}
	}
	transfer := func(from, to int, in F) F {
		b, m := blocks[from], &memos[from]
		if !m.done || !lattice.Equals(m.in, in) {
			m.in, m.out, m.done = in, block(b, in), true
		}
		n := 0
		if b.Succs[0].Index != to {
			n = 1
		}
		m.edges[n] = edge(b, n, m.out, m.edges[n])
		return m.edges[n]
	}
	res := dense.Forward[L](graph(blocks), map[int]F{0: entry}, transfer)
	in := make([]F, len(blocks))
	for i := range in {
		in[i] = res.In(i)
	}
	return in
}

// A graph presents blocks to the solver by their index.
type graph []*ssa.BasicBlock

// NumNodes returns the number of blocks.
func (g graph) NumNodes() int { return len(g) }

// Nodes yields the blocks.
func (g graph) Nodes() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range g {
			if !yield(i) {
				return
			}
		}
	}
}

// Out yields the successors of a block.
func (g graph) Out(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, s := range g[n].Succs {
			if (i == 0 || s != g[n].Succs[0]) && !yield(s.Index) {
				return
			}
		}
	}
}
