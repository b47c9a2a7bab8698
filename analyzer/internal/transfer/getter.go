package transfer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A function that gives the lock that there is for a key may keep it in a map type of another package, each of whose methods takes a lock
// of its own: it looks by one method, and puts in what it has made by another. The lock that it gives is that of the map's entry if it
// puts one in only where it has found none, in one section of a lock, and the package changes the map in no other way.

// putByCall names a lock that a function makes, puts into such a map, and returns: as the map's entry. Unknown where it may be
// another one than that which others find there.
func (a *analysis) putByCall(r *ssa.Return, made ssa.Value) accesspath.Path {
	for _, use := range *made.Referrers() {
		put, ok := use.(*ssa.Call)
		if !ok || !ssautil.Dominates(put, r) {
			continue
		}
		entry := a.putBy(put, made)
		if entry.Known() && a.SolePut(entry.Parent().Parent().LastField(), put) && a.missedBefore(put, entry) {
			return entry
		}
	}
	return accesspath.Path{}
}

// putBy returns the entry that a call puts a value in, whatever it finds there; unknown if it does not.
func (a *analysis) putBy(put *ssa.Call, value ssa.Value) accesspath.Path {
	t := a.soleTarget(put)
	if t == nil {
		return accesspath.Path{}
	}
	if slices.ContainsFunc(t.sum.Accesses, func(acc access.Access) bool { return acc.Op.Writes() && acc.Op != access.Insert }) {
		return accesspath.Path{} // it may take other entries out
	}
	for i := range t.sum.Accesses {
		acc := &t.sum.Accesses[i]
		v := acc.Value.Root()
		given := v.Kind == accesspath.Param && acc.Value.Depth() == 0 && v.Index < len(t.args) && t.args[v.Index] == value
		if acc.Op == access.Insert && given && always(acc) {
			return a.Paths.Elem(a.substitute(acc.Path, *t, put), a.substitute(acc.Key, *t, put))
		}
	}
	return accesspath.Path{}
}

// always reports whether an access is made in any case, as far as its function tells.
func always(acc *access.Access) bool {
	asks := acc.Filled || acc.Validated || acc.Rechecked || acc.Alive
	return !asks && !acc.Once && acc.When == access.When{}
}

// soleTarget returns what a call runs, nil if that is not one function that is known.
func (a *analysis) soleTarget(call *ssa.Call) *target {
	e := a.effects[call]
	if e == nil || len(e.targets) != 1 || len(e.open) > 0 || e.targets[0].sum == nil {
		return nil
	}
	return &e.targets[0]
}

// missedBefore reports whether control comes to a call that fills an entry only where another one has found none there, in a section of
// a lock of what has the map, which all who come here take.
func (a *analysis) missedBefore(put *ssa.Call, entry accesspath.Path) bool {
	for b := put.Block().Idom(); b != nil; b = b.Idom() {
		look, side := a.missed(b, entry)
		if look != nil && ssautil.DominatesEdge(b, side, put.Block()) {
			return a.bySection(look, put, entry.Parent().Parent().Parent())
		}
	}
	return false
}

// missed returns the call by the truth of which a block's branch asks whether there is an entry, and the side on which there is none.
func (a *analysis) missed(b *ssa.BasicBlock, entry accesspath.Path) (*ssa.Call, int) {
	br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return nil, 0
	}
	cond, not := ssautil.Unnegated(br.Cond)
	x, ok := cond.(*ssa.Extract)
	if !ok {
		return nil, 0
	}
	look, ok := x.Tuple.(*ssa.Call)
	if !ok || !a.looksAt(look, x.Index, entry) {
		return nil, 0
	}
	if not {
		return look, 0
	}
	return look, 1
}

// looksAt reports whether a result of a call is true exactly where there is an entry.
func (a *analysis) looksAt(look *ssa.Call, result int, entry accesspath.Path) bool {
	t := a.soleTarget(look)
	if t == nil || result >= len(t.sum.Results) {
		return false
	}
	res := &t.sum.Results[result]
	if len(res.Checks) != 1 || res.Sense(0) != depend.TrueIfPresent {
		return false
	}
	acc := &t.sum.Accesses[res.Checks[0]]
	return acc.Op == access.Lookup && a.Paths.Elem(a.substitute(acc.Path, *t, look), a.substitute(acc.Key, *t, look)) == entry
}

// bySection reports whether a section of a lock covers two instructions: a lock that a package has, or the object that has the map: what
// leads to that object may be one of several that do.
func (a *analysis) bySection(from, to ssa.Instruction, object accesspath.Path) bool {
	now := a.stateAt(to)
	for _, h := range a.stateAt(from).Held() {
		common := h.Lock.LastField() != nil && h.Lock.Parent() == object || h.Lock.Root().Kind == accesspath.Global && h.Lock.Depth() == 0
		if common && h.Mode == locks.Write && now.Keeps(h) {
			return true
		}
	}
	return false
}
