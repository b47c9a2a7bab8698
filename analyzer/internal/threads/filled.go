package threads

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// fillsTwice reports whether a function may put one object into two slots of a list that is none of a field or a package-level
// variable: not each of them is seen to get another one. Of a list that a function of the package gives, or gets, that one is asked, too.
func (t *Theory) fillsTwice(f *infer.Func, list ssa.Value) bool {
	if t.putsTwice(f, func(v ssa.Value, _ ssa.Instruction) bool { return v == list }) || t.givesToFill(f, list) {
		return true
	}
	call, i := ssautil.CallResult(list)
	if call == nil || call.Call.StaticCallee() == nil {
		return false
	}
	maker := t.pkg.Lookup(accesspath.FuncKey(call.Call.StaticCallee()))
	if maker == nil {
		return joinsTwice(call)
	}
	return t.putsTwice(maker, func(v ssa.Value, use ssa.Instruction) bool {
		ret, ok := use.(*ssa.Return)
		return ok && i < len(ret.Results) && ssautil.ResultAt(ret, i) == v
	})
}

// joinsTwice reports whether code of others that makes a list is given another one twice.
func joinsTwice(call *ssa.Call) bool {
	seen := make(map[ssa.Value]bool)
	for _, arg := range call.Call.Args {
		given := []ssa.Value{arg}
		if part, ok := arg.(*ssa.Slice); ok {
			if array, local := part.X.(*ssa.Alloc); local {
				given = ssautil.Arguments(array)
			}
		}
		for _, v := range given {
			if holdsObjects(v.Type()) && seen[v] {
				return true
			}
			seen[v] = true
		}
	}
	return false
}

// givesToFill reports whether a function gives a list to another one of the package that may put one object into two slots of it.
func (t *Theory) givesToFill(f *infer.Func, list ssa.Value) bool {
	return ssautil.Some(f.SSA, func(instr ssa.Instruction) bool {
		call, ok := instr.(ssa.CallInstruction)
		if !ok || call.Common().StaticCallee() == nil {
			return false
		}
		filler := t.pkg.Lookup(accesspath.FuncKey(call.Common().StaticCallee()))
		return filler != nil && filler != f && slices.ContainsFunc(filler.SSA.Params, func(param *ssa.Parameter) bool {
			i := slices.Index(filler.SSA.Params, param)
			gets := i < len(call.Common().Args) && wholeOf(call.Common().Args[i]) == list
			return gets && t.putsTwice(filler, func(v ssa.Value, _ ssa.Instruction) bool { return v == ssa.Value(param) })
		})
	})
}

// putsTwice reports whether a function may put one object into two slots of a list which becomes what is asked for: a value,
// or what an instruction makes use of.
func (t *Theory) putsTwice(f *infer.Func, is func(ssa.Value, ssa.Instruction) bool) bool {
	last := make(map[accesspath.Path]slotPut)
	for _, b := range f.SSA.Blocks {
		for _, instr := range b.Instrs {
			p, ok := putOf(instr)
			if !ok {
				p, ok = allOf(instr)
			}
			if !ok || !becomes(wholeOf(p.list), is, make(map[ssa.Value]bool)) {
				continue
			}
			name := t.pkg.Paths.Of(p.val)
			before, some := last[name]
			slot := !some || p.key != nil && p.key == before.key
			if !t.putsAnother(f, p, name) || !slot && f.Flow.MayPrecede(ssautil.PointOf(before.at), ssautil.PointOf(p.at)) {
				return true
			}
			last[name] = p
		}
	}
	return false
}

// putsAnother reports whether what a statement puts into a slot is another object each time: it is made for that, comes from a list
// or a map in its order, or the statement runs once, with what the function has by a name of its own.
func (t *Theory) putsAnother(f *infer.Func, p slotPut, name accesspath.Path) bool {
	if otherSlot(f, p, p, nil) || !name.Known() {
		return false
	}
	if t.fresh(p.val) || t.pkg.Makes(p.val) {
		return true
	}
	if call, result := ssautil.CallResult(p.val); call != nil {
		callees := t.calleesOf(&call.Call)
		return len(callees) == 0 || t.allGiveAnew(callees, result, make(asking, len(call.Call.Args)+1), 0)
	}
	at := ssautil.PointOf(p.at)
	if elem := name.Holder(); elem.Known() {
		return f.Flow.NextRound(elem.Key().Counter(), at, at)
	}
	return !f.Flow.MayPrecede(at, at)
}

// allOf returns what an instruction puts into a list: all elements of another one.
func allOf(instr ssa.Instruction) (slotPut, bool) {
	call, ok := instr.(*ssa.Call)
	if !ok {
		return slotPut{}, false
	}
	args, copies := ssautil.BuiltinCall(call, "copy")
	p := slotPut{at: instr}
	switch {
	case copies:
		p.list, p.key, p.val = args[0], args[0], args[1]
	case ssautil.IsAppend(call):
		p.list, p.val = call, call.Call.Args[1]
		if part, ok := p.val.(*ssa.Slice); ok {
			if array, given := part.X.(*ssa.Alloc); given && array.Comment == "varargs" {
				return p, false
			}
		}
	default:
		return p, false
	}
	return p, holdsObjects(p.val.Type()) && !ssautil.IsNil(p.val)
}

// holdsObjects reports whether the elements of a list are pointers or maps.
func holdsObjects(t types.Type) bool {
	list, ok := t.Underlying().(*types.Slice)
	if !ok {
		return false
	}
	switch list.Elem().Underlying().(type) {
	case *types.Pointer, *types.Map:
		return true
	}
	return false
}

// wholeOf returns the list of which a value is a part.
func wholeOf(list ssa.Value) ssa.Value {
	for {
		part, ok := list.(*ssa.Slice)
		if !ok {
			return list
		}
		if _, inside := part.X.Type().Underlying().(*types.Slice); !inside {
			return list // of an array
		}
		list = part.X
	}
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
