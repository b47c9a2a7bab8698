package threads

import (
	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// fillsTwice reports whether a function puts one object into two slots of a list that is none of a field or a package-level
// variable. Of a list that a function of the package gives, that one is asked, too.
func (t *Theory) fillsTwice(f *infer.Func, list ssa.Value) bool {
	if putsTwice(f, func(v ssa.Value, _ ssa.Instruction) bool { return v == list }) {
		return true
	}
	call, i := ssautil.CallResult(list)
	if call == nil || call.Call.StaticCallee() == nil {
		return false
	}
	maker := t.pkg.Lookup(accesspath.FuncKey(call.Call.StaticCallee()))
	return maker != nil && putsTwice(maker, func(v ssa.Value, use ssa.Instruction) bool {
		ret, ok := use.(*ssa.Return)
		return ok && i < len(ret.Results) && ssautil.ResultAt(ret, i) == v
	})
}

// putsTwice reports whether a function puts one object into two slots of a list which becomes what is asked for: a value,
// or what an instruction makes use of.
func putsTwice(f *infer.Func, is func(ssa.Value, ssa.Instruction) bool) bool {
	last := make(map[ssa.Value]slotPut)
	for _, b := range f.SSA.Blocks {
		for _, instr := range b.Instrs {
			p, ok := putOf(instr)
			if !ok || !becomes(p.list, is, make(map[ssa.Value]bool)) {
				continue
			}
			before, some := last[p.val]
			if otherSlot(f, p, p, nil) || some && otherSlot(f, before, p, nil) {
				return true
			}
			last[p.val] = p
		}
	}
	return false
}

// becomes reports whether a list is what is asked for, or gets to be: a part of it, or the list with more appended.
func becomes(list ssa.Value, is func(ssa.Value, ssa.Instruction) bool, seen map[ssa.Value]bool) bool {
	if seen[list] {
		return false
	}
	seen[list] = true
	if is(list, nil) {
		return true
	}
	if list.Referrers() == nil {
		return false
	}
	for _, use := range *list.Referrers() {
		if is(list, use) {
			return true
		}
		var next ssa.Value
		switch use := use.(type) {
		case *ssa.Phi, *ssa.Slice, *ssa.ChangeType:
			next = use.(ssa.Value)
		case *ssa.Store:
			if kept, local := use.Addr.(*ssa.Alloc); local && use.Val == list {
				next = kept
			}
		case *ssa.UnOp:
			next = use // the variable that has it
		case *ssa.Call:
			if ssautil.IsAppend(use) && use.Call.Args[0] == list {
				next = use
			}
		}
		if next != nil && becomes(next, is, seen) {
			return true
		}
	}
	return false
}
