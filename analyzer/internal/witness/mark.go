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
	if !forObject(mark, v.Act.Path) || !forEntry(mark, v.Check) || !forEntry(mark, v.Act) {
		return false
	}
	return !slices.ContainsFunc(j.steps(v), func(s *infer.Site) bool { return !s.AtStart && !claimedAt(s, mark) })
}

// forObject reports whether a mark is one of the object that has the map, of one around it, or of a part of it: what a
// pointer or an entry leads to can be another object the next time.
func forObject(mark, path accesspath.Path) bool {
	if path.HasPrefix(mark.Base()) {
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

// claimedAt reports whether an access is made under such a mark as another one is, for its own entry.
func claimedAt(s *infer.Site, mark accesspath.Path) bool {
	if s.Func == nil {
		return false
	}
	return slices.ContainsFunc(s.Acc.Held.Over(s.Func.Ctx.Entry), func(o locks.Held) bool {
		same := o.Lock.Location() == mark.Location() && o.Lock.IsElem() == mark.IsElem() && o.Mode == locks.Write
		return same && forObject(o.Lock, s.Acc.Path) && forEntry(o.Lock, s.Acc)
	})
}
