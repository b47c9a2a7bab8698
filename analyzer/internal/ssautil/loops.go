package ssautil

import "golang.org/x/tools/go/ssa"

// Loops returns the heads of the loops around a block, the innermost first, and with each the blocks of its loop. A
// loop that is entered at two places, by goto, is none. Complexity: the blocks, times the loops around it.
func Loops(at *ssa.BasicBlock) (out []Loop) {
	for h := at; h != nil; h = h.Idom() {
		if l := LoopAt(h); l.In[at] {
			out = append(out, l)
		}
	}
	return out
}

// A Loop is one that is entered at its head alone.
type Loop struct {
	Head *ssa.BasicBlock
	In   map[*ssa.BasicBlock]bool
}

// Has reports whether a value is worked out in the loop: anew in each round.
func (l Loop) Has(v ssa.Value) bool {
	instr, ok := v.(ssa.Instruction)
	return ok && l.In[instr.Block()]
}

// LoopAt returns the loop of which h is the head: empty if none is.
func LoopAt(h *ssa.BasicBlock) Loop {
	l := Loop{Head: h, In: make(map[*ssa.BasicBlock]bool)}
	var work []*ssa.BasicBlock
	for _, p := range h.Preds {
		if h.Dominates(p) {
			work = append(work, p)
		}
	}
	if len(work) > 0 {
		l.In[h] = true
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !l.In[b] {
			l.In[b] = true
			work = append(work, b.Preds...)
		}
	}
	return l
}
