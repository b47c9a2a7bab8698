package depend

import (
	"go/token"
	"iter"
	"maps"
	"slices"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A backward is a search for the values that others are computed from. It is kept for
// the next one, since there are many and most are short.
type backward struct {
	seen map[ssa.Value]bool
	work []ssa.Value
	ops  []*ssa.Value
}

var backwards = sync.Pool{New: func() any { return &backward{seen: make(map[ssa.Value]bool)} }}

// keptValues bounds the searches that are kept: to clear a large map takes longer than
// to make a small one.
const keptValues = 512

func (b *backward) giveBack() {
	if len(b.seen) <= keptValues {
		clear(b.seen)
		clear(b.ops[:cap(b.ops)])
		clear(b.work[:cap(b.work)])
		backwards.Put(b)
	}
}

// Backward returns the values that vs are computed from.
func (f *Func) Backward(vs ...ssa.Value) map[ssa.Value]bool {
	b := backwards.Get().(*backward)
	defer b.giveBack()
	f.follow(b, vs, func(ssa.Value) bool { return true })
	return maps.Clone(b.seen)
}

// Origins is Backward for those who look through the values once.
func (f *Func) Origins(vs ...ssa.Value) iter.Seq[ssa.Value] {
	return func(yield func(ssa.Value) bool) {
		b := backwards.Get().(*backward)
		defer b.giveBack()
		f.follow(b, vs, yield)
	}
}

// OriginsOf is Origins for the condition of a branch, worked out once.
func (f *Func) OriginsOf(br *ssa.If) []ssa.Value {
	out, ok := f.conds[br]
	if !ok {
		out = slices.Collect(f.Origins(br.Cond))
		if f.conds == nil {
			f.conds = make(map[*ssa.If][]ssa.Value)
		}
		f.conds[br] = out
	}
	return out
}

// follow yields the values that vs are computed from, each once, until yield has
// enough.
func (f *Func) follow(b *backward, vs []ssa.Value, yield func(ssa.Value) bool) {
	b.work = append(b.work[:0], vs...)
	for len(b.work) > 0 {
		v := b.work[len(b.work)-1]
		b.work = b.work[:len(b.work)-1]
		if v == nil || b.seen[v] {
			continue
		}
		b.seen[v] = true
		if !yield(v) {
			return
		}
		if ld, ok := v.(*ssa.UnOp); ok {
			if st := ssautil.LastStore(ld); st != nil {
				b.work = append(b.work, st.Val)
				continue
			}
		}
		instr, ok := v.(ssa.Instruction)
		if !ok {
			continue
		}
		b.ops = instr.Operands(b.ops[:0])
		for _, op := range b.ops {
			if *op != nil {
				b.work = append(b.work, *op)
			}
		}
		if ld, ok := v.(*ssa.UnOp); ok && ld.Op == token.MUL {
			for _, st := range f.storesTo(f.Paths.Of(ld.X)) {
				b.work = append(b.work, st.Val)
			}
			if cell, ok := ld.X.(*ssa.Alloc); ok {
				b.work = append(b.work, ssautil.PutIn(cell)...) // it is the whole of it
			}
		}
		if al, ok := v.(*ssa.Alloc); ok {
			for _, r := range *al.Referrers() {
				if st, ok := r.(*ssa.Store); ok {
					b.work = append(b.work, st.Val)
				}
			}
		}
	}
}
