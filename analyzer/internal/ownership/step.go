package ownership

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// matters reports whether an instruction can change who owns what.
func (r *Result) matters(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Alloc:
		return r.carries(ssautil.Pointee(instr.Type()))
	case *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan, *ssa.MakeClosure, *ssa.Go, *ssa.Send, *ssa.Select:
		return true
	case *ssa.Store:
		return r.carries(instr.Val.Type())
	case *ssa.MapUpdate:
		return r.carries(instr.Value.Type()) || r.carries(instr.Key.Type())
	case *ssa.Call:
		return r.callMatters(instr)
	case *ssa.RunDefers:
		for _, d := range r.defers {
			if r.callMatters(d) {
				return true
			}
		}
	}
	return false
}

// step is the transfer function of one instruction.
func (r *Result) step(s *State, instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan:
		s.set(r.nameOf(instr.(ssa.Value)), Owned)
	case *ssa.MakeClosure:
		s.set(r.nameOf(instr), Owned)
	case *ssa.Store:
		q := r.Paths.Of(instr.Addr)
		if from, _ := q.CopyOf(); from.Known() && cell(instr.Addr) {
			r.copyStruct(s, q)
			return
		}
		r.store(s, q, instr.Val, cell(instr.Addr))
	case *ssa.MapUpdate:
		r.store(s, r.element(r.Paths.Of(instr.Map)), instr.Value, false)
		if s.Lookup(r.Paths.Of(instr.Map)) == Shared {
			r.publish(s, instr.Key)
		}
	case *ssa.UnOp, *ssa.Lookup, *ssa.Extract:
		if v := instr.(ssa.Value); copies(v) {
			r.copied(s, v)
		} else {
			r.keep(s, v, Attached)
		}
	case *ssa.Send:
		r.publish(s, instr.X)
	case *ssa.Select:
		for _, st := range instr.States {
			if st.Send != nil {
				r.publish(s, st.Send)
			}
		}
	case *ssa.Go:
		if c := r.call(instr); c != nil && c.awaited() {
			r.apply(s, instr)
		} else {
			r.goroutine(s, &instr.Call, c)
		}
	case *ssa.Call:
		r.apply(s, instr)
	case *ssa.RunDefers:
		for _, d := range r.defers {
			r.apply(s, d)
		}
	}
}

// cell reports whether addr is a local variable itself, not a part of an
// object.
func cell(addr ssa.Value) bool {
	_, ok := addr.(*ssa.Alloc)
	return ok
}

// store puts v at q. In an object that others know, v becomes known; in an
// owned one, it is owned through it.
func (r *Result) store(s *State, q accesspath.Path, v ssa.Value, cell bool) {
	p := r.Paths.Of(v)
	r.popped(s, q, v)
	if p == q {
		if m := r.readOf(v); !cell && m != nil && r.swapsObject(m) {
			r.keep(s, m, Loose) // it is there again
		}
		return
	}
	if !r.longer(v, q) {
		r.replaced(s, q)
	}
	r.replacedIn(s, q, v)
	val := s.Lookup(p)
	if k := ssautil.Unwrap(v); p.Root().Kind == accesspath.Const || ssautil.IsNil(k) {
		val = Owned
	}
	if cell && !r.weak {
		s.set(q, val) // a variable of this function
		return
	}
	if f := q.LastField(); f != nil {
		r.fills[f] = Join(r.fills[f], val)
	}
	holder := s.storage(q)
	if holder == Shared {
		r.publish(s, v)
		return
	}
	if m := r.readOf(v); m != nil {
		r.keep(s, m, Loose)
	}
	r.loosenCopy(s, v)
	if holder != Owned && val != Shared {
		for _, q := range r.links.spread(r.Paths.Table, p) {
			s.raise(q, holder)
		}
	}
	if q.IsElem() || r.weak {
		s.raise(q, Join(holder, val)) // one of several
	} else {
		s.set(q, Join(holder, val))
	}
	if container(v.Type()) && val != Shared && s.Lookup(r.element(p)) == Shared {
		s.raise(r.element(q), Shared) // a copy of a container whose elements others know
	}
}

// publish lets others reach what v denotes, and all that it leads to.
func (r *Result) publish(s *State, v ssa.Value) {
	r.loosen(s, v)
	if !r.carries(v.Type()) {
		return
	}
	r.publishPath(s, r.Paths.Of(v))
}

func (r *Result) publishPath(s *State, p accesspath.Path) {
	for _, q := range r.links.spread(r.Paths.Table, p) {
		r.left[rootOf(q)] = true
		s.set(q, Shared)
	}
}

// publishAt is publish, for code that reaches some fields only.
func (r *Result) publishAt(s *State, v ssa.Value, f Fields) {
	if f.All {
		r.publish(s, v)
		return
	}
	r.loosen(s, v)
	if r.carries(v.Type()) {
		r.publishPathAt(s, r.Paths.Of(v), f)
	}
}

func (r *Result) publishPathAt(s *State, p accesspath.Path, f Fields) {
	for _, g := range r.links.spreadBy(r.Paths.Table, p) {
		r.left[g.root] = true
		s.publishAll(g.root, g.paths, f)
	}
}

// element is the path of some element of what lies at p.
func (r *Result) element(p accesspath.Path) accesspath.Path {
	if e := r.Paths.Elem(p, accesspath.Path{}); e.Known() {
		return e
	}
	return p
}

// goroutine publishes what a goroutine gets, at the fields that it reaches.
func (r *Result) goroutine(s *State, call *ssa.CallCommon, c *Call) {
	f := r.reached(c)
	for _, v := range ssautil.HandedOver(call) {
		r.publishAt(s, v, f)
	}
}

func (r *Result) reached(c *Call) Fields {
	var f Fields
	some := false
	if c == nil {
		return AllFields
	}
	for i := range c.Callees {
		if t := &c.Callees[i]; t.How == Starts && t.Key != nil {
			f, some = f.Union(r.Reached(t.Key)), true
		}
	}
	if !some {
		return AllFields
	}
	return f
}

// tracked reports whether v reads a map or a slice from a place where it can be
// replaced.
func tracked(v ssa.Value) bool {
	if !container(v.Type()) {
		return false
	}
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op != token.MUL {
			return false
		}
		switch at := v.X.(type) {
		case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Global:
			return true
		case *ssa.FreeVar:
			return swapped(at, v)
		}
	case *ssa.Lookup:
		return !v.CommaOk
	case *ssa.Extract:
		l, ok := v.Tuple.(*ssa.Lookup)
		return ok && v.Index == 0 && l.CommaOk
	}
	return false
}

// outer returns the container that v was read from, as an element; nil if it is
// none.
func outer(v ssa.Value) ssa.Value {
	switch x := v.(type) {
	case *ssa.UnOp:
		if at, ok := x.X.(*ssa.IndexAddr); ok {
			return at.X
		}
	case *ssa.Lookup:
		return x.X
	case *ssa.Extract:
		switch t := x.Tuple.(type) {
		case *ssa.Lookup:
			return t.X
		case *ssa.Next:
			if r, ok := t.Iter.(*ssa.Range); ok {
				return r.X
			}
		}
	}
	return nil
}

// readFrom returns the tracked read that v is, through local variables and
// captured ones.
func readFrom(v ssa.Value) ssa.Value { return sourceOf(v, tracked) }

// readOf is readFrom for what has a custody: objects that are given another place, too.
func (r *Result) readOf(v ssa.Value) ssa.Value {
	return sourceOf(v, func(v ssa.Value) bool { return tracked(v) || r.swapsObject(v) })
}

func sourceOf(v ssa.Value, is func(ssa.Value) bool) ssa.Value {
	for range accesspath.MaxSteps {
		if v == nil {
			return nil
		}
		if is(v) {
			return v
		}
		switch x := v.(type) {
		case *ssa.UnOp:
			v = x.X
		case *ssa.Alloc:
			v = ssautil.SoleStore(x)
		case *ssa.FreeVar:
			v = ssautil.Binding(x)
		case *ssa.ChangeType:
			v = x.X
		case *ssa.Phi:
			v = ssautil.OnlyValue(x)
		default:
			return nil
		}
	}
	return nil
}

// loosen notes that a map that was read from its place goes elsewhere.
func (r *Result) loosen(s *State, v ssa.Value) {
	if mc, ok := v.(*ssa.MakeClosure); ok {
		for _, b := range mc.Bindings {
			r.loosen(s, b)
		}
		return
	}
	if m := r.readOf(v); m != nil && m.Parent() == r.fn {
		r.keep(s, m, Loose)
	}
	r.loosenCopy(s, v)
}

// replaced notes that the place q gets another value: who has read the map
// there has it alone.
func (r *Result) replaced(s *State, q accesspath.Path) {
	for n, c := range s.custody {
		if c == Attached && r.placeRead(r.reads[n]) == q {
			s.keep(n, TakenOut)
		}
	}
	for _, l := range r.links.same[q.Root()] {
		if l[0] == q && s.storage(l[1]) == Owned && s.Lookup(l[1]) != Owned && r.links.sole(l[1]) {
			s.set(l[1], Owned) // it has moved to an object of this function
		}
	}
}

// removed is the same for an entry that is deleted from a map.
func (r *Result) removed(s *State, m, key ssa.Value) {
	r.replaced(s, r.Paths.Elem(r.Paths.Of(m), r.Paths.Of(key)))
}
