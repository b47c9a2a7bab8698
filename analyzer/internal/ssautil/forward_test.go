package ssautil

import (
	"math/rand"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// bits are sets, with union as the join.
type bits struct{}

func (bits) Ident() uint64           { return 0 }
func (bits) Equals(a, b uint64) bool { return a == b }
func (bits) Merge(a, b uint64) uint64 {
	return a | b
}

// randomBlocks makes a control-flow graph in which nothing leads to the first
// block, as in a function.
func randomBlocks(r *rand.Rand) []*ssa.BasicBlock {
	blocks := make([]*ssa.BasicBlock, 1+r.Intn(12))
	for i := range blocks {
		blocks[i] = &ssa.BasicBlock{Index: i}
	}
	for _, b := range blocks {
		for range r.Intn(3) {
			if to := blocks[r.Intn(len(blocks))]; to.Index > 0 {
				b.Succs, to.Preds = append(b.Succs, to), append(to.Preds, b)
			}
		}
	}
	return blocks
}

// Forward finds the least fixpoint, which going round until nothing changes
// finds as well.
func TestForwardIsTheLeastFixpoint(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 2000 {
		blocks := randomBlocks(r)
		gen, kill := make([]uint64, len(blocks)), make([]uint64, len(blocks))
		for i := range blocks {
			gen[i], kill[i] = r.Uint64()&r.Uint64(), r.Uint64()
		}
		block := func(b *ssa.BasicBlock, in uint64) uint64 { return in&^kill[b.Index] | gen[b.Index] }
		edge := func(from *ssa.BasicBlock, n int, out, _ uint64) uint64 {
			return out &^ (1 << (from.Succs[n].Index + n))
		}
		entry := r.Uint64()
		got := Forward[bits](blocks, entry, block, edge)

		want := make([]uint64, len(blocks))
		want[0] = entry
		for changed := true; changed; {
			changed = false
			for _, b := range blocks {
				for n, to := range b.Succs {
					if n > 0 && to == b.Succs[0] {
						continue // one edge
					}
					if in := want[to.Index] | edge(b, n, block(b, want[b.Index]), 0); in != want[to.Index] {
						want[to.Index], changed = in, true
					}
				}
			}
		}
		for i := range blocks {
			if got[i] != want[i] {
				t.Fatalf("block %d of %d: %x, not %x", i, len(blocks), got[i], want[i])
			}
		}
	}
}

// An edge is told what it gave before, and each block that leads on is entered
// once where there is no loop.
func TestForwardVisits(t *testing.T) {
	blocks := []*ssa.BasicBlock{{Index: 0}, {Index: 1}, {Index: 2}, {Index: 3}}
	link := func(from, to int) {
		blocks[from].Succs = append(blocks[from].Succs, blocks[to])
		blocks[to].Preds = append(blocks[to].Preds, blocks[from])
	}
	link(0, 1)
	link(0, 2)
	link(1, 3)
	link(2, 3)
	visits := 0
	Forward[bits](blocks, 1, func(b *ssa.BasicBlock, in uint64) uint64 {
		visits++
		return in
	}, func(_ *ssa.BasicBlock, _ int, out, before uint64) uint64 {
		if before != 0 {
			t.Errorf("an edge that was not passed before had given %d", before)
		}
		return out
	})
	if visits != len(blocks)-1 {
		t.Errorf("%d visits of %d blocks, one of which leads nowhere", visits, len(blocks))
	}
	link(3, 1)
	again := false
	Forward[bits](blocks, 1, func(b *ssa.BasicBlock, in uint64) uint64 { return in | 1<<(b.Index+1) }, func(_ *ssa.BasicBlock, _ int, out, before uint64) uint64 {
		again = again || before != 0
		if before&^out != 0 {
			t.Errorf("an edge fell from %x to %x", before, out)
		}
		return out
	})
	if !again {
		t.Error("the loop was passed once")
	}
}
