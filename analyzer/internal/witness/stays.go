package witness

import (
	"go/constant"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Where all who put entries in do so only under keys that have none, an entry stays as it is until it is taken out. So
// what a goroutine has found there, it may take out in a later section, if it alone takes entries out.

// disturbs reports whether an access of others makes what stays until it is taken out another thing: those that only add
// entries do not; but what takes one out does, since another may be added then.
func (j *Judge) disturbs(s *infer.Site) bool {
	changes := s.Acc.Op.Writes() || s.Acc.Op == access.Atomic
	return changes && !j.adding[s.Acc.Stands()] && !addsAtomically(s.Acc)
}

// stays reports whether a pair takes out what it has found, each entry once, and whether its function does nothing else to
// the map in between. What the entry says must be all in the entry.
func (j *Judge) stays(v *Verdict) bool {
	c, a := v.Check, v.Act
	if !a.Op.Deletes() || v.Unlocked() && !v.Concurrent() || !j.closed(j.Place(a.Path.Location())) || c.Path != a.Path {
		return false
	}
	if named := a.Path.Location().Var; named.IsField() && !v.Concurrent() && !j.Pkg.OwnMap(named) {
		return false
	}
	check, act := c.Point.Instr(v.Func.SSA), a.Point.Instr(v.Func.SSA)
	if check == nil || act == nil || !(j.foundThere(v, check.Block()) || j.listed(v, check)) || !j.lastsAsIs(v) {
		return false
	}
	return !slices.ContainsFunc(v.Func.Accesses, func(x access.Access) bool {
		changes := x.Path.Location().Var == a.Path.Location().Var && x.Op != access.NilTest && (x.Op.Writes() || x.Op == access.Atomic)
		own := x.Point == a.Point && x.Op == a.Op // and the map that has become empty with it
		return changes && !own && v.Func.Flow.MayPrecede(c.Point, x.Point) && v.Func.Flow.ReachesPast(check.Block(), x.Point, a.Point)
	})
}

// foundThere reports whether a pair takes out one entry that it has just found, and looks again before the next one.
func (j *Judge) foundThere(v *Verdict, check *ssa.BasicBlock) bool {
	same := v.Act.Key.Known() && v.Act.Key == v.Check.Key
	present := entryLook(v.Check) && v.Check.Op != access.Atomic && v.Pair.Polarity == depend.Present
	return same && present && !v.Func.Flow.ReachesPast(check, v.Act.Point, v.Act.Point)
}

// lastsAsIs reports whether nothing but the map changes what a pair has found: an entry without pointers to what changes, or
// of which only its presence counts.
func (j *Judge) lastsAsIs(v *Verdict) bool {
	if v.presenceOnly() {
		return true
	}
	loc := v.Act.Path.Location()
	entry := loc.Var.Type()
	for range loc.Elems + 1 {
		m, ok := entry.Underlying().(*types.Map)
		if !ok {
			return false
		}
		entry = m.Elem()
	}
	entry = v.instance(entry)
	decides := v.Pair.Has(depend.Content) || v.Pair.Has(depend.Data)
	return depend.Pure(entry) || j.Pkg.Constant(entry) || !decides && j.Pkg.Opaque(entry)
}

// instance returns the type that a type parameter of a callee which makes the look stands for.
func (v *Verdict) instance(t types.Type) types.Type {
	param, ok := types.Unalias(t).(*types.TypeParam)
	call, isCall := v.Check.Point.Instr(v.Func.SSA).(ssa.CallInstruction)
	if !ok || !isCall {
		return t
	}
	if fn := call.Common().StaticCallee(); fn != nil && v.Check.Depth == 1 && param.Index() < len(fn.TypeArgs()) {
		return fn.TypeArgs()[param.Index()]
	}
	return t
}

// around returns the maps in which a map is that others hold; false if the package does not show that a map stays in there
// which has an entry: each is new where it is put in.
func (j *Judge) around(loc accesspath.Location) (places []*infer.Place, ok bool) {
	for loc.Elems > 0 {
		loc.Elems--
		pl := j.Place(loc)
		given := func(s infer.Site) bool { return inserts(s.Acc) && s.Acc.Stored != access.StoredIdentity }
		if !j.closed(pl) || slices.ContainsFunc(pl.Sites, given) {
			return nil, false
		}
		places = append(places, pl)
	}
	return places, true
}

// addsAtomically reports whether an access is one step that puts an entry in where there is none.
func addsAtomically(a *access.Access) bool {
	return a.Op == access.Atomic && a.Method == "LoadOrStore"
}

// listed reports whether the key of an act is out of a list of keys that a walk over the map has found, and no other, and
// which is made anew for each walk.
func (j *Judge) listed(v *Verdict, check ssa.Instruction) bool {
	next, _ := check.(*ssa.Next)
	if next == nil {
		return false
	}
	walk, ok := next.Iter.(*ssa.Range)
	list := v.Act.Key.Root().Val
	if !ok || list == nil || !v.Act.Key.IsElem() || v.Act.Key.Depth() > 1 {
		return false
	}
	l := &keyList{walk: walk, seen: make(map[ssa.Value]bool), carried: func(from *ssa.BasicBlock) bool {
		end := ssautil.PointOf(from.Instrs[len(from.Instrs)-1])
		return v.Func.Flow.ReachesPast(walk.Block(), v.Act.Point, end)
	}}
	return l.only(list)
}

// A keyList is a list of the keys that one walk over a map has found.
type keyList struct {
	walk *ssa.Range
	seen map[ssa.Value]bool
	// carried reports whether control comes from the act to the end of a block without a new walk.
	carried func(*ssa.BasicBlock) bool
}

// maxKeyList bounds the values that a list of keys has in turn.
const maxKeyList = 32

// only reports whether a value is nothing but a list of keys of the walk.
func (l *keyList) only(v ssa.Value) bool {
	if l.seen[v] {
		return true
	}
	if l.seen[v] = true; len(l.seen) > maxKeyList {
		return false
	}
	switch v := v.(type) {
	case *ssa.Const:
		return v.IsNil()
	case *ssa.MakeSlice:
		n, ok := ssautil.IntOf(v.Len)
		return ok && n == 0
	case *ssa.Slice:
		return l.emptied(v)
	case *ssa.Phi:
		return l.joins(v)
	case *ssa.Call:
		args, ok := ssautil.BuiltinCall(v, "append")
		return ok && len(args) == 2 && l.only(args[0]) && l.found(args[1])
	}
	return false
}

// joins reports whether all that a variable may hold is such a list, and none of it is left from before the walk.
func (l *keyList) joins(phi *ssa.Phi) bool {
	for i, e := range phi.Edges {
		_, empty := e.(*ssa.Const)
		if !empty && l.carried(phi.Block().Preds[i]) || !l.only(e) {
			return false
		}
	}
	return true
}

// emptied reports whether a slice is the beginning of another one, or of a new array, and has nothing in it.
func (l *keyList) emptied(s *ssa.Slice) bool {
	k, ok := s.High.(*ssa.Const)
	return ok && k.Value != nil && constant.Sign(k.Value) == 0
}

// found reports whether what is appended to a list is the key that the walk has come to.
func (l *keyList) found(more ssa.Value) bool {
	s, ok := more.(*ssa.Slice)
	if !ok {
		return false
	}
	args, ok := s.X.(*ssa.Alloc)
	if !ok || args.Comment != "varargs" {
		return false
	}
	for _, r := range *args.Referrers() {
		addr, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, use := range *addr.Referrers() {
			if st, ok := use.(*ssa.Store); ok && !l.isKey(st.Val) {
				return false
			}
		}
	}
	return true
}

// isKey reports whether a value is the key that the walk has come to.
func (l *keyList) isKey(v ssa.Value) bool {
	x, ok := v.(*ssa.Extract)
	if !ok || x.Index != 1 {
		return false
	}
	next, ok := x.Tuple.(*ssa.Next)
	return ok && next.Iter == ssa.Value(l.walk)
}
