package depend

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// alikeList reports whether a list is made here of what goroutines have in common, which nothing changes: a list is its elements, and
// two that are made so have the same ones, unless the package changes those of such lists in place.
func (f *Func) alikeList(v ssa.Value) bool {
	t := v.Type().Underlying()
	if _, list := t.(*types.Slice); !list || f.VolatileValue(v) {
		return false
	}
	if slices.ContainsFunc(f.Changes.lists, func(x types.Type) bool { return types.Identical(x, t) }) {
		return false
	}
	l := &listing{f: f, seen: make(map[ssa.Value]bool)}
	return l.common(v) && l.some
}

// A listing is a search for what lists are made of.
type listing struct {
	f    *Func
	seen map[ssa.Value]bool // those of the lists that have been seen decide by themselves
	some bool               // there is an element
}

// common reports whether a list has nothing but elements that goroutines have in common.
func (l *listing) common(v ssa.Value) bool {
	v = ssautil.Settled(ssautil.Unwrap(v))
	if l.seen[v] || ssautil.IsNil(v) || l.settled(v) {
		return true
	}
	l.seen[v] = true
	if v.Referrers() == nil || slices.ContainsFunc(*v.Referrers(), func(use ssa.Instruction) bool { return l.putsOther(use, v) }) {
		return false
	}
	switch v := v.(type) {
	case *ssa.Phi:
		return !slices.ContainsFunc(v.Edges, func(x ssa.Value) bool { return !l.common(x) })
	case *ssa.MakeSlice:
		return true
	case *ssa.Alloc: // the array behind a list that is made here
		return true
	case *ssa.Slice:
		return l.common(v.X)
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok {
			return b.Name() == "append" && l.common(v.Call.Args[0]) && l.common(v.Call.Args[1])
		}
		fn, args := ssautil.Callee(&v.Call)
		return model.SameElements(fn) && l.common(args[0])
	}
	return false
}

// putsOther reports whether an instruction may put something else into a list. What another package does with one, as to sort it,
// puts in nothing of this one's.
func (l *listing) putsOther(use ssa.Instruction, list ssa.Value) bool {
	switch use := use.(type) {
	case *ssa.IndexAddr:
		return slices.ContainsFunc(*use.Referrers(), func(r ssa.Instruction) bool {
			put, ok := r.(*ssa.Store)
			return !reads(r) && !(ok && put.Addr == ssa.Value(use) && l.settled(put.Val))
		})
	case *ssa.Call:
		if b, ok := use.Call.Value.(*ssa.Builtin); ok {
			return b.Name() == "copy" && use.Call.Args[0] == list && !l.common(use.Call.Args[1])
		}
		fn, _ := ssautil.Callee(&use.Call)
		return fn == nil || l.f.Fn.Pkg == nil || fn.Pkg() == nil || fn.Pkg() == l.f.Fn.Pkg.Pkg
	}
	return false
}

// settled reports whether a value is one that goroutines have in common.
func (l *listing) settled(v ssa.Value) bool {
	is := l.f.settledPart(v)
	l.some = l.some || is
	return is
}

// reorders notes the type of a list from a map whose elements an instruction changes in place.
func (c *Changes) reorders(instr ssa.Instruction) {
	var list ssa.Value
	switch instr := instr.(type) {
	case *ssa.Store:
		if at, ok := instr.Addr.(*ssa.IndexAddr); ok {
			list = at.X
		}
	case *ssa.Call:
		if b, ok := instr.Call.Value.(*ssa.Builtin); ok && (b.Name() == "copy" || b.Name() == "clear") {
			list = instr.Call.Args[0]
		}
	}
	if list == nil {
		return
	}
	t := list.Type().Underlying()
	if _, ok := t.(*types.Slice); !ok || !fromMap(list, make(map[ssa.Value]bool), maxMakers) {
		return
	}
	if !slices.ContainsFunc(c.lists, func(x types.Type) bool { return types.Identical(x, t) }) {
		c.lists = append(c.lists, t)
	}
}

// fromMap reports whether a value is, or can be, what a map has, also by way of so many functions of the package that give it.
func fromMap(v ssa.Value, seen map[ssa.Value]bool, depth int) bool {
	v = ssautil.Settled(ssautil.Unwrap(v))
	if seen[v] {
		return false
	}
	seen[v] = true
	index := 0
	if part, ok := v.(*ssa.Extract); ok {
		v, index = part.Tuple, part.Index
	}
	switch v := v.(type) {
	case *ssa.Lookup:
		return index == 0
	case *ssa.Slice:
		return fromMap(v.X, seen, depth)
	case *ssa.Phi:
		return slices.ContainsFunc(v.Edges, func(x ssa.Value) bool { return fromMap(x, seen, depth) })
	case *ssa.Call:
		fn := v.Call.StaticCallee()
		return fn != nil && fn.Pkg == v.Parent().Pkg && depth > 0 && slices.ContainsFunc(Returns(fn), func(r *ssa.Return) bool {
			return fromMap(ssautil.ResultAt(r, index), seen, depth-1)
		})
	}
	return false
}
