package ssautil

import (
	"go/types"
	"strings"
)

// IsMap reports whether t is a map type, or a type parameter that stands for
// maps alone.
func IsMap(t types.Type) bool {
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Map:
		return true
	case *types.Interface:
		if tp, ok := types.Unalias(t).(*types.TypeParam); ok {
			return coreMap(tp, u)
		}
	}
	return false
}

// coreMap reports whether all types of the constraint are maps.
func coreMap(_ *types.TypeParam, u *types.Interface) bool {
	if u.NumEmbeddeds() == 0 {
		return false
	}
	for i := range u.NumEmbeddeds() {
		switch e := types.Unalias(u.EmbeddedType(i)).(type) {
		case *types.Union:
			for j := range e.Len() {
				if _, ok := e.Term(j).Type().Underlying().(*types.Map); !ok {
					return false
				}
			}
		default:
			if _, ok := e.Underlying().(*types.Map); !ok {
				return false
			}
		}
	}
	return true
}

// IsBool reports whether t is a boolean type.
func IsBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// IsStandard reports whether a package is one of the standard library: the
// first element of its path has no dot.
func IsStandard(p *types.Package) bool {
	first, _, _ := strings.Cut(p.Path(), "/")
	return !strings.Contains(first, ".")
}

// IsError reports whether t is the predeclared error type.
func IsError(t types.Type) bool { return types.Identical(t, errorNamed) }

var errorNamed = types.Universe.Lookup("error").Type()

// PointerLike reports whether values of type t are references that compare by
// identity.
func PointerLike(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Chan, *types.Map, *types.Signature:
		return true
	}
	return false
}

// Pointee returns what t points to, or t itself.
func Pointee(t types.Type) types.Type {
	if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// IsChan reports whether t is a channel.
func IsChan(t types.Type) bool {
	_, ok := t.Underlying().(*types.Chan)
	return ok
}

// ReplyField returns the index of the field by which a struct, or what t points to,
// brings a channel for an answer: the only one that is a channel; -1 if there is none.
func ReplyField(t types.Type) int {
	st, ok := Pointee(t).Underlying().(*types.Struct)
	if !ok {
		return -1
	}
	at := -1
	for i := range st.NumFields() {
		if IsChan(st.Field(i).Type()) {
			if at >= 0 {
				return -1
			}
			at = i
		}
	}
	return at
}
