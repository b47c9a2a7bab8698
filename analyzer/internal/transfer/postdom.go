package transfer

import "golang.org/x/tools/go/ssa"

// postdom holds a function's control dependences: which blocks run or not
// depending on the branch that ends a block.
type postdom struct {
	ipdom    []int   // immediate postdominator by block, len(blocks) for the exit
	controls [][]int // by branching block: the blocks that it controls
}

// newPostdom computes the postdominator tree by the iterative algorithm of
// Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm", 2001) on
// the reversed graph, then control dependence as Ferrante, Ottenstein and
// Warren define it (1987). Complexity: quadratic in the blocks at worst,
// linear for structured code.
func newPostdom(fn *ssa.Function) *postdom {
	n := len(fn.Blocks)
	p := &postdom{ipdom: make([]int, n+1), controls: make([][]int, n)}
	order, number := reversePostorder(fn)
	for i := range p.ipdom {
		p.ipdom[i] = -1
	}
	exit := n
	p.ipdom[exit] = exit
	for changed := true; changed; {
		changed = false
		for _, b := range order {
			idom := -1
			for _, s := range successors(fn.Blocks[b], exit) {
				if p.ipdom[s] < 0 {
					continue
				}
				if idom < 0 {
					idom = s
				} else {
					idom = p.intersect(idom, s, number)
				}
			}
			if idom >= 0 && p.ipdom[b] != idom {
				p.ipdom[b] = idom
				changed = true
			}
		}
	}
	for i := range n {
		if p.ipdom[i] < 0 {
			p.ipdom[i] = exit // an endless loop never gets there
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

func (p *postdom) intersect(a, b int, number []int) int {
	for a != b {
		for number[a] > number[b] {
			a = p.ipdom[a]
		}
		for number[b] > number[a] {
			b = p.ipdom[b]
		}
	}
	return a
}

func (p *postdom) findControls(fn *ssa.Function, exit int) {
	for _, b := range fn.Blocks {
		if len(b.Succs) < 2 {
			continue
		}
		seen := make(map[int]bool)
		for _, s := range b.Succs {
			for r, steps := s.Index, 0; r != p.ipdom[b.Index] && r != exit && steps <= len(fn.Blocks); r, steps = p.ipdom[r], steps+1 {
				if !seen[r] {
					seen[r] = true
					p.controls[b.Index] = append(p.controls[b.Index], r)
				}
			}
		}
	}
}
