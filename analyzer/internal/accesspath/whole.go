package accesspath

import "go/types"

// OtherWhole returns the fields by which two paths show that they lead to parts of two objects: both come to the same
// field of a part that is held by value, p by the first of these, q by the second. Two structs that embed one, each in
// itself, have no part in common; neither have two fields of one struct. Where a path begins at the part itself, nothing
// tells which struct it lies in, and a pointer may lead into any.
func (p Path) OtherWhole(q Path) (a, b *types.Var, ok bool) {
	if !p.Location().Valid() || p.Location() != q.Location() {
		return nil, nil, false
	}
	for p, q = p.Base(), q.Base(); p.Within() && q.Within(); p, q = p.Parent(), q.Parent() {
		if a, b = p.LastField().Origin(), q.LastField().Origin(); a != b {
			return a, b, true
		}
	}
	return nil, nil, false
}

// Within reports whether the last step of a path leads to a struct that lies within the one before.
func (p Path) Within() bool {
	f := p.LastField()
	if f == nil {
		return false
	}
	_, within := f.Type().Underlying().(*types.Struct)
	return within
}

// Neighbours reports whether two paths come to the same field of two objects that stand in two fields of one struct.
func (p Path) Neighbours(q Path) bool {
	if !p.Location().Valid() || p.Location().Var != q.Location().Var {
		return false
	}
	p, q = p.Base(), q.Base()
	a, b := p.LastField(), q.LastField()
	return a != nil && b != nil && a != b && p.Parent() == q.Parent()
}
