package ssautil

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Postdom holds a function's control dependences: which blocks run or not
// depending on the branch that ends a block.
type Postdom struct {
	idom     []int   // immediate postdominator by block, len(blocks) for the exit
	controls [][]int // by branching block: the blocks that it controls
}

// NewPostdom computes the postdominator tree by the iterative algorithm of
// Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm", 2001) on
// the reversed graph, then control dependence as Ferrante, Ottenstein and
// Warren define it (1987). Complexity: quadratic in the blocks at worst,
// linear for structured code.
func NewPostdom(fn *ssa.Function) *Postdom {
	n := len(fn.Blocks)
	p := &Postdom{idom: make([]int, n+1), controls: make([][]int, n)}
	order, number := reversePostorder(fn)
	for i := range p.idom {
		p.idom[i] = -1
	}
	exit := n
	p.idom[exit] = exit
	for changed := true; changed; {
		changed = false
		for _, b := range order {
			idom := -1
			for _, s := range successors(fn.Blocks[b], exit) {
				if p.idom[s] < 0 {
					continue
				}
				if idom < 0 {
					idom = s
				} else {
					idom = p.intersect(idom, s, number)
				}
			}
			if idom >= 0 && p.idom[b] != idom {
				p.idom[b] = idom
				changed = true
			}
		}
	}
	for i := range n {
		if p.idom[i] < 0 {
			p.idom[i] = exit // an endless loop never gets there
		}
	}
	p.findControls(fn, exit)
	return p
}

func successors(b *ssa.BasicBlock, exit int) []int {
	if len(b.Succs) == 0 {
		return []int{exit}
	}
	out := make([]int, len(b.Succs))
	for i, s := range b.Succs {
		out[i] = s.Index
	}
	return out
}

// reversePostorder orders the blocks so that the exit comes first, walking the
// graph backwards.
func reversePostorder(fn *ssa.Function) (order []int, number []int) {
	n := len(fn.Blocks)
	number = make([]int, n+1)
	seen := make([]bool, n)
	var post []int
	type frame struct{ b, next int }
	for root := n - 1; root >= 0; root-- {
		if seen[root] || len(fn.Blocks[root].Succs) > 0 {
			continue
		}
		stack := []frame{{root, 0}}
		seen[root] = true
		for len(stack) > 0 {
			f := &stack[len(stack)-1]
			preds := fn.Blocks[f.b].Preds
			if f.next < len(preds) {
				p := preds[f.next].Index
				f.next++
				if !seen[p] {
					seen[p] = true
					stack = append(stack, frame{p, 0})
				}
				continue
			}
			post = append(post, f.b)
			stack = stack[:len(stack)-1]
		}
	}
	for i := len(post) - 1; i >= 0; i-- {
		order = append(order, post[i])
		number[post[i]] = len(order)
	}
	number[n] = 0
	return order, number
}

func (p *Postdom) intersect(a, b int, number []int) int {
	for a != b {
		for number[a] > number[b] {
			a = p.idom[a]
		}
		for number[b] > number[a] {
			b = p.idom[b]
		}
	}
	return a
}

func (p *Postdom) findControls(fn *ssa.Function, exit int) {
	for _, b := range fn.Blocks {
		if len(b.Succs) < 2 {
			continue
		}
		seen := make(map[int]bool)
		for _, s := range b.Succs {
			for r, steps := s.Index, 0; r != p.idom[b.Index] && r != exit && steps <= len(fn.Blocks); r, steps = p.idom[r], steps+1 {
				if !seen[r] {
					seen[r] = true
					p.controls[b.Index] = append(p.controls[b.Index], r)
				}
			}
		}
	}
}

// Controls returns the blocks that the branch at the end of block b controls.
func (p *Postdom) Controls(b int) []int { return p.controls[b] }

// Join returns the block where the branches of block b meet again; the number
// of blocks when that is the function's exit.
func (p *Postdom) Join(b int) int { return p.idom[b] }

// Deciders returns the branching blocks that control block b, in order.
// Complexity: linear in the control dependences.
func (p *Postdom) Deciders(b int) []int {
	var out []int
	for d, controlled := range p.controls {
		if slices.Contains(controlled, b) {
			out = append(out, d)
		}
	}
	return out
}
