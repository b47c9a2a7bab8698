package depend

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Stored classifies a value that is put into a map.
func (f *Func) Stored(v ssa.Value) access.Stored {
	v = ssautil.Unwrap(v)
	if f.kind == nil {
		f.kind = v.Type()
		defer func() { f.kind = nil }()
	}
	if f.flownIn(v) {
		return access.StoredPure
	}
	if ssautil.IsNil(v) || Pure(v.Type()) || f.unchanging(v) {
		if !ssautil.IsNil(v) && f.VolatileValue(v) && !f.stamped(v) {
			return access.StoredFresh
		}
		if !Pure(v.Type()) && f.startedWith(v) {
			return access.StoredIdentity
		}
		return access.StoredPure
	}
	if f.settledPart(v) || f.kept(v) {
		return access.StoredAlike
	}
	switch f.Paths.Of(v).Root().Kind {
	case accesspath.Param, accesspath.Global:
		return access.StoredShared
	}
	if _, ok := v.(*ssa.Function); ok {
		return access.StoredShared
	}
	if made, ok := v.(*ssa.MakeClosure); ok && stateless(made) {
		return access.StoredAlike
	}
	if ssautil.IsMap(v.Type()) {
		if f.alikeMap(v) {
			return access.StoredAlike
		}
		return access.StoredIdentity
	}
	if f.fromElsewhere(v) && !Stateful(v.Type(), f.Fn.Pkg.Pkg) || f.alike(v) || f.alikeList(v) {
		return access.StoredAlike
	}
	return access.StoredIdentity
}

// flownIn reports whether v is what a single flight gives, which its literal makes without
// identity: it says the same, whichever flight it was.
func (f *Func) flownIn(v ssa.Value) bool {
	result, ok := v.(*ssa.Extract)
	if !ok {
		return false
	}
	call, ok := result.Tuple.(*ssa.Call)
	if !ok {
		return false
	}
	fn, args := ssautil.Callee(&call.Call)
	does := model.Lookup(fn)
	if does.Kind != model.Flight || does.Arg >= len(args) {
		return false
	}
	lit := ssautil.Literal(args[does.Arg])
	if lit == nil || lit.Signature.Results().Len() <= result.Index {
		return false
	}
	made := false
	for _, r := range Returns(lit) {
		x := ssautil.Unwrap(ssautil.ResultAt(r, result.Index))
		if ssautil.IsNil(x) {
			continue
		}
		if made = true; !Pure(x.Type()) && !f.Changes.Immutable(x.Type()) {
			return false
		}
	}
	return made
}

// unchanging reports whether v is an object that says the same for ever.
func (f *Func) unchanging(v ssa.Value) bool {
	return f.Changes.Immutable(v.Type()) || f.receivedMessage(v) || f.Changes.Constant(v.Type()) && onlyPut(v)
}

// receivedMessage reports whether v is a message that a call gives: what it says has been
// worked out there. One that is written here says what this caller has to say.
func (f *Func) receivedMessage(v ssa.Value) bool {
	_, written := v.(*ssa.Alloc)
	return !written && f.Changes.message(v.Type())
}

// stateless reports whether two literals that are made alike do the same: what they
// know of their function is its parameters, and values without identity.
func stateless(made *ssa.MakeClosure) bool {
	return !slices.ContainsFunc(made.Bindings, func(v ssa.Value) bool {
		if cell, ok := v.(*ssa.Alloc); ok {
			v = ssautil.SettledVariable(cell)
		}
		_, param := v.(*ssa.Parameter)
		return v == nil || !param && !Pure(v.Type())
	})
}

// startedWith reports whether a goroutine is started where an object is made.
func (f *Func) startedWith(v ssa.Value) bool {
	for x := range f.parts(v) {
		if call, ok := x.(*ssa.Call); ok && f.Starts(call) {
			return true
		}
	}
	return false
}

// onlyPut reports whether an object that is made here is filled, read and put
// into a map, and goes nowhere else: the function itself goes on with the values
// that it has filled in, and without the object.
func onlyPut(v ssa.Value) bool {
	made, ok := v.(*ssa.Alloc)
	if !ok {
		return false
	}
	read := false
	for _, r := range *made.Referrers() {
		fld, field := r.(*ssa.FieldAddr)
		switch {
		case field && !fills(fld):
			return false
		case !field && !putsIt(r, made):
			return false
		}
		read = read || field && slices.ContainsFunc(*fld.Referrers(), reads)
	}
	return read
}

func reads(use ssa.Instruction) bool {
	ld, ok := use.(*ssa.UnOp)
	return ok && ld.Op == token.MUL
}

// fills reports whether a field is stored to and read alone.
func fills(fld *ssa.FieldAddr) bool {
	return !slices.ContainsFunc(*fld.Referrers(), func(use ssa.Instruction) bool {
		st, ok := use.(*ssa.Store)
		return !reads(use) && !(ok && st.Addr == fld)
	})
}

// putsIt reports whether an instruction puts an object into a map.
func putsIt(r ssa.Instruction, made *ssa.Alloc) bool {
	switch r := r.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.MapUpdate:
		return r.Value == made
	case *ssa.MakeInterface:
		return !slices.ContainsFunc(*r.Referrers(), func(use ssa.Instruction) bool { return !putsBoxed(use, r) })
	}
	return false
}

// putsBoxed reports whether an instruction puts a value into a map, or into a
// concurrent one.
func putsBoxed(use ssa.Instruction, v ssa.Value) bool {
	switch use := use.(type) {
	case *ssa.MapUpdate:
		return use.Value == v
	case *ssa.Call:
		fn, args := ssautil.Callee(&use.Call)
		if fn == nil || len(args) != 3 || args[2] != v || !model.IsConcurrentMap(args[0].Type()) {
			return false
		}
		return fn.Signature().Results().Len() == 0
	}
	_, debug := use.(*ssa.DebugRef)
	return debug
}

// maxNesting bounds how deep a type is looked into.
const maxNesting = 4

// Pure reports whether values of type t have no identity: whichever goroutine
// made them, equal ones serve alike.
func Pure(t types.Type) bool { return pure(t, 0) }

func pure(t types.Type, depth int) bool {
	if depth > maxNesting {
		return false
	}
	if model.Immutable(t) {
		return true
	}
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Interface: // an error says what went wrong, and serves who asks as any equal one
		return types.Implements(t, errorType)
	case *types.Array:
		return pure(u.Elem(), depth+1)
	case *types.Slice:
		return pure(u.Elem(), depth+1)
	case *types.Struct:
		for i := range u.NumFields() {
			if !pureField(u.Field(i).Type(), depth+1) {
				return false
			}
		}
		return true
	}
	return false
}

// pureField is pure for the parts of a struct. A struct is a copy: maps,
// pointers and functions in it are part of what was computed. It has an
// identity only through a channel, an interface or a lock that it leads to.
func pureField(t types.Type, depth int) bool {
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Pointer:
		return !model.HoldsLock(u.Elem())
	case *types.Map, *types.Slice, *types.Signature:
		return true
	}
	return pure(t, depth)
}

var errorType = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

// Eager reports whether v, made here, is a resource that must be closed and
// that nothing here closes.
func Eager(v ssa.Value) bool {
	v = ssautil.Unwrap(v)
	if !madeHere(v) || !role.Closable(v.Type()) {
		return false
	}
	for _, r := range *v.Referrers() {
		if c, ok := r.(ssa.CallInstruction); ok {
			if fn, args := ssautil.Callee(c.Common()); fn != nil && len(args) > 0 && args[0] == v && role.Named(fn).Has(role.Closer) {
				return false
			}
		}
	}
	return true
}

func madeHere(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Extract:
		_, call := v.Tuple.(*ssa.Call)
		return call
	case *ssa.Call, *ssa.Alloc:
		return true
	}
	return false
}
