package ssautil

import (
	"golang.org/x/tools/go/ssa"
	"honnef.co/go/tools/analysis/dfa"
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
	in := make([]F, len(blocks))
	if order, ok := inOrder(blocks); ok {
		passOnce[L](blocks, order, in, entry, block, edge)
		return in
	}
	solve[L](blocks, in, entry, block, edge)
	return in
}

// passOnce works out the facts of blocks without a loop, in an order in which each
// comes after those that lead to it.
func passOnce[L dfa.Semilattice[F], F any](blocks []*ssa.BasicBlock, order []int, in []F, entry F, block func(b *ssa.BasicBlock, in F) F, edge func(from *ssa.BasicBlock, n int, out, before F) F) {
	var lattice L
	for i := range in {
		in[i] = lattice.Ident()
	}
	in[0] = entry
	reached := make([]bool, len(blocks))
	for _, from := range order {
		b := blocks[from]
		next := nextOf(b)
		if len(next) == 0 {
			continue
		}
		end := block(b, in[from])
		for n, s := range next {
			to := s.Index
			switch out := edge(b, n, end, lattice.Ident()); {
			case !reached[to]:
				in[to], reached[to] = out, true
			case !lattice.Equals(in[to], out):
				in[to] = lattice.Merge(in[to], out)
			}
		}
	}
}

// A node is what the solver knows of one block.
type node[F any] struct {
	edges            [2]F // what leads on; a block of SSA has two successors at most
	visited, pending bool
}

// join returns what comes along some edges.
func join[L dfa.Semilattice[F], F any](nodes []node[F], into []inward) (fact F) {
	var lattice L
	for i, e := range into {
		along := lattice.Ident()
		if nodes[e.from].visited {
			along = nodes[e.from].edges[e.n]
		}
		switch {
		case i == 0:
			fact = along
		case !lattice.Equals(fact, along):
			fact = lattice.Merge(fact, along)
		}
	}
	return fact
}

// solve goes through the blocks in reverse postorder, again and again, until nothing
// changes. It visits those alone of which the fact at the start may have changed.
func solve[L dfa.Semilattice[F], F any](blocks []*ssa.BasicBlock, in []F, entry F, block func(b *ssa.BasicBlock, in F) F, edge func(from *ssa.BasicBlock, n int, out, before F) F) {
	var lattice L
	nodes := make([]node[F], len(blocks))
	for i := range nodes {
		nodes[i].edges, nodes[i].pending = [2]F{lattice.Ident(), lattice.Ident()}, true
		in[i] = lattice.Ident()
	}
	in[0] = entry
	into := predecessors(blocks)
	visit := func(at int) (again bool) {
		node := &nodes[at]
		node.pending = false
		if len(into[at]) > 0 {
			fact := join[L](nodes, into[at])
			if node.visited && lattice.Equals(fact, in[at]) {
				return false
			}
			in[at] = fact
		} else if node.visited {
			return false
		}
		next := nextOf(blocks[at])
		if len(next) > 0 {
			end := block(blocks[at], in[at])
			for n, s := range next {
				out := edge(blocks[at], n, end, node.edges[n])
				if !node.visited || !lattice.Equals(node.edges[n], out) {
					node.edges[n], nodes[s.Index].pending, again = out, true, true
				}
			}
		}
		node.visited = true
		return again
	}
	order := searchOrder(blocks)
	for again := true; again; {
		again = false
		for _, at := range order {
			if nodes[at].pending && visit(at) {
				again = true
			}
		}
	}
}

// An inward edge is the n-th of the block that it comes from.
type inward struct{ from, n int }

// predecessors returns the edges that lead to each block, in the order of the blocks
// that they come from.
func predecessors(blocks []*ssa.BasicBlock) [][]inward {
	count, all := make([]int, len(blocks)), 0
	for _, b := range blocks {
		for _, s := range nextOf(b) {
			count[s.Index]++
			all++
		}
	}
	out, edges := make([][]inward, len(blocks)), make([]inward, all)
	for i, n := range count {
		out[i], edges = edges[:0:n], edges[n:]
	}
	for from, b := range blocks {
		for n, s := range nextOf(b) {
			out[s.Index] = append(out[s.Index], inward{from, n})
		}
	}
	return out
}

// searchOrder returns the blocks in the reverse of the order in which a
// depth-first search is done with them; unreachable ones are searched, too.
func searchOrder(blocks []*ssa.BasicBlock) []int {
	next := make([]int8, len(blocks)) // the edge to follow, counted from one; 0: not seen yet
	order := make([]int, len(blocks))
	at := len(order)
	var stack []int
	open := func(b int) {
		if next[b] == 0 {
			next[b] = 1
			stack = append(stack, b)
		}
	}
	for root := range blocks {
		for open(root); len(stack) > 0; {
			b := stack[len(stack)-1]
			succs := nextOf(blocks[b])
			if n := int(next[b]) - 1; n < len(succs) {
				next[b]++
				open(succs[n].Index)
				continue
			}
			stack = stack[:len(stack)-1]
			at--
			order[at] = b
		}
	}
	return order
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
