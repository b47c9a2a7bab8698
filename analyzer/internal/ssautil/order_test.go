package ssautil

import (
	"math/rand"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// An instruction with a higher number never leads to one with a lower one, and those
// with the same number lead to each other, or are one.
func TestOrder(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	for range 2000 {
		fn := &ssa.Function{Blocks: randomBlocks(r)}
		for _, b := range fn.Blocks {
			b.Instrs = []ssa.Instruction{new(ssa.Call), new(ssa.Call)}
		}
		o := NewOrder(fn)
		for _, x := range fn.Blocks {
			for _, y := range fn.Blocks {
				checkOrder(t, o, x, y, leadsTo(x, y))
			}
			if loops := leadsTo(x, x); (o.At(x, 0) < o.At(x, 1)) == loops {
				t.Fatalf("block %d, loops %t: %d, %d", x.Index, loops, o.At(x, 0), o.At(x, 1))
			}
		}
	}
}

func checkOrder(t *testing.T, o *Order, x, y *ssa.BasicBlock, leads bool) {
	t.Helper()
	switch a, b := o.At(x, 0), o.At(y, 0); {
	case x != y && leads && a > b:
		t.Fatalf("block %d leads to %d: %d, %d", x.Index, y.Index, a, b)
	case x != y && !leads && a == b:
		t.Fatalf("block %d does not lead to %d: %d, %d", x.Index, y.Index, a, b)
	}
	above, below := o.Passed(x)
	if at := o.At(y, 0); above < at && at < below && (leads || x == y || leadsTo(y, x)) {
		t.Fatalf("blocks %d and %d are no alternatives: %d is between %d and %d", x.Index, y.Index, at, above, below)
	}
}

// leadsTo reports whether control can go from the end of one block to another.
func leadsTo(from, to *ssa.BasicBlock) bool {
	seen := make(map[*ssa.BasicBlock]bool)
	work := from.Succs
	for len(work) > 0 {
		b := work[0]
		work = append(work[1:len(work):len(work)], b.Succs...)
		if seen[b] {
			work = work[:len(work)-len(b.Succs)]
		}
		seen[b] = true
	}
	return seen[to]
}

// What is deferred comes last.
func TestOrderOfDeferred(t *testing.T) {
	b := &ssa.BasicBlock{Instrs: []ssa.Instruction{new(ssa.Defer), new(ssa.Call)}}
	if o := NewOrder(&ssa.Function{Blocks: []*ssa.BasicBlock{b}}); o.At(b, 0) <= o.At(b, 1) {
		t.Errorf("deferred %d, then %d", o.At(b, 0), o.At(b, 1))
	}
}

// A branch that returns early comes before what follows it, as in the source.
func TestOrderOfBranches(t *testing.T) {
	blocks := make([]*ssa.BasicBlock, 3)
	for i := range blocks {
		blocks[i] = &ssa.BasicBlock{Index: i, Instrs: []ssa.Instruction{new(ssa.Call)}}
	}
	blocks[0].Succs = []*ssa.BasicBlock{blocks[1], blocks[2]}
	blocks[1].Preds, blocks[2].Preds = blocks[:1], blocks[:1]
	o := NewOrder(&ssa.Function{Blocks: blocks})
	if first, then, rest := o.At(blocks[0], 0), o.At(blocks[1], 0), o.At(blocks[2], 0); first >= then || then >= rest {
		t.Errorf("the branch has the numbers %d, %d and %d", first, then, rest)
	}
}
