package depend

import (
	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// comparesNew reports whether something that goes into what the act puts in is
// compared with the content that the look found: a version, a size. The clock is
// not, and nor is the object that the function belongs to. Of an act that puts in
// nothing that is known, any comparison counts.
func (f *Func) comparesNew(content *Slice, op *ssa.BinOp, a *Act) bool {
	puts := a.Op == access.Insert || a.Op == access.Store
	if !puts || a.Value == nil {
		return true
	}
	into := f.parts(a.Value)
	for v := range f.Origins(beside(content, op)...) {
		if into[v] && f.ofItsOwn(v) {
			return true
		}
	}
	return false
}

// beside returns the values that a condition puts beside what the look found.
func beside(content *Slice, cond *ssa.BinOp) []ssa.Value {
	var out []ssa.Value
	seen := map[ssa.Instruction]bool{cond: true}
	for work := []ssa.Instruction{cond}; len(work) > 0; {
		instr := work[len(work)-1]
		work = work[:len(work)-1]
		for _, op := range instr.Operands(nil) {
			switch v := (*op).(type) {
			case nil:
			case *ssa.BinOp, *ssa.Call:
				if next := v.(ssa.Instruction); !content.Has(v) {
					out = append(out, v)
				} else if !seen[next] {
					seen[next] = true
					work = append(work, next)
				}
			default:
				if !content.Has(v) {
					out = append(out, v)
				}
			}
		}
	}
	return out
}

// ofItsOwn reports whether a value says something of what it goes into.
func (f *Func) ofItsOwn(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Parameter, *ssa.FreeVar:
		return !ssautil.PointerLike(v.Type())
	case *ssa.Call:
		return !f.volatileCall(v)
	case *ssa.Alloc, *ssa.BinOp, *ssa.Lookup:
		return true
	}
	return false
}
