package ssautil

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A Lattice is the semilattice of the facts that [Forward] computes.
type Lattice[F any] interface {
	// Ident is the fact at a point that nothing reaches: Merge with it changes
	// nothing.
	Ident() F
	Equals(a, b F) bool
	Merge(a, b F) F
}

// Forward solves a monotone forward dataflow problem over the blocks of a
// function and returns the fact at the start of each one; entry is that of the
// first. block maps the fact at the start of a block to that at its end. edge
// refines it on the way to the block's n-th successor, and gets what it returned
// there before. A branch of which both sides lead to one block is one edge.
//
// Blocks are visited in reverse postorder, sweep after sweep, until no fact
// changes. Complexity: the edges, times the height of the lattice.
func Forward[L Lattice[F], F any](blocks []*ssa.BasicBlock, entry F, block func(b *ssa.BasicBlock, in F) F, edge func(from *ssa.BasicBlock, n int, out, before F) F) []F {
	s := newSolver[L, F](blocks)
	s.in[0] = entry
	for again := true; again; {
		again = false
		for _, b := range s.order {
			if !s.due[b] {
				continue
			}
			s.due[b] = false
			if !s.enter(b) {
				continue
			}
			out := block(blocks[b], s.in[b])
			for n, to := range blocks[b].Succs {
				if n > 0 && to == blocks[b].Succs[0] {
					continue
				}
				e := s.first[b] + n
				fact := edge(blocks[b], n, out, s.facts[e])
				if s.visited[b] && s.lattice.Equals(s.facts[e], fact) {
					continue
				}
				s.facts[e] = fact
				s.due[to.Index] = true
				again = again || s.rank[to.Index] <= s.rank[b]
			}
			s.visited[b] = true
		}
	}
	return s.in
}

// solver is the state of one run of [Forward].
type solver[L Lattice[F], F any] struct {
	lattice      L
	in           []F   // by block
	facts        []F   // by edge
	first        []int // the number of a block's first edge
	preds        [][]pred
	order, rank  []int // the blocks in reverse postorder, and their places there
	due, visited []bool
}

// pred is an edge to a block and the block where it comes from.
type pred struct{ edge, from int }

func newSolver[L Lattice[F], F any](blocks []*ssa.BasicBlock) *solver[L, F] {
	n := len(blocks)
	s := &solver[L, F]{
		in: make([]F, n), first: make([]int, n), preds: make([][]pred, n), rank: make([]int, n),
		order: forwardOrder(blocks), due: make([]bool, n), visited: make([]bool, n),
	}
	edges := 0
	for i, b := range blocks {
		s.in[i], s.due[i], s.first[i] = s.lattice.Ident(), true, edges
		s.rank[s.order[i]] = i
		edges += len(b.Succs)
	}
	room := make([]pred, edges)
	for i, b := range blocks {
		s.preds[i], room = room[:0:len(b.Preds)], room[len(b.Preds):]
	}
	for i, b := range blocks {
		for n, to := range b.Succs {
			if n == 0 || to != b.Succs[0] {
				s.preds[to.Index] = append(s.preds[to.Index], pred{s.first[i] + n, i})
			}
		}
	}
	s.facts = slices.Repeat([]F{s.lattice.Ident()}, edges)
	return s
}

// enter merges what comes to block b, and reports whether it must be visited.
func (s *solver[L, F]) enter(b int) bool {
	in := s.in[b]
	for i, p := range s.preds[b] {
		fact := s.facts[p.edge]
		switch {
		case i == 0:
			in = fact
		case !s.lattice.Equals(in, fact):
			in = s.lattice.Merge(in, fact)
		}
	}
	if s.visited[b] && s.lattice.Equals(in, s.in[b]) {
		return false
	}
	s.in[b] = in
	return true
}

// forwardOrder returns the indices of the blocks in reverse postorder. What the
// first block does not lead to comes before it.
func forwardOrder(blocks []*ssa.BasicBlock) []int {
	order := make([]int, 0, len(blocks))
	seen := make([]bool, len(blocks))
	type frame struct{ block, next int }
	var stack []frame
	for root := range blocks {
		if seen[root] {
			continue
		}
		seen[root] = true
		stack = append(stack, frame{block: root})
		for len(stack) > 0 {
			f := &stack[len(stack)-1]
			succs := blocks[f.block].Succs
			if f.next == len(succs) {
				order = append(order, f.block)
				stack = stack[:len(stack)-1]
				continue
			}
			to := succs[f.next].Index
			f.next++
			if !seen[to] {
				seen[to] = true
				stack = append(stack, frame{block: to})
			}
		}
	}
	slices.Reverse(order)
	return order
}
