package accesspath

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// OneWith reports whether who claims a flag is the only one to do so for what p denotes: the flag belongs to the object
// from which p leads on, or to the package, or both are of one activation of a function. It may be in another object to which
// a field of that one points which is fixed: it is not set once its object is made, so that there is one flag for each.
func (p Path) OneWith(flag Path, fixed func(field *types.Var) bool) bool {
	if !flag.Known() || !p.Known() {
		return false
	}
	switch r := flag.Root(); {
	case flag.Depth() == 0 && r.Kind == Value:
		return p.Root().Kind == Value
	case r.Kind == Global:
		return !flag.throughElem()
	case flag.Depth() == 0:
		return p.Root() == r
	}
	owner := flag.Parent()
	for f := owner.LastField(); f != nil; f = owner.LastField() {
		_, part := f.Type().Underlying().(*types.Struct)
		_, pointer := f.Type().Underlying().(*types.Pointer)
		if !part && !(pointer && fixed(f)) {
			break
		}
		owner = owner.Parent()
	}
	return p.HasPrefix(owner)
}

// throughElem reports whether p leads through an element.
func (p Path) throughElem() bool {
	for ; p.Depth() > 0; p = p.Parent() {
		if p.IsElem() {
			return true
		}
	}
	return false
}

// Lasts reports whether p names one object wherever the given values, at which p and the keys on
// the way may begin, stay the same: no element on the way has a key that is not known.
func (p Path) Lasts(stays func(ssa.Value) bool) bool {
	for up := p; up.Depth() > 0; up = up.Parent() {
		key := up.Key()
		if key.Known() && !key.Lasts(stays) || up.IsElem() && !key.Known() {
			return false
		}
	}
	r := p.Root()
	return p.Known() && (r.Kind != Value || stays(r.Val))
}

// Vaguer reports whether p is the lock q in an object that is not known.
func (p Path) Vaguer(q Path) bool {
	return p != q && p.Root().Kind == Place && p.Depth() == 0 && p.Location() == q.Location()
}
