package ssautil

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// An Order numbers the instructions of a function: of two with different numbers, the
// one with the lower number never comes after the other one in an activation. Those
// from which control leads to each other have the same number. Of two branches, the one
// that stands first in the source has the lower numbers.
type Order struct {
	base  []int
	loops []bool
	last  int
}

// MaxStages bounds the functions of a list that a loop calls one after the other: it leaves them numbers of their own behind its number.
const MaxStages = 32

// NewOrder numbers a function's instructions, by the strongly connected components of
// its blocks (S. Rao Kosaraju's algorithm, in M. Sharir, A strong-connectivity algorithm
// and its applications in data flow analysis, 1981). Complexity: linear in its blocks.
func NewOrder(fn *ssa.Function) *Order {
	o := &Order{base: make([]int, len(fn.Blocks)), loops: make([]bool, len(fn.Blocks)), last: 1}
	seen := make([]bool, len(fn.Blocks))
	for _, b := range slices.Backward(finished(fn.Blocks, make([]bool, len(fn.Blocks)))) {
		if !seen[b.Index] {
			o.number(component(b, seen))
		}
	}
	return o
}

// number gives the blocks of one component their numbers.
func (o *Order) number(blocks []*ssa.BasicBlock) {
	first := blocks[0]
	if len(blocks) == 1 && !slices.Contains(first.Succs, first) {
		o.base[first.Index] = o.last
		o.last += len(first.Instrs)
		return
	}
	for _, b := range blocks {
		o.base[b.Index], o.loops[b.Index] = o.last, true
	}
	o.last += 1 + MaxStages
}

// At returns the number of the instruction that is i-th in a block; all that is deferred
// has the highest one.
func (o *Order) At(b *ssa.BasicBlock, i int) int {
	if _, deferred := b.Instrs[i].(*ssa.Defer); deferred {
		return o.last
	}
	if o.loops[b.Index] {
		return o.base[b.Index]
	}
	return o.base[b.Index] + i
}

// Passed returns the numbers of what an activation does not come to that comes to a block: those above the first one,
// and below the second one. They are those of other branches, up to where the branches meet.
func (o *Order) Passed(b *ssa.BasicBlock) (above, below int) {
	if o.loops[b.Index] {
		return o.last, o.last // another round may come to others
	}
	above, below = o.base[b.Index]+len(b.Instrs)-1, o.last
	for _, s := range b.Succs {
		below = min(below, o.base[s.Index]) // what comes behind that has higher numbers
	}
	return above, below
}

// finished returns some blocks of a function in the order in which a depth-first search
// leaves them, without those that it is told to have seen.
func finished(blocks []*ssa.BasicBlock, seen []bool) []*ssa.BasicBlock {
	type visit struct {
		b    *ssa.BasicBlock
		next int
	}
	var out []*ssa.BasicBlock
	for _, start := range blocks { // the first, and the one that recovers
		if seen[start.Index] {
			continue
		}
		seen[start.Index] = true
		path := []visit{{b: start}}
		for len(path) > 0 {
			at := &path[len(path)-1]
			if at.next == len(at.b.Succs) {
				out = append(out, at.b)
				path = path[:len(path)-1]
				continue
			}
			succ := at.b.Succs[len(at.b.Succs)-1-at.next] // what returns early comes before what follows it
			at.next++
			if !seen[succ.Index] {
				seen[succ.Index] = true
				path = append(path, visit{b: succ})
			}
		}
	}
	return out
}

// component returns the blocks that lead to b and were not seen.
func component(b *ssa.BasicBlock, seen []bool) []*ssa.BasicBlock {
	seen[b.Index] = true
	out := []*ssa.BasicBlock{b}
	for i := 0; i < len(out); i++ {
		for _, pred := range out[i].Preds {
			if !seen[pred.Index] {
				seen[pred.Index] = true
				out = append(out, pred)
			}
		}
	}
	return out
}
