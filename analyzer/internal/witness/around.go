package witness

import (
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
)

// keptOut reports whether, for each access that conflicts with this one, a lock is held here and there, at one of the two for writing:
// one by the map, of the same object; or one of an object around the map's own, on the way from that object, through which all that
// comes to the map comes then. It keeps the two apart, whatever the guard is there for.
func (j *Judge) keptOut(v *AccessVerdict) bool {
	around := j.locksAround(v.Place, v.Site)
	return len(v.Locks)+len(around) > 0 && !slices.ContainsFunc(v.Place.Sites, func(b infer.Site) bool {
		conflicts := b.Acc.Op.Writes() || v.Site.Acc.Op.Writes()
		return conflicts && needsLock(&b) && !j.KeptApart(v.Locks, v.Site.Acc, &b) && !j.apartAround(around, v.Place, &b)
	})
}

// apartAround reports whether one of the locks that are held around an access is held around another one, too.
func (j *Judge) apartAround(around []infer.Around, pl *infer.Place, b *infer.Site) bool {
	return len(around) > 0 && slices.ContainsFunc(j.locksAround(pl, b), func(o infer.Around) bool {
		return slices.ContainsFunc(around, func(h infer.Around) bool {
			return h.Lock.Location().Var == o.Lock.Location().Var && slices.Equal(h.Way, o.Way) && o.KeepsOut(h.Held)
		})
	})
}

// locksAround returns the locks of objects around the map's own that are held on all ways to an access, if no second object
// leads there in the same way: that would have another lock.
func (j *Judge) locksAround(pl *infer.Place, s *infer.Site) []infer.Around {
	if s.Func == nil || s.Imported() {
		return nil
	}
	all := j.Pkg.LocksAround(s.Func, s.Held, s.Acc.Path, func(f *infer.Func, path accesspath.Path) bool {
		return j.ownObjects(pl, f, path)
	})
	return slices.DeleteFunc(all, func(a infer.Around) bool { return !j.oneWay(a.Way) })
}

// oneWay reports whether one object alone leads to a map by some fields.
func (j *Judge) oneWay(way []*types.Var) bool {
	for i, field := range way {
		if i == len(way)-1 || field == nil {
			continue // its own map; or an element, of what the field before leads to
		}
		if _, part := field.Type().Underlying().(*types.Struct); !part && !j.Sharing.Threads.OneHolder(field) {
			return false
		}
	}
	return true
}

// ownObjects reports whether code outside can call a method, on a path to the map, only on objects that it makes itself, and these have no map:
// it is given to an object where the package makes that, and no such object leaves.
func (j *Judge) ownObjects(pl *infer.Place, f *infer.Func, path accesspath.Path) bool {
	field := pl.Loc.Var
	owner := path.Depth() == 0 || path.Depth() == 1 && path.LastField() == field
	return owner && path.Root().Index == 0 && j.Pkg.MadeWith(field) && j.Sharing.Threads.OnOwn(f, field.Origin())
}
