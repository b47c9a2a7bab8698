package accesspath

import "go/types"

// A Location is an abstract shared place: a package-level variable or a
// struct field, or the elements so many levels below it (the inner maps of a
// map of maps are level 1).
type Location struct {
	Var   *types.Var
	Elems int
}

// Type returns the type of what stands at a valid place, as deep as the variable's type tells,
// and whether that is all the way.
func (l Location) Type() (t types.Type, known bool) {
	t = l.Var.Type()
	for range l.Elems {
		switch u := t.Underlying().(type) {
		case *types.Map:
			t = u.Elem()
		case *types.Slice:
			t = u.Elem()
		case *types.Array:
			t = u.Elem()
		default:
			return t, false
		}
	}
	return t, true
}

// Valid reports whether l denotes a place.
func (l Location) Valid() bool { return l.Var != nil }

// Location returns the place that p denotes: its last field with the elements
// that follow, or its package-level variable. Local variables have none.
func (p Path) Location() Location {
	elems := 0
	for n := p.n; n != nil; n = n.parent {
		switch {
		case n.field != nil:
			return Location{n.field, elems}
		case n.parent != nil:
			elems++
		case n.root.Kind == Global || n.root.Kind == Place:
			if v, ok := n.root.Obj.(*types.Var); ok {
				return Location{v, elems}
			}
		}
	}
	return Location{}
}
