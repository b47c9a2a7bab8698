package transfer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// eachArgument returns the locks for which one stands that a callee takes, or lets go, of each element of a list that it
// gets, by the names that they have here; nil if p is none.
func (a *Env) eachArgument(p accesspath.Path, t target) []accesspath.Path {
	list := p.EachOf()
	r := list.Root()
	if !list.Known() || list.Depth() > 0 || r.Kind != accesspath.Param || r.Fn != t.key || r.Index >= len(t.args) {
		return nil
	}
	return a.spread(p, t.args[r.Index])
}

// spread returns the locks for which one stands that is that of each element of a list: those of the values that
// are put into the list here, and one for the list, or for each whole list that has gone into it. Of elements that nothing here names, none is.
func (a *Env) spread(p accesspath.Path, list ssa.Value) []accesspath.Path {
	all := a.Paths.Each(p.EachOf())
	out := []accesspath.Path{}
	add := func(to accesspath.Path) {
		if q := a.Paths.Rebase(p, all, to); q.Known() {
			out = append(out, a.asBrought(q))
		}
	}
	e, _ := newLister().of(list)
	for _, v := range e.values {
		add(a.Paths.Of(v))
	}
	for _, v := range e.lists {
		add(a.Paths.Each(a.Paths.Of(v)))
	}
	return out
}

// The elements of a list are values that it holds in any case, and other lists of which it holds all elements.
type elements struct{ values, lists []ssa.Value }

func (e *elements) add(more elements) {
	e.values, e.lists = append(e.values, more.values...), append(e.lists, more.lists...)
}

// keep leaves out what another list does not hold.
func (e *elements) keep(in elements) {
	e.values = slices.DeleteFunc(e.values, func(v ssa.Value) bool { return !slices.Contains(in.values, v) })
	e.lists = slices.DeleteFunc(e.lists, func(v ssa.Value) bool { return !slices.Contains(in.lists, v) })
}

// A lister finds what lists hold.
type lister struct {
	open  map[ssa.Value]bool // those that it is at
	steps int
}

// maxListed bounds the lists, one going into the other, that are looked at for what one holds.
const maxListed = 32

func newLister() *lister { return &lister{open: make(map[ssa.Value]bool)} }

// of returns what a list holds. Of one that comes back to itself it is not asked again: what a loop appends to holds what
// it began with.
func (l *lister) of(list ssa.Value) (e elements, again bool) {
	list = ssautil.Unwrap(list)
	if l.open[list] {
		return e, true
	}
	if l.steps++; l.steps > maxListed {
		return e, false
	}
	l.open[list] = true
	defer delete(l.open, list)
	e, again = l.within(list)
	if ssautil.Whole(list) || ssautil.Gathered(list) {
		e.lists = append(e.lists, list)
	}
	return e, again
}

func (l *lister) within(list ssa.Value) (e elements, again bool) {
	if args, ok := ssautil.BuiltinCall(list, "append"); ok {
		e, again = l.of(args[0])
		if len(args) > 1 {
			more, _ := l.of(args[1])
			e.add(more)
		}
		return e, again
	}
	if from := sameElements(list); from != nil {
		return l.of(from)
	}
	switch v := list.(type) {
	case *ssa.Phi:
		return l.ofPhi(v)
	case *ssa.Slice:
		if made, ok := v.X.(*ssa.Alloc); ok && v.Low == nil && v.High == nil {
			e.values = written(made)
		}
	case *ssa.Alloc:
		e.values = written(v)
	case *ssa.UnOp:
		e.add(l.ofVariable(v.X))
	}
	return e, false
}

// ofVariable returns what a list holds that a variable is given once, perhaps one that a literal captures.
func (l *lister) ofVariable(v ssa.Value) (e elements) {
	if free, ok := v.(*ssa.FreeVar); ok {
		v = ssautil.Binding(free)
	}
	if cell, ok := v.(*ssa.Alloc); ok {
		if only := ssautil.SoleStore(cell); only != nil {
			e, _ = l.of(only)
		}
	}
	return e
}

// ofPhi returns what a list holds whichever way led to it.
func (l *lister) ofPhi(v *ssa.Phi) (e elements, again bool) {
	again = true
	for _, edge := range v.Edges {
		along, back := l.of(edge)
		switch {
		case back:
		case again:
			e, again = along, false
		default:
			e.keep(along)
		}
	}
	return e, again
}

// written returns the values of a literal list, if each place is given one, once.
func written(array *ssa.Alloc) (values []ssa.Value) {
	places := make(map[int]ssa.Value)
	for _, r := range *array.Referrers() {
		if part, ok := r.(*ssa.Slice); ok && assignsElements(part) {
			return nil
		}
		at, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		i, fixed := ssautil.IntOf(at.Index)
		for _, use := range *at.Referrers() {
			st, ok := use.(*ssa.Store)
			if !ok {
				continue
			}
			if !fixed || places[i] != nil || st.Addr != ssa.Value(at) {
				return nil
			}
			places[i] = st.Val
		}
	}
	for i := range len(places) {
		if v := places[i]; v != nil && !ssautil.IsNil(v) {
			values = append(values, v)
		}
	}
	return values
}

// assignsElements reports whether a function puts something into a place of a list that it has.
func assignsElements(list ssa.Value) bool {
	return slices.ContainsFunc(*list.Referrers(), func(r ssa.Instruction) bool {
		at, ok := r.(*ssa.IndexAddr)
		return ok && slices.ContainsFunc(*at.Referrers(), func(use ssa.Instruction) bool {
			st, ok := use.(*ssa.Store)
			return ok && st.Addr == ssa.Value(at)
		})
	})
}

// sameElements returns the list of which another one, which a call gives, has all elements; nil if it may have others.
func sameElements(list ssa.Value) ssa.Value {
	call, ok := list.(*ssa.Call)
	if !ok || call.Call.IsInvoke() {
		return nil
	}
	if fn, args := ssautil.Callee(&call.Call); model.SameElements(fn) && len(args) > 0 {
		return args[0]
	}
	return nil
}
