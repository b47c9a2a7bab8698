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
// Without a loop, each block is visited once, after all that lead to it: there is
// nothing to solve.
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
	in := make([]F, len(blocks))
	if order, ok := inOrder(blocks); ok {
		passOnce[L](blocks, order, in, entry, transfer)
		return in
	}
	res := dense.Forward[L](graph(blocks), map[int]F{0: entry}, transfer)
	for i := range in {
		in[i] = res.In(i)
	}
	return in
}

// passOnce works out the facts of blocks without a loop, in an order in which each
// comes after those that lead to it.
func passOnce[L dfa.Semilattice[F], F any](blocks []*ssa.BasicBlock, order []int, in []F, entry F, transfer func(from, to int, in F) F) {
	var lattice L
	for i := range in {
		in[i] = lattice.Ident()
	}
	in[0] = entry
	reached := make([]bool, len(blocks))
	for _, from := range order {
		for _, s := range nextOf(blocks[from]) {
			to := s.Index
			switch out := transfer(from, to, in[from]); {
			case !reached[to]:
				in[to], reached[to] = out, true
			case !lattice.Equals(in[to], out):
				in[to] = lattice.Merge(in[to], out)
			}
		}
	}
}

// inOrder returns the blocks so that each comes after those that lead to it, false if
// there is a loop.
func inOrder(blocks []*ssa.BasicBlock) ([]int, bool) {
	if len(blocks) == 0 {
		return nil, false
	}
	into := make([]int, len(blocks))
	for _, b := range blocks {
		for _, s := range nextOf(b) {
			into[s.Index]++
		}
	}
	if into[0] > 0 {
		return nil, false
	}
	order := make([]int, 0, len(blocks))
	for i, n := range into {
		if n == 0 {
			order = append(order, i)
		}
	}
	for next := 0; next < len(order); next++ {
		for _, s := range nextOf(blocks[order[next]]) {
			if into[s.Index]--; into[s.Index] == 0 {
				order = append(order, s.Index)
			}
		}
	}
	return order, len(order) == len(blocks)
}

// nextOf returns the blocks to which edges lead from b, each once.
func nextOf(b *ssa.BasicBlock) []*ssa.BasicBlock {
	if len(b.Succs) == 2 && b.Succs[0] == b.Succs[1] {
		return b.Succs[:1]
	}
	return b.Succs
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
		for _, s := range nextOf(g[n]) {
			if !yield(s.Index) {
				return
			}
		}
	}
}
