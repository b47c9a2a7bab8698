package witness

import (
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
)

// claimedByAll reports whether look and act of a pair are made under a mark, and all steps that matter to them are, too,
// as the package shows for sure: a mark keeps nothing out but who asks for it. One that there is for each key must be that
// of the entry.
func (j *Judge) claimedByAll(v *Verdict, mark accesspath.Path) bool {
	loc := v.Act.Path.Location()
	own := loc.Elems == 0 && (v.Concurrent() || j.Pkg.OwnMap(loc.Var) || j.Pkg.OwnVariable(loc.Var))
	stays := !mark.IsElem() || forEntry(mark, v.Act) && j.lasts(mark.Key()) || j.lasts(v.Act.Key)
	if !own || !stays || !j.Pkg.GivesBack(mark) || j.changedOnce(loc) {
		return false
	}
	named := naming{mark.Key(), v.Act.Key}
	if !j.claimedAt(v.Func, v.Check, mark, named) || !j.claimedAt(v.Func, v.Act, mark, named) {
		return false
	}
	return !slices.ContainsFunc(j.steps(v), func(s *infer.Site) bool {
		return !s.AtStart && !j.claimedAt(s.Func, s.Acc, mark, named) && !j.asked(s, mark, v.Act)
	})
}

// asked reports whether a step is made where the mark of the map's own object, under which an access is made, was found not to be
// set: who has set the mark is kept out as long as that is so.
func (j *Judge) asked(s *infer.Site, mark accesspath.Path, a *access.Access) bool {
	return !mark.IsElem() && mark.Parent() == a.Path.Parent() && j.Pkg.Asked(s.Func, s.Acc, mark.Location().Var)
}

// asksHolder reports whether an access is made where a mark is not set under which another one is made.
func (j *Judge) asksHolder(s, holder *infer.Site) bool {
	return slices.ContainsFunc(holder.Held, func(h locks.Held) bool {
		return locks.IsFlag(h.Lock) && j.claimedAt(holder.Func, holder.Acc, h.Lock, naming{}) && j.asked(s, h.Lock, holder.Acc)
	})
}

// markedOff reports whether an access is made under a mark of the map's object, a flag, and all others that conflict with it are,
// too, or ask for the mark.
func (j *Judge) markedOff(v *AccessVerdict) bool {
	loc, own := v.Place.Loc, v.Site.Acc
	if loc.Elems > 0 || !j.Pkg.OwnMap(loc.Var) && !j.Pkg.OwnVariable(loc.Var) || j.changedOnce(loc) {
		return false
	}
	return slices.ContainsFunc(v.Site.Held, func(h locks.Held) bool {
		if !locks.IsFlag(h.Lock) || !j.claimedAt(v.Site.Func, own, h.Lock, naming{}) {
			return false
		}
		return !slices.ContainsFunc(v.Place.Sites, func(b infer.Site) bool {
			conflicts := b.Acc.Op.Writes() || own.Op.Writes()
			return conflicts && needsLock(&b) && !j.claimedAt(b.Func, b.Acc, h.Lock, naming{}) && !j.asked(&b, h.Lock, own)
		})
	})
}

// changedOnce reports whether a map is changed by what runs once, and that when it pleases; or it is not known.
func (j *Judge) changedOnce(loc accesspath.Location) bool {
	pl := j.Place(loc)
	return pl == nil || slices.ContainsFunc(pl.Sites, func(s infer.Site) bool {
		return s.Exempt && s.Func.Ctx.OnceOnly && s.Acc.Op.Writes()
	})
}

// lasts reports whether a key stays what it is: the package sets no field that leads to it, but of an object that it makes.
func (j *Judge) lasts(key accesspath.Path) bool {
	for p := key; p.Known() && p.Depth() > 0; p = p.Parent() {
		if p.IsComputed() {
			if p.Key().Known() && !j.lasts(p.Key()) {
				return false
			}
			continue
		}
		if f := p.LastField(); f == nil || f.Pkg() == j.Pkg.Types && j.Pkg.SetLater(f) {
			return false
		}
	}
	return true
}

// forObject reports whether a mark is one of the object that has the map, of one around it that has the map's object to itself,
// or of a part of it: what a pointer or an entry leads to can be another object the next time, and one that others have, too.
func (j *Judge) forObject(mark, path accesspath.Path) bool {
	if mark.Root().Kind == accesspath.Global && !mark.Location().Var.IsField() {
		return true // there is one for all objects
	}
	if mark.ByValue() {
		return false // the mark of a copy
	}
	if path.HasPrefix(mark.Base()) {
		for p := path.Base(); p != mark.Base(); p = p.Parent() {
			part := p.LastField()
			if part == nil || p.IsElem() || !isStruct(part.Type()) && j.othersHave(part) {
				return false
			}
		}
		return true
	}
	object := path.Base()
	for p := mark.Base(); p.Known() && object.Known(); p = p.Parent() {
		if p == object {
			return true
		}
		part := p.LastField()
		if part == nil || p.IsElem() || !isStruct(part.Type()) {
			return false
		}
	}
	return false
}

// othersHave reports whether what a field leads to may be another object's, too: others can set the field, or the package gives
// it something that it has not just made.
func (j *Judge) othersHave(field *types.Var) bool {
	return field.Exported() || field.Pkg() != j.Pkg.Types || j.Pkg.GivenTo(field)
}

func isStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// forEntry reports whether an access concerns no other entries than a mark does: that for each key, the one entry under
// its key, or what lies in that.
func forEntry(mark accesspath.Path, a *access.Access) bool {
	if !mark.IsElem() || a.Key.Known() && a.Key == mark.Key() {
		return true
	}
	for p := a.Path; p.Known() && p.Depth() > 0; p = p.Parent() {
		if p.IsElem() && p.Key() == mark.Key() {
			return true
		}
	}
	return false
}

// A naming is how the name of a mark goes by the key of an entry: who has equal keys asks for equal names.
type naming struct{ name, key accesspath.Path }

// namedFor reports whether the name of a mark is made of the key of an access, which stays what it is, as in a naming.
func (j *Judge) namedFor(mark accesspath.Path, a *access.Access, as naming) bool {
	if !mark.IsElem() || !a.Key.Known() || !as.key.Known() || !j.lasts(a.Key) {
		return false
	}
	return j.Pkg.Paths.MadeAlike(mark.Key(), a.Key, as.name, as.key)
}

// claimedAt reports whether an access is made under such a mark as another one is, for its own entry: by its function, or by
// each one that calls that, if the package shows them all.
func (j *Judge) claimedAt(f *infer.Func, a *access.Access, mark accesspath.Path, as naming) bool {
	return f != nil && slices.ContainsFunc(f.Effective(a), func(o locks.Held) bool {
		same := o.Lock.Location() == mark.Location() && o.Lock.IsElem() == mark.IsElem() && o.Mode == locks.Write
		if !same || !forEntry(o.Lock, a) && !j.namedFor(o.Lock, a, as) {
			return false
		}
		one := o.Lock == mark && partOfVariable(mark)
		return (one || j.forObject(o.Lock, a.Path)) && j.Pkg.HeldFor(f, a.Held, o.Lock)
	})
}

// partOfVariable reports whether a mark is a part of a struct in a package-level variable: there is one by this name.
func partOfVariable(mark accesspath.Path) bool {
	if mark.Root().Kind != accesspath.Global || mark.IsElem() {
		return false
	}
	for p := mark.Base(); p.Known(); p = p.Base() {
		if loc := p.Location(); loc.Var == nil || loc.Elems > 0 || !isStruct(loc.Var.Type()) {
			return false
		}
	}
	return true
}
