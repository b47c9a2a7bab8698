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
	p      *Package
	method string
	// seen has what was found of values and variables, and of one that is being looked at, how deep.
	seen   map[ssa.Value]*wrapped
	fields map[*types.Var][]fieldUse
	// loops says that a loop gives the object to a wrapper, perhaps one of several.
	loops bool
}

// A wrapped is what was found of a value.
type wrapped struct {
	depth    int
	held     [][]locks.Held
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
func (p *Package) heldInWraps(f *Func, l *loan, only bool) ([][]locks.Held, bool) {
	w := &wrapping{p: p, method: f.Obj.Name(), seen: make(map[ssa.Value]*wrapped)}
	held, ok := w.value(l.made, l.by, 0)
	if !ok {
		return nil, false
	}
	lone := only && len(held) == 1 && !w.loops && !looped(l.made) && p.runsOnce(l.by, maxWrappers)
	call := &summary.Call{Kind: summary.Direct, Point: pointOf(l.made), Held: locks.Reached(), Args: []accesspath.Path{p.Paths.Of(l.made.X)}, Bound: p.givenTo(f, l.made.X)}
	var entries [][]locks.Held
	for _, h := range held {
		entry := p.entryAt(f, site{l.by, call}, h)
		if !lone { // each object may have a lock of its own, and all may have the map in common
			entry = slices.DeleteFunc(entry, func(h locks.Held) bool { return h.Lock.Root().Kind == accesspath.Place })
		}
		entries = append(entries, entry)
	}
	return entries, true
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
func (w *wrapping) value(v ssa.Value, by *Func, depth int) (all [][]locks.Held, ok bool) {
	if by == nil || depth > maxWrappers {
		return nil, false
	}
	return w.once(v, depth, func(r ssa.Instruction) ([][]locks.Held, bool) { return w.use(v, r, by, depth) })
}

// once goes through the uses of a value, unless that was done. One that comes back to itself by way of a call has other names there.
func (w *wrapping) once(v ssa.Value, depth int, use func(ssa.Instruction) ([][]locks.Held, bool)) ([][]locks.Held, bool) {
	if was := w.seen[v]; was != nil {
		return was.held, was.done && was.ok || !was.done && was.depth == depth
	}
	is := &wrapped{depth: depth, ok: true}
	w.seen[v] = is
	var all [][]locks.Held
	for _, r := range *v.Referrers() {
		held, ok := use(r)
		all, is.ok = append(all, held...), is.ok && ok
	}
	is.held, is.done = all, true
	return all, is.ok
}

// use is value for one use of it.
func (w *wrapping) use(v ssa.Value, r ssa.Instruction, by *Func, depth int) ([][]locks.Held, bool) {
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
func (w *wrapping) cell(cell ssa.Value, by *Func, depth int) (all [][]locks.Held, ok bool) {
	if by == nil {
		return nil, false
	}
	return w.once(cell, depth, func(r ssa.Instruction) ([][]locks.Held, bool) {
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
func (w *wrapping) captured(cell ssa.Value, made *ssa.MakeClosure, depth int) (all [][]locks.Held, ok bool) {
	fn, ok := made.Fn.(*ssa.Function)
	if !ok {
		return nil, false
	}
	for i, bound := range made.Bindings {
		if bound != cell {
			continue
		}
		held, ok := w.cell(fn.FreeVars[i], w.p.byKey[accesspath.FuncKey(fn)], depth)
		if !ok {
			return nil, false
		}
		all = append(all, held...)
	}
	return all, true
}

// call is value for a call of one of its methods, or of a function of the package that gets it.
func (w *wrapping) call(v ssa.Value, call *ssa.Call, by *Func, depth int) (all [][]locks.Held, ok bool) {
	if call.Call.IsInvoke() {
		if call.Call.Value != v || slices.Contains(call.Call.Args, v) {
			return nil, false
		}
		if call.Call.Method.Name() != w.method {
			return nil, true
		}
		held, ok := heldAtInvoke(by, call)
		return [][]locks.Held{held}, ok
	}
	callee := w.p.calledHere(call)
	if callee == nil {
		return nil, false
	}
	for i, arg := range call.Call.Args {
		if arg != v {
			continue
		}
		held, ok := w.value(callee.SSA.Params[i], callee, depth+1)
		if !ok {
			return nil, false
		}
		for _, h := range held {
			all = append(all, w.atCall(h, call, callee))
		}
	}
	return all, true
}

// heldAtInvoke returns what f, its callers included, holds at a call of an interface's method; false if that is not known.
func heldAtInvoke(f *Func, call *ssa.Call) ([]locks.Held, bool) {
	i := slices.IndexFunc(f.Stays, func(s summary.Stay) bool {
		return s.Kind == summary.Invokes && s.Func == call.Call.Method && s.Pos == call.Pos()
	})
	if i < 0 {
		return nil, false
	}
	return f.Stays[i].Held.Over(f.Ctx.Entry), true
}

// atCall gives locks of a callee the names that its caller has for them. One that the callee makes there is another one for
// each call.
func (w *wrapping) atCall(held []locks.Held, call *ssa.Call, callee *Func) []locks.Held {
	w.loops = w.loops || looped(call)
	return w.renamed(held, func(lock accesspath.Path) accesspath.Path {
		r := lock.Root()
		if made, ok := r.Val.(ssa.Instruction); r.Kind == accesspath.Value && ok && made.Parent() == callee.SSA {
			w.loops = w.loops || looped(made)
			return placeOf(w.p.Paths.Table, lock)
		}
		if r.Kind == accesspath.Param && lock.Depth() == 0 && r.Fn == callee.Key && r.Index < len(call.Call.Args) {
			return w.lockOf(call.Call.Args[r.Index])
		}
		return w.p.Paths.Substitute(lock, accesspath.Path{}, func(r accesspath.Root) (accesspath.Path, bool) {
			switch {
			case r.Kind == accesspath.Global || r.Kind == accesspath.Place:
				return w.p.Paths.Root(r), true
			case r.Kind == accesspath.Param && r.Fn == callee.Key && r.Index < len(call.Call.Args):
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

// renamed gives locks other names; those that have none are not held for sure.
func (w *wrapping) renamed(held []locks.Held, name func(accesspath.Path) accesspath.Path) (out []locks.Held) {
	for _, h := range held {
		if h.Lock = name(h.Lock); readSide(h.Lock) {
			h.Lock, h.Mode = h.Lock.Parent(), locks.Read
		}
		if h.Lock.Known() {
			out = append(out, h)
		}
	}
	return out
}

// result is value for what a function gives back that only its package can call, by its name.
func (w *wrapping) result(f *Func, depth int) (all [][]locks.Held, ok bool) {
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
		held, ok := w.value(call, s.caller, depth+1)
		if !ok {
			return nil, false
		}
		for _, h := range held {
			all = append(all, w.renamed(h, func(lock accesspath.Path) accesspath.Path {
				if r := lock.Root(); r.Kind == accesspath.Global || r.Kind == accesspath.Place {
					return lock
				}
				return w.p.express(f, s, lock)
			}))
		}
	}
	return all, true
}

// field is value for the field of a wrapper in which it is put, which only the package can read.
func (w *wrapping) field(into *ssa.FieldAddr, depth int) (all [][]locks.Held, ok bool) {
	field := fieldVar(into)
	if field.Pkg() != w.p.Types || field.Exported() && w.p.Types.Name() != "main" {
		return nil, false
	}
	w.loops = w.loops || looped(into)
	if w.fields == nil {
		w.fields = w.p.fieldReads()
	}
	for _, use := range w.fields[field] {
		if use.read == nil {
			return nil, false
		}
		held, ok := w.value(use.read, use.by, depth+1)
		if !ok {
			return nil, false
		}
		object := w.p.Paths.Of(use.object)
		for _, h := range held {
			all = append(all, w.renamed(h, func(lock accesspath.Path) accesspath.Path { return w.ofObject(lock, object, into.X) }))
		}
	}
	return all, true
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
