package depend

import (
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Immutable reports whether t is a pointer to a struct of the package of which
// nothing shows that it changes once it is made, and that keeps something that was
// worth making: whichever goroutine has made it, it says the same for ever.
//
// What shows it is in the package: a field is stored to, or a map or slice in a
// field is changed, once the object is made; a map is made without entries and
// filled later; it is ended; it holds a lock, a channel, or a function or an interface that is
// called for what it does; it leads to something that changes. That other packages
// could write an exported field shows nothing. A struct of texts and numbers counts if the package
// never asks which of two it has.
func (c *Changes) Immutable(t types.Type) bool {
	st := c.unchanging(t, make(map[*types.TypeName]bool))
	return st != nil && (computed(st) || c.plain(t, st))
}

// plain reports whether t is a pointer to a struct of texts, and numbers or times beside them, which no other package
// can change, and of which this one never asks whether two pointers are one: it is what it says.
func (c *Changes) plain(t types.Type, st *types.Struct) bool {
	n, ok := types.Unalias(ssautil.Pointee(t)).(*types.Named)
	if !ok || st.NumFields() < 2 || c.compared[n.Origin().Obj()] {
		return false
	}
	texts := false
	for f := range st.Fields() {
		of := f.Type().Underlying()
		if list, ok := of.(*types.Array); ok {
			of = list.Elem().Underlying()
		}
		b, ok := of.(*types.Basic)
		if !ok && !model.Immutable(f.Type()) || f.Exported() && n.Obj().Exported() {
			return false
		}
		texts = texts || ok && b.Info()&types.IsString != 0
	}
	return texts
}

// message reports whether t is a pointer to a generated protocol-buffer message of which
// the package writes no field of one that is made: it is data, and says the same as
// any equal one.
func (c *Changes) message(t types.Type) bool {
	p, ok := types.Unalias(t).Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	return ok && !c.structs[n.Origin().Obj()] && model.Message(n)
}

// Constant is Immutable for bare structs, too, of which only the pointer could
// stand for itself: where nothing keeps it but the map, it does not.
func (c *Changes) Constant(t types.Type) bool {
	st := c.unchanging(t, make(map[*types.TypeName]bool))
	return st != nil && st.NumFields() > 0
}

// Unmarked reports whether t is a pointer to a struct of several fields of the package of which nothing shows
// that it changes once it is made, and of which the package never asks whether two pointers are one. Other packages
// may write its exported fields: that they do shows nothing.
func (c *Changes) Unmarked(t types.Type) bool {
	st := c.unchanging(t, make(map[*types.TypeName]bool))
	return st != nil && st.NumFields() > 1 && !c.compared[types.Unalias(ssautil.Pointee(t)).(*types.Named).Origin().Obj()]
}

// unchanging returns the struct of the package that t leads to, if nothing shows
// that its values change once they are made. Of a struct that leads to others of
// its type, the other fields tell.
func (c *Changes) unchanging(t types.Type, seen map[*types.TypeName]bool) *types.Struct {
	p, ok := types.Unalias(t).Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || n.Obj().Pkg() != c.pkg || c.structs[n.Origin().Obj()] || c.ended[n.Origin().Obj()] {
		return nil
	}
	st, ok := n.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	if name := n.Origin().Obj(); !seen[name] {
		seen[name] = true
		if !c.stateless(st, seen) {
			return nil
		}
	}
	return st
}

// computed reports whether a struct keeps something that was worth caching: a
// reference to what was made, not only a name or a number. A bare struct is as
// likely a token that stands for itself.
func computed(st *types.Struct) bool {
	for i := range st.NumFields() {
		t := st.Field(i).Type()
		if _, ok := types.Unalias(t).(*types.TypeParam); ok {
			continue // most likely a key or a plain value
		}
		switch t.Underlying().(type) {
		case *types.Pointer, *types.Map, *types.Slice, *types.Signature:
			return true
		case *types.Interface:
			if !ssautil.IsError(t) {
				return true
			}
		}
	}
	return false
}

// foreign reports whether t is a type of another package that need not be closed:
// what is kept of it is most likely as constant as the struct around it.
func foreign(t types.Type, pkg *types.Package) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != pkg && !role.Closable(types.NewPointer(t))
}

func (c *Changes) stateless(st *types.Struct, seen map[*types.TypeName]bool) bool {
	for i := range st.NumFields() {
		if !c.statelessField(st.Field(i).Type(), seen) {
			return false
		}
	}
	return true
}

func (c *Changes) statelessField(t types.Type, seen map[*types.TypeName]bool) bool {
	if model.Immutable(t) || model.NeedsNoLock(t) || ssautil.IsError(t) {
		return true // an atomic one changes where the package shows it
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		if seen[n.Origin().Obj()] {
			return true // of a type that leads to itself, the rest tells
		}
		seen[n.Origin().Obj()] = true
	}
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Slice:
		return c.statelessElem(u.Elem(), seen)
	case *types.Array:
		return c.statelessElem(u.Elem(), seen)
	case *types.Map:
		return c.statelessElem(u.Elem(), seen)
	case *types.Pointer:
		return foreign(u.Elem(), c.pkg) || c.unchanging(t, seen) != nil
	case *types.Signature:
		return answers(u)
	case *types.Interface:
		return !acts(t, u) && !c.implementedByState(u, seen)
	case *types.Struct:
		n, named := types.Unalias(t).(*types.Named)
		if named && n.Obj().Pkg() != c.pkg {
			return !Stateful(t, c.pkg) && !Stateful(types.NewPointer(t), c.pkg)
		}
		return !(named && c.structs[n.Origin().Obj()]) && !model.HoldsLock(t) && c.stateless(u, seen)
	}
	return false
}

// statelessElem is statelessField for what a slice, an array or a map holds. Objects
// of another package that are kept in numbers were made for the struct.
func (c *Changes) statelessElem(t types.Type, seen map[*types.TypeName]bool) bool {
	if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok && foreign(p.Elem(), c.pkg) {
		return !Stateful(t, c.pkg)
	}
	return c.statelessField(t, seen)
}

// answers reports whether a function is called for what it gives: it makes
// something of its arguments. One without arguments gives what it has counted, and
// one that gives nothing, or only how it went, is called for what it does.
func answers(sig *types.Signature) bool { return sig.Params().Len() > 0 && !performs(sig) }

// performs reports whether the results of a function say nothing, or only how it
// went: an error, a number with an error.
func performs(sig *types.Signature) bool {
	results := sig.Results()
	n := results.Len()
	if n > 0 && ssautil.IsError(results.At(n-1).Type()) {
		n--
	}
	return n == 0 || n == 1 && results.Len() == 2 && isNumber(results.At(0).Type())
}

// acts reports whether values of an interface are called for what they do, or must
// be closed. A method that takes nothing and gives nothing, and that no other package
// can call, only marks its type.
func acts(t types.Type, u *types.Interface) bool {
	for i := range u.NumMethods() {
		fn := u.Method(i)
		sig := fn.Signature()
		marks := !fn.Exported() && sig.Params().Len() == 0 && sig.Results().Len() == 0
		if performs(sig) && !marks && !role.Harmless(fn) {
			return true
		}
	}
	return role.Closable(t)
}

// implementedByState reports whether values of the package that change after they
// are made implement an interface with methods.
func (c *Changes) implementedByState(u *types.Interface, seen map[*types.TypeName]bool) bool {
	if u.NumMethods() == 0 || c.pkg == nil {
		return false
	}
	scope := c.pkg.Scope()
	return slices.ContainsFunc(scope.Names(), func(name string) bool {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() || types.IsInterface(tn.Type()) {
			return false
		}
		p := types.NewPointer(tn.Type())
		_, isStruct := tn.Type().Underlying().(*types.Struct)
		return isStruct && types.Implements(p, u) && c.unchanging(p, seen) == nil
	})
}
