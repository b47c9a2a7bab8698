package threads

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
)

// alike reports whether two paths, given in the terms of two functions, can name
// one place: they end in the same fields, as far as both say.
func alike(a, b accesspath.Path) bool {
	if a.Location() != b.Location() {
		return false
	}
	for a, b = a.Trunk(), b.Trunk(); a.Depth() > 0 && b.Depth() > 0; a, b = a.Parent(), b.Parent() {
		x, y := a.LastField(), b.LastField()
		if x == nil || y == nil {
			return x == y // an element, and perhaps a variable that holds it
		}
		if x != y {
			return false
		}
	}
	return true
}

// likeOnly reports whether all that two visits have in common is that others can know their
// objects: neither goroutine comes with an object of which the other's is a method.
func (t *Theory) likeOnly(a, b *Visit) bool {
	related := a.Thread == b.Thread || t.parent(a.Thread, b.Thread) || t.parent(b.Thread, a.Thread)
	if related || t.handsOut(a, b) || t.handsOut(b, a) {
		return false
	}
	if _, common := t.siblings(a, b); common {
		return false
	}
	return a.Path.Root().Kind != accesspath.Global && b.Path.Root().Kind != accesspath.Global
}

// serves reports whether the thread of a visit goes on for as long as the object of a method's
// receiver is in use, on which the visit works at p, and s is a method of the same object.
func (t *Theory) serves(v *Visit, p accesspath.Path, s *infer.Site) bool {
	return ofMethod(p) && ofMethod(s.Acc.Path) && p.Depth() == s.Acc.Path.Depth() && t.goesOn(v.Thread)
}

// comesWith reports whether the object of a visit is made where its thread starts, or on the way
// up from there.
func (t *Theory) comesWith(v *Visit) bool {
	return slices.ContainsFunc(t.up(v.Thread).frames, func(fr *frame) bool {
		p := t.at(v.Path, fr)
		return p.Known() && t.makesAll(p)
	})
}

// handsOut reports whether one thread begins where an object is made, and another one in a
// method of such an object, which reaches what both work on by as many steps.
func (t *Theory) handsOut(made, method *Visit) bool {
	if !t.comesWith(made) {
		return false
	}
	depth := func(v *Visit, is func(accesspath.Path) bool) (int, bool) {
		for _, fr := range t.up(v.Thread).frames {
			if p := t.at(v.Path, fr); p.Known() && is(p) {
				return p.Depth(), true
			}
		}
		return 0, false
	}
	x, makes := depth(made, t.makesAll)
	y, called := depth(method, ofMethod)
	return makes && called && x == y
}

// ofMethod reports whether a path begins at a method's receiver.
func ofMethod(p accesspath.Path) bool {
	return p.Root().Kind == accesspath.Param && receiver(p.Root())
}

// goesOn reports whether a goroutine goes on until it is told to stop, by what it runs or
// by what runs that.
func (t *Theory) goesOn(th *Thread) bool {
	return th.Target != nil && (th.call != nil && th.call.Repeats || t.pkg.Serves(th.Target))
}
