package infer

import (
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A work queue hands out equal items one at a time: between taking an item and giving it
// back, no other worker has the same one. So what is done under a key that names the item
// is done by one goroutine at a time, for that key, as under a lock that there is for each.
//
// An item says what a function knows of the one that its callers work on. The order is that
// of implication: a queue with more parameters that name the item promises more. The top is
// a function of which no caller is known yet; nothing is promised where a caller has no
// item, or another queue's.
type item struct {
	// queue is the variable or field that holds the queue, the type of a controller that
	// gets one item after the other, or the call that starts the goroutine of an object of its
	// own; nil if there is none.
	queue any
	// params are the parameters that name the item, as bits.
	params uint64
	// numbers are those that do so only for the entries of an object, and holders the parameters that are that object.
	numbers, holders uint64
	// start starts the literal that works on what it captures; object has the counters from which its numbers are drawn.
	start  *ssa.Go
	object accesspath.Path
	top    bool
}

// useful returns an item without what names nothing.
func (i item) useful() item {
	if i.holders == 0 && i.start == nil {
		i.params, i.numbers = i.params&^i.numbers, 0
	}
	if i.params == 0 && i.start == nil {
		return item{}
	}
	return i
}

// meet returns what two callers both promise.
func (i item) meet(o item) item {
	switch {
	case i.top:
		return o
	case o.top:
		return i
	case i.queue != o.queue || i.start != o.start || i.object != o.object:
		return item{}
	}
	i.params, i.holders = i.params&o.params, i.holders&o.holders
	i.numbers = (i.numbers | o.numbers) & i.params
	return i.useful()
}

// maxNaming bounds the steps from a key back to the item: what is further away does not name it.
const maxNaming = 12

type items struct {
	p *Package
	// taken are the items that are taken out of a queue, where they are given back in a
	// deferred call; queues are the queues of the functions that take them.
	taken  map[ssa.Value]bool
	queues map[*Func]any
	of     map[*Func]item
	// own: the items are the objects that goroutines get for themselves.
	own bool
	// asked are the values that are being worked out.
	asked map[ssa.Value]bool
}

// ItemOf returns the queue whose item a key names, where a function works on an item of one and
// the path of the key is in its terms. Complexity: linear in the calls of the package, once;
// then in the computation of the key, which is bounded.
func (p *Package) ItemOf(f *Func, key accesspath.Path) (queue any, ok bool) {
	if p.items == nil {
		p.items = p.findItems()
	}
	return p.items.queueOf(f, key)
}

// queueOf returns the queue whose item a key names in a function.
func (it *items) queueOf(f *Func, key accesspath.Path) (queue any, ok bool) {
	at := it.at(f)
	return at.queue, at.queue != nil && it.names(f, key)
}

func (p *Package) findItems() *items {
	it := &items{p: p, taken: make(map[ssa.Value]bool), queues: make(map[*Func]any), of: make(map[*Func]item), asked: make(map[ssa.Value]bool)}
	for _, f := range p.Funcs {
		it.takes(f)
	}
	handlers := false
	for _, f := range p.Funcs {
		it.of[f] = it.first(f)
		handlers = handlers || it.of[f].queue != nil
	}
	if len(it.queues) == 0 && !handlers {
		clear(it.of)
		return it
	}
	return it.settle()
}

// settle asks the callers of each function until no promise becomes less.
func (it *items) settle() *items {
	for range contextRounds {
		if !it.round() {
			break
		}
	}
	for f, i := range it.of {
		if i.top {
			delete(it.of, f) // what nothing calls has no item
		}
	}
	return it
}

// takes notes where a function takes an item, if that is given back in a deferred call, or
// by a literal in the function that works on it or is deferred.
func (it *items) takes(f *Func) {
	if f.IsLiteral() {
		return
	}
	var takes []*ssa.Call
	back := false
	for _, fn := range ssautil.Nest(f.SSA) {
		for call := range ssautil.Calls(fn) {
			m, _ := ssautil.Callee(call.Common())
			switch model.WorkQueue(m) {
			case model.Takes:
				if c, ok := call.(*ssa.Call); ok {
					takes = append(takes, c)
				}
			case model.GivesBack:
				_, deferred := call.(*ssa.Defer)
				back = back || deferred || fn != f.SSA
			}
		}
	}
	if !back || len(takes) != 1 || takes[0].Parent() != f.SSA {
		return
	}
	_, args := ssautil.Callee(&takes[0].Call)
	if queue, item := it.p.Paths.Of(args[0]).Location().Var, first(takes[0]); queue != nil && item != nil {
		it.queues[f], it.taken[item] = queue, true
	}
}

// first returns the first result of a call, nil if that is not used.
func first(call *ssa.Call) ssa.Value {
	for _, r := range *call.Referrers() {
		if x, ok := r.(*ssa.Extract); ok && x.Index == 0 {
			return x
		}
	}
	return nil
}

// first returns what is known of a function before its callers are asked.
func (it *items) first(f *Func) item {
	if recv := f.MethodOf(); !it.own && recv != nil && !f.IsLiteral() && len(f.SSA.Params) > 0 {
		if _, keyed := model.Keyed(f.SSA.Signature); keyed {
			return item{queue: recv, params: 1 << (len(f.SSA.Params) - 1)}
		}
	}
	if f.Ctx.Open() || f.Ctx.Escaped || len(it.p.sites()[f]) == 0 {
		return item{}
	}
	return item{top: true}
}

// at returns what is known where a function runs.
func (it *items) at(f *Func) item {
	if q := it.queues[f]; q != nil {
		return item{queue: q}
	}
	return it.of[f]
}

// round works out anew what the callers of each function promise, and reports whether that
// has become less.
func (it *items) round() bool {
	changed := false
	for _, f := range slices.Backward(it.p.order) {
		was := it.of[f]
		if was == (item{}) {
			continue
		}
		if _, keyed := model.Keyed(f.SSA.Signature); keyed && was.queue != nil && !it.own {
			continue
		}
		now := item{top: true}
		for _, s := range it.p.sites()[f] {
			now = now.meet(it.promised(s))
		}
		if now = now.meet(was); now != was {
			it.of[f], changed = now, true
		}
	}
	return changed
}

// promised returns what a call promises.
func (it *items) promised(s site) item {
	if it.own && s.call.Kind == summary.Goroutine {
		return it.p.started(s)
	}
	at := it.at(s.caller)
	if !s.call.Kind.InPlace() || at == (item{}) {
		return item{}
	}
	if at.top {
		return at
	}
	out := item{queue: at.queue}
	for i, arg := range s.call.Args {
		if i >= 64 {
			break
		}
		names, numbers := it.passes(s, i, arg)
		if names {
			out.params |= 1 << i
		}
		if numbers {
			out.numbers |= 1 << i
		}
		if it.holds(s.caller, arg) {
			out.holders |= 1 << i
		}
	}
	return out.useful()
}

// A naming says whether a value names the item, or is the object that the item names.
type naming uint8

const (
	other naming = iota
	// open: it does if what is worked out at the time does.
	open
	same
)

// every returns what values say that are all to name the item.
func every(all iter.Seq[naming]) naming {
	out := open
	for n := range all {
		switch n {
		case other:
			return other
		case same:
			out = same
		}
	}
	return out
}

// names reports whether a path in a function is of what names the item, or of the object that it names. What
// a goroutine has to itself is named by nothing but the object.
func (it *items) names(f *Func, path accesspath.Path) bool {
	if it.own {
		return it.ownName(f, path)
	}
	return it.naming(path, 0) == same
}

func (it *items) naming(path accesspath.Path, depth int) naming {
	if depth++; !path.Known() || depth > maxNaming {
		return other
	}
	r := path.Root()
	switch {
	case path.IsComputed():
		return it.all([]accesspath.Path{path.Parent(), path.Key()}, depth)
	case path.IsElem() && !splitOff(path), path.LastField() != nil && !model.NameField(path.LastField()):
		return other
	case path.Depth() > 0: // a part of a name, or the name of an object
		return it.naming(path.Parent(), depth)
	case r.Kind == accesspath.Value:
		return it.value(r.Val, depth)
	case r.Kind == accesspath.Param && it.given(r):
		return same
	}
	return other
}

// splitOff reports whether an element is one of the parts of a name: of a slice that a call has
// given, at a position that is known.
func splitOff(path accesspath.Path) bool {
	list := path.Parent().Root().Val
	if !path.Key().InConst() || path.Parent().Depth() > 0 || list == nil {
		return false
	}
	_, slice := list.Type().Underlying().(*types.Slice)
	return slice
}

// given reports whether callers give a parameter what names the item.
func (it *items) given(r accesspath.Root) bool {
	f := it.p.byKey[r.Fn]
	if f == nil || r.Index >= 64 {
		return false
	}
	at := it.of[f]
	return at.top || at.params&(1<<r.Index) != 0
}

// all returns what paths say together, constants aside.
func (it *items) all(paths []accesspath.Path, depth int) naming {
	return every(func(yield func(naming) bool) {
		for _, p := range paths {
			if p.Known() && !p.InConst() && !yield(it.naming(p, depth)) {
				return
			}
		}
	})
}

// value returns whether what an instruction gives names the item, or is what that names.
func (it *items) value(v ssa.Value, depth int) naming {
	if it.taken[v] {
		return same
	}
	if it.asked[v] {
		return open
	}
	it.asked[v] = true
	defer delete(it.asked, v)
	switch v := v.(type) {
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return it.call(call, depth)
		}
	case *ssa.Call:
		return it.call(v, depth)
	case *ssa.BinOp:
		return it.all([]accesspath.Path{it.p.Paths.Of(v.X), it.p.Paths.Of(v.Y)}, depth)
	case *ssa.Phi:
		edges := make([]accesspath.Path, len(v.Edges))
		for i, e := range v.Edges {
			edges[i] = it.p.Paths.Of(e)
		}
		return it.all(edges, depth)
	case *ssa.Alloc:
		return it.filled(v, depth)
	}
	return other
}

// call returns whether a call gives the object that a name stands for, an object of the
// same type as one that it gets (a copy, the stored form), or a name.
func (it *items) call(call *ssa.Call, depth int) naming {
	fn, args := ssautil.Callee(&call.Call)
	out := other
	for _, arg := range args {
		if model.IsName(arg.Type()) || model.GivesName(fn) || returns(call, arg.Type()) || listed(arg) {
			out = max(out, it.naming(it.p.Paths.Of(arg), depth))
		}
	}
	return out
}

// returns reports whether a call returns a value of some type.
func returns(call *ssa.Call, t types.Type) bool {
	for v := range call.Call.Signature().Results().Variables() {
		if types.Identical(v.Type(), t) {
			return true
		}
	}
	return false
}

// listed reports whether an argument is a list of further ones.
func listed(arg ssa.Value) bool {
	s, ok := arg.(*ssa.Slice)
	if !ok {
		return false
	}
	a, ok := s.X.(*ssa.Alloc)
	return ok && a.Comment == "varargs"
}

// filled returns whether all that is put into a variable names the item, or whether a call
// that gets its address fills it with what the item names.
func (it *items) filled(v *ssa.Alloc, depth int) naming {
	var put []accesspath.Path
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == ssa.Value(v) {
				put = append(put, it.p.Paths.Of(r.Val))
			}
		case *ssa.FieldAddr:
			put = append(put, it.stored(r)...)
		case *ssa.IndexAddr:
			put = append(put, it.stored(r)...)
		case *ssa.MakeInterface:
			for _, user := range *r.Referrers() {
				if call, ok := user.(*ssa.Call); ok && it.fills(call, r, depth) {
					return same
				}
			}
		case *ssa.Call:
			if it.fills(r, v, depth) {
				return same
			}
		}
	}
	if len(put) == 0 {
		return other
	}
	return it.all(put, depth)
}

// stored returns what is stored at an address.
func (it *items) stored(addr ssa.Value) (out []accesspath.Path) {
	for _, r := range *addr.Referrers() {
		if st, ok := r.(*ssa.Store); ok && st.Addr == addr {
			out = append(out, it.p.Paths.Of(st.Val))
		}
	}
	return out
}

// fills reports whether a call gets a name of the item beside a variable: it fetches the
// object of that name.
func (it *items) fills(call *ssa.Call, into ssa.Value, depth int) bool {
	_, args := ssautil.Callee(&call.Call)
	return slices.ContainsFunc(args, func(arg ssa.Value) bool {
		return arg != into && model.IsName(arg.Type()) && it.naming(it.p.Paths.Of(arg), depth) == same
	})
}
