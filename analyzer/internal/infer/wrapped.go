package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// An object is wrapped where the package makes an interface of it that comes to nothing but calls of the interface's methods:
// in the functions that get it, in the literals that capture it, and in those who read the field in which it is kept. Others
// get what is around it, a handler that takes a lock first, say, and come to the object with that lock alone.

// maxWrappers bounds the functions, fields and results by which a wrapped object gets from its maker to a call of its methods.
const maxWrappers = 6

// A wrapping follows an interface to the calls of one method of its object.
type wrapping struct {
	p *Package
	// seen has what was found of values and variables, and of one that is being looked at, how deep.
	seen map[ssa.Value]*wrapped
	// loops says that a loop gives the object to a wrapper, perhaps one of several.
	loops bool
}

// A wrapped is what was found of a value.
type wrapped struct {
	depth    int
	calls    []summary.WrappedCall
	ok, done bool
}

// A fieldUse is a read of a field, or something else that is done with its address, in a function.
type fieldUse struct {
	by *Func
	// read is what is read there, nil of a use that is not followed, and object what has the field.
	read, object ssa.Value
}

// heldInWraps returns what is held at each call of a method of the object of a loan, in the method's terms; false if the
// interface comes to anything but calls. only says that the package makes one such interface.
func (p *Package) heldInWraps(f *Func, l *loan, only bool) (entries [][]locks.Held, ok bool) {
	w := &wrapping{p: p, seen: make(map[ssa.Value]*wrapped)}
	calls, ok := w.value(l.made, l.by, 0)
	if !ok {
		return nil, false
	}
	calls = slices.DeleteFunc(slices.Clone(calls), func(c summary.WrappedCall) bool { return c.Method != f.Obj.Name() })
	wrappedOnce := only && len(calls) == 1 && !w.loops && !looped(l.made)
	lone := wrappedOnce && alone(l.made.X, l.made, maxWrappers) && p.runsOnce(l.by, maxWrappers)
	call := &summary.Call{Kind: summary.Direct, Point: pointOf(l.made), Held: locks.Reached(), Args: []accesspath.Path{p.Paths.Of(l.made.X)}, Bound: p.givenTo(f, l.made.X)}
	for _, c := range calls {
		entry := p.entryAt(f, site{l.by, call}, c.Held)
		if !lone { // others may come to the same map, under another lock
			entry = slices.DeleteFunc(entry, func(h locks.Held) bool { return h.Lock.Root().Kind == accesspath.Place })
		}
		entries = append(entries, entry)
	}
	return entries, true
}

// Wraps returns what a function does with the interfaces that it gets, where these come to nothing but calls of their methods,
// under a lock of the function's callers.
func (p *Package) Wraps(f *Func) (out []summary.Wrap) {
	for i, param := range f.SSA.Params {
		if !types.IsInterface(param.Type()) || i == 0 && f.SSA.Signature.Recv() != nil {
			continue
		}
		w := &wrapping{p: p, seen: make(map[ssa.Value]*wrapped)}
		calls, ok := w.value(param, f, 0)
		if ok && slices.ContainsFunc(calls, func(c summary.WrappedCall) bool { return len(c.Held) > 0 }) {
			out = append(out, summary.Wrap{Param: i, Calls: calls})
		}
	}
	return out
}

// runsOnce reports whether the program runs a function once at most, as far as the package shows.
func (p *Package) runsOnce(f *Func, depth int) bool {
	if p.initial(f) {
		return true
	}
	sites := p.sites()[f]
	if f.Ctx.Open() || f.Ctx.Escaped || len(sites) != 1 || depth == 0 {
		return false
	}
	s := sites[0]
	return s.call.Kind == summary.Direct && !s.call.Looped && !looped(s.call.Point.Instr(s.caller.SSA)) && p.runsOnce(s.caller, depth-1)
}

// alone reports whether a value is made for one use alone, and is not known to others by what it has: that is made for it, too.
func alone(v ssa.Value, use ssa.Instruction, depth int) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return true
	case *ssa.MakeMap, *ssa.Alloc:
		return depth > 0 && !slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
			switch r := r.(type) {
			case *ssa.DebugRef:
				return false
			case *ssa.FieldAddr:
				return !filledAlone(r, depth-1)
			}
			return r != use
		})
	}
	return false
}

// filledAlone reports whether a field of a new object is only set, to what is made for it.
func filledAlone(field *ssa.FieldAddr, depth int) bool {
	return !slices.ContainsFunc(*field.Referrers(), func(r ssa.Instruction) bool {
		if _, debug := r.(*ssa.DebugRef); debug {
			return false
		}
		st, ok := r.(*ssa.Store)
		return !ok || st.Val == field || !alone(st.Val, st, depth)
	})
}

// looped reports whether a loop comes to an instruction.
func looped(instr ssa.Instruction) bool {
	return instr == nil || ssautil.NewReach(instr.Parent()).InLoop(instr)
}

// givenTo returns what the object of a method has in its fields from the start, as far as its maker names that.
func (p *Package) givenTo(f *Func, object ssa.Value) (out []summary.Binding) {
	st, ok := ssautil.Pointee(object.Type()).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for field := range st.Fields() {
		if given := ssautil.MadeWith(object, field); given != nil && p.SetAtFirst(field) {
			out = append(out, summary.Binding{Param: p.Paths.Field(p.Paths.ParamOf(f.Key, 0), field), Arg: p.Paths.Of(given)})
		}
	}
	return out
}

// value returns what is held where a value has the method called, in the terms of by, where the value is.
func (w *wrapping) value(v ssa.Value, by *Func, depth int) (all []summary.WrappedCall, ok bool) {
	if by == nil || depth > maxWrappers {
		return nil, false
	}
	return w.once(v, depth, func(r ssa.Instruction) ([]summary.WrappedCall, bool) { return w.use(v, r, by, depth) })
}

// once goes through the uses of a value, unless that was done. One that comes back to itself by way of a call has other names there.
func (w *wrapping) once(v ssa.Value, depth int, use func(ssa.Instruction) ([]summary.WrappedCall, bool)) ([]summary.WrappedCall, bool) {
	if was := w.seen[v]; was != nil {
		return was.calls, was.done && was.ok || !was.done && was.depth == depth
	}
	is := &wrapped{depth: depth, ok: true}
	w.seen[v] = is
	var all []summary.WrappedCall
	for _, r := range *v.Referrers() {
		calls, ok := use(r)
		all, is.ok = append(all, calls...), is.ok && ok
	}
	is.calls, is.done = all, true
	return all, is.ok
}

// use is value for one use of it.
func (w *wrapping) use(v ssa.Value, r ssa.Instruction, by *Func, depth int) ([]summary.WrappedCall, bool) {
	switch r := r.(type) {
	case *ssa.DebugRef, *ssa.BinOp: // it is compared
		return nil, true
	case *ssa.Phi:
		return w.value(r, by, depth)
	case *ssa.ChangeInterface:
		return w.value(r, by, depth)
	case *ssa.Call:
		return w.call(v, r, by, depth)
	case *ssa.Return:
		return w.result(by, depth)
	case *ssa.Store:
		switch to := r.Addr.(type) {
		case *ssa.Alloc:
			return w.cell(to, by, depth)
		case *ssa.FieldAddr:
			return w.field(to, depth)
		}
	}
	return nil, false
}

// cell is value for a local variable, and for what a literal knows of one of the functions around it.
func (w *wrapping) cell(cell ssa.Value, by *Func, depth int) (all []summary.WrappedCall, ok bool) {
	if by == nil {
		return nil, false
	}
	return w.once(cell, depth, func(r ssa.Instruction) ([]summary.WrappedCall, bool) {
		switch r := r.(type) {
		case *ssa.DebugRef:
			return nil, true
		case *ssa.Store:
			return nil, r.Val != cell
		case *ssa.UnOp:
			return w.value(r, by, depth)
		case *ssa.MakeClosure:
			return w.captured(cell, r, depth)
		}
		return nil, false
	})
}

// captured is cell for the literals that capture a variable.
func (w *wrapping) captured(cell ssa.Value, made *ssa.MakeClosure, depth int) (all []summary.WrappedCall, ok bool) {
	fn, ok := made.Fn.(*ssa.Function)
	if !ok {
		return nil, false
	}
	for i, bound := range made.Bindings {
		if bound != cell {
			continue
		}
		calls, ok := w.cell(fn.FreeVars[i], w.p.byKey[accesspath.FuncKey(fn)], depth)
		if !ok {
			return nil, false
		}
		all = append(all, calls...)
	}
	return all, true
}

// call is value for a call of one of its methods, or of a function that gets it.
func (w *wrapping) call(v ssa.Value, call *ssa.Call, by *Func, depth int) (all []summary.WrappedCall, ok bool) {
	if call.Call.IsInvoke() {
		if call.Call.Value != v || slices.Contains(call.Call.Args, v) {
			return nil, false
		}
		return []summary.WrappedCall{{Method: call.Call.Method.Name(), Held: heldAtInvoke(by, call)}}, true
	}
	w.loops = w.loops || looped(call)
	for i, arg := range call.Call.Args {
		if arg != v {
			continue
		}
		calls, ok := w.callee(call, i, depth)
		if !ok {
			return nil, false
		}
		all = append(all, calls...)
	}
	return all, call.Call.Value != v
}

// callee is value for an argument of a call.
func (w *wrapping) callee(call *ssa.Call, arg, depth int) ([]summary.WrappedCall, bool) {
	if own := w.p.calledHere(call); own != nil {
		calls, ok := w.value(own.SSA.Params[arg], own, depth+1)
		return w.atCall(calls, call, own.Key), ok
	}
	fn, args := ssautil.Callee(&call.Call)
	if fn == nil || len(args) != len(call.Call.Args) {
		return nil, false
	}
	other := w.p.Summary(fn.Origin())
	if other == nil || !other.Imported {
		return nil, false
	}
	i := slices.IndexFunc(other.Wraps, func(o summary.Wrap) bool { return o.Param == arg })
	if i < 0 {
		return nil, false
	}
	return w.atCall(other.Wraps[i].Calls, call, other.Key), true
}

// heldAtInvoke returns what f, its callers included, holds for sure at a call of an interface's method.
func heldAtInvoke(f *Func, call *ssa.Call) []locks.Held {
	i := slices.IndexFunc(f.Stays, func(s summary.Stay) bool {
		return s.Kind == summary.Invokes && s.Func == call.Call.Method && s.Pos == call.Pos()
	})
	if i < 0 {
		return nil
	}
	return slices.DeleteFunc(f.Stays[i].Held.Over(f.Ctx.Entry), func(h locks.Held) bool { return oneOfMany(h.Lock) })
}

// oneOfMany reports whether a lock is that of an element which the wrapper picks for each call: others go on under that of another.
func oneOfMany(lock accesspath.Path) bool {
	for at := lock.Entry(); at.Known(); at = at.Parent().Entry() {
		if k := at.Key(); !k.InConst() {
			return true
		}
	}
	return false
}

// atCall gives locks of a callee the names that its caller has for them. One that the callee makes there is another one for
// each call.
func (w *wrapping) atCall(calls []summary.WrappedCall, call *ssa.Call, callee any) []summary.WrappedCall {
	return w.renamed(calls, func(lock accesspath.Path) accesspath.Path {
		r := lock.Root()
		if made, ok := r.Val.(ssa.Instruction); r.Kind == accesspath.Value && ok && accesspath.FuncKey(made.Parent()) == callee {
			w.loops = w.loops || looped(made)
			return placeOf(w.p.Paths.Table, lock)
		}
		if r.Kind == accesspath.Param && lock.Depth() == 0 && r.Fn == callee && r.Index < len(call.Call.Args) {
			return w.lockOf(call.Call.Args[r.Index])
		}
		return w.p.Paths.Substitute(lock, accesspath.Path{}, func(r accesspath.Root) (accesspath.Path, bool) {
			switch {
			case r.Kind == accesspath.Global || r.Kind == accesspath.Place:
				return w.p.Paths.Root(r), true
			case r.Kind == accesspath.Param && r.Fn == callee && r.Index < len(call.Call.Args):
				return w.p.Paths.Of(call.Call.Args[r.Index]), true
			}
			return accesspath.Path{}, false
		})
	})
}

// lockOf names the lock that a value is: what an interface holds may have it as a part.
func (w *wrapping) lockOf(v ssa.Value) accesspath.Path {
	if at := w.p.Paths.Of(v); readSide(at) {
		return at
	}
	return w.p.LockPath(v)
}

// readSide reports whether a lock is the one side of a mutex, for reading.
func readSide(lock accesspath.Path) bool {
	k := lock.Key()
	return k.InConst() && k.Root().Const == model.RLockerKey
}

// renamed gives the locks of calls other names; those that have none are not held for sure.
func (w *wrapping) renamed(calls []summary.WrappedCall, name func(accesspath.Path) accesspath.Path) (out []summary.WrappedCall) {
	for _, c := range calls {
		is := summary.WrappedCall{Method: c.Method}
		for _, h := range c.Held {
			if h.Lock = name(h.Lock); readSide(h.Lock) {
				h.Lock, h.Mode = h.Lock.Parent(), locks.Read
			}
			if h.Lock.Known() {
				is.Held = append(is.Held, h)
			}
		}
		out = append(out, is)
	}
	return out
}

// result is value for what a function gives back that only its package can call, by its name.
func (w *wrapping) result(f *Func, depth int) (all []summary.WrappedCall, ok bool) {
	sites := w.p.sites()[f]
	if f.Ctx.Open() || f.Ctx.Escaped || f.IsLiteral() || len(sites) == 0 || f.SSA.Signature.Results().Len() != 1 {
		return nil, false
	}
	for _, s := range sites {
		call, ok := s.call.Point.Instr(s.caller.SSA).(*ssa.Call)
		if !ok || s.call.Kind != summary.Direct || call.Call.StaticCallee() != f.SSA {
			return nil, false
		}
		w.loops = w.loops || looped(call)
		calls, ok := w.value(call, s.caller, depth+1)
		if !ok {
			return nil, false
		}
		all = append(all, w.renamed(calls, func(lock accesspath.Path) accesspath.Path {
			if r := lock.Root(); r.Kind == accesspath.Global || r.Kind == accesspath.Place {
				return lock
			}
			return w.p.express(f, s, lock)
		})...)
	}
	return all, true
}

// field is value for the field of a wrapper in which it is put, which only the package can read.
func (w *wrapping) field(into *ssa.FieldAddr, depth int) (all []summary.WrappedCall, ok bool) {
	field := fieldVar(into)
	if field.Pkg() != w.p.Types || field.Exported() && w.p.Types.Name() != "main" || field.Embedded() && !hides(into.X.Type(), field) {
		return nil, false
	}
	w.loops = w.loops || looped(into)
	if w.p.reads == nil {
		w.p.reads = w.p.fieldReads()
	}
	for _, use := range w.p.reads[field] {
		if use.read == nil {
			return nil, false
		}
		calls, ok := w.value(use.read, use.by, depth+1)
		if !ok {
			return nil, false
		}
		object := w.p.Paths.Of(use.object)
		all = append(all, w.renamed(calls, func(lock accesspath.Path) accesspath.Path { return w.ofObject(lock, object, into.X) })...)
	}
	return all, true
}

// hides reports whether a struct has methods of its own for all those of what it embeds: others come to these alone.
func hides(owner types.Type, embedded *types.Var) bool {
	iface, ok := embedded.Type().Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for m := range iface.Methods() {
		_, at, _ := types.LookupFieldOrMethod(owner, true, m.Pkg(), m.Name())
		if len(at) != 1 {
			return false
		}
	}
	return true
}

// ofObject names a lock of an object, or one to which a field of it points that is set where it is made, as the maker does.
func (w *wrapping) ofObject(lock, object accesspath.Path, made ssa.Value) accesspath.Path {
	if r := lock.Root(); r.Kind == accesspath.Global || r.Kind == accesspath.Place {
		return lock
	}
	for at := lock; at.Depth() > 0; at = at.Parent() {
		field := at.LastField()
		if at.Parent() != object || field == nil {
			continue
		}
		if given := ssautil.MadeWith(made, field); given != nil && w.p.SetAtFirst(field) {
			if at == lock {
				return w.lockOf(given)
			}
			return w.p.Paths.Rebase(lock, at, w.p.Paths.Of(given))
		}
	}
	return w.p.Paths.Rebase(lock, object, w.p.Paths.Of(made))
}

// fieldReads returns what the package does with its fields, but for what it puts there.
func (p *Package) fieldReads() map[*types.Var][]fieldUse {
	out := make(map[*types.Var][]fieldUse)
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				switch at := instr.(type) {
				case *ssa.FieldAddr:
					for _, r := range *at.Referrers() {
						if use, reads := readOf(at, r); reads {
							use.by, use.object = f, at.X
							out[fieldVar(at)] = append(out[fieldVar(at)], use)
						}
					}
				case *ssa.Field:
					v := at.X.Type().Underlying().(*types.Struct).Field(at.Field).Origin()
					out[v] = append(out[v], fieldUse{by: f, read: at, object: at.X})
				}
			}
		}
	}
	return out
}

// readOf returns what a use of a field's address reads; false if it only puts something there.
func readOf(at *ssa.FieldAddr, r ssa.Instruction) (use fieldUse, reads bool) {
	switch r := r.(type) {
	case *ssa.DebugRef:
		return use, false
	case *ssa.Store:
		return use, r.Val == at
	case *ssa.UnOp:
		use.read = r
	}
	return use, true
}
