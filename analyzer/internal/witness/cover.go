package witness

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/guard"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/lockset"
)

// Covering returns the locks that both accesses hold without a break.
func (j *Judge) Covering(f *infer.Func, c, a *access.Access) []lockset.Held {
	var out []lockset.Held
	hc, ha := f.Effective(c), f.Effective(a)
	guarded := a.Op == access.Store
	if g := j.Guards.Of(a.Path.Location()); g != nil && c.Lifted && a.Lifted {
		_, atCheck := j.Guards.Holds(g, hc, c.Path)
		_, atAct := j.Guards.Holds(g, ha, a.Path)
		guarded = atCheck && atAct
	}
	for _, x := range ha {
		if !j.Guards.Protects(x, a.Path) {
			continue
		}
		for _, y := range hc {
			if x.Lock == y.Lock && x.Acq == y.Acq && (!guarded || j.excludesWriters(x, a)) {
				x.Mode = min(x.Mode, y.Mode)
				out = append(out, x)
			}
		}
	}
	return out
}

// excludesWriters reports whether a lock that covers check and act keeps those
// out that do the like, where the map has its own protection for each of the
// two. The map's guard does. So does any other lock of the same struct, unless
// somebody who can be called from anywhere inserts without it.
func (j *Judge) excludesWriters(h lockset.Held, a *access.Access) bool {
	loc, lock := a.Path.Location(), h.Lock.Location().Var
	g := j.Guards.Of(loc)
	if lock == nil || a.Op != access.Insert && a.Op != access.Store || g != nil && g.Lock == lock || !lock.IsField() || !j.Guards.Near(lock, loc.Var) {
		return true
	}
	pl := j.Place(loc)
	for i := range pl.Sites {
		s := &pl.Sites[i]
		if s.Exempt || s.AtStart || s.Acc.Joined || s.Acc.Op != a.Op || s.Func.Doc.CallerLocks || !s.Func.Ctx.Root || s.Func.IsLiteral() {
			continue
		}
		if !slices.ContainsFunc(s.Held, func(o lockset.Held) bool { return o.Lock.Location().Var == lock }) {
			return false
		}
	}
	return true
}

// Beside reports whether one of the locks stands in the struct of the map, of
// the same object, or at package level beside a package-level map.
func (j *Judge) Beside(locks []lockset.Held, path accesspath.Path) bool {
	v := path.Location().Var
	for _, h := range Near(locks, path) {
		if l := h.Lock.Location().Var; l != nil && v != nil && l.IsField() == v.IsField() && j.Guards.Near(l, v) {
			return true
		}
	}
	return false
}

// Doubtful reports whether the analysis cannot be sure that an access holds no
// lock that protects its map: the guard is held on some paths to it, or is a
// lock of a struct that the access does not show, or the access happens before
// the object is shared.
func (j *Judge) Doubtful(f *infer.Func, a *access.Access) bool {
	if f.AtStart(a) {
		return true
	}
	loc := a.Path.Location()
	g := j.Guards.Of(loc)
	if g != nil && g.How == guard.Used && !j.Guards.Applies(g, a.Path) {
		return true
	}
	for _, v := range f.Perhaps(a.Held) {
		if g != nil && v == g.Lock || g == nil && j.Guards.Near(v, loc.Var) {
			return true
		}
	}
	return false
}
