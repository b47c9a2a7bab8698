package witness

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Goroutines that have a lock from the one who starts them, and waits, take another one that it
// has made for them: that one keeps them apart, and all others have to wait for the first.

// keptApartByStarter reports whether the goroutines of an access are kept apart by a lock of their starter's.
func (j *Judge) keptApartByStarter(v *AccessVerdict) bool {
	return slices.ContainsFunc(v.Locks, func(lent locks.Held) bool {
		return lent.Lent && !slices.ContainsFunc(v.Place.Sites, func(b infer.Site) bool {
			return needsLock(&b) && !j.waitsFor(&b, lent) && !j.apartByLocal(v.Site, &b) && !j.Sharing.Threads.OwnElements(v.Site.Func, v.Site.Acc, b.Acc)
		})
	})
}

// callKeptApart is keptApartByStarter for a call: what other calls of the callee there are hold the lock
// for writing, or are made by such goroutines, too.
func (j *Judge) callKeptApart(v *CallVerdict) bool {
	at := func(b *infer.Blame) *infer.Site {
		a := v.Act
		if i := slices.IndexFunc(b.Caller.Accesses, func(c access.Access) bool { return c.At() == b.Pos && c.Path.Location() == a.Path.Location() }); i >= 0 {
			a = &b.Caller.Accesses[i]
		}
		return &infer.Site{Func: b.Caller, Acc: a, Held: b.Caller.EffectiveState(b.Call.Held)}
	}
	of, pl := at(v.Blame), j.Place(v.Act.Path.Location())
	elements := func(b *access.Access) bool { return j.Sharing.Threads.OwnElements(v.Blame.Callee, v.Act, b) }
	return slices.ContainsFunc(v.Blame.Locks, func(lent locks.Held) bool {
		return lent.Lent && !slices.ContainsFunc(j.Pkg.Blames, func(o infer.Blame) bool {
			return o.Callee == v.Blame.Callee && !j.apartByLocal(of, at(&o)) && !elements(v.Act)
		}) && !slices.ContainsFunc(pl.Sites, func(b infer.Site) bool {
			return b.Func != v.Blame.Callee && needsLock(&b) && !j.waitsFor(&b, lent) && !j.apartByLocal(of, &b) && !elements(b.Acc)
		})
	})
}

// waitsFor reports whether an access waits for the one who has lent a lock to a goroutine: it is made with that lock held,
// and not by those who have it lent.
func (j *Judge) waitsFor(b *infer.Site, lent locks.Held) bool {
	return slices.ContainsFunc(b.Held, func(h locks.Held) bool {
		return h.KeepsOut(lent) && h.Lock.Location().Var == lent.Lock.Location().Var && j.Guards.Protects(h, b.Acc.Path)
	})
}

// apartByLocal reports whether two accesses hold one lock for writing that the function has made, once in a run, which
// starts the goroutines of both; and one section of it, where one goroutine makes both.
func (j *Judge) apartByLocal(a, b *infer.Site) bool {
	return slices.ContainsFunc(a.Held, func(h locks.Held) bool {
		lock, ok := h.Lock.Root().Val.(*ssa.Alloc)
		if !ok || h.Mode != locks.Write || len(ssautil.Loops(lock.Block())) > 0 {
			return false
		}
		if !startedBy(a, lock) || !startedBy(b, lock) || j.meetsStarter(a, lock) {
			return false
		}
		return slices.ContainsFunc(b.Held, func(o locks.Held) bool {
			return o.Lock == h.Lock && o.Mode == locks.Write && (a.Func != b.Func || o.Sec.Same(h.Sec))
		})
	})
}

// meetsStarter reports whether the function that makes a variable comes to the map while the goroutine of an access runs.
func (j *Judge) meetsStarter(s *infer.Site, v *ssa.Alloc) bool {
	f := j.Pkg.Lookup(accesspath.FuncKey(v.Parent()))
	if f == nil {
		return true
	}
	for k := range f.Accesses {
		a := &f.Accesses[k]
		if a.Spawned || a.Joined || a.Path.Location() != s.Acc.Path.Location() {
			continue
		}
		if _, ok := j.Sharing.Threads.Meet(s, &infer.Site{Func: f, Acc: a, Held: f.Effective(a)}, nil); ok {
			return true
		}
	}
	return false
}

// startedBy reports whether an access is made by a goroutine of the function that makes a variable.
func startedBy(s *infer.Site, v *ssa.Alloc) bool {
	if s.Func == nil {
		return false
	}
	if s.Func.SSA == v.Parent() {
		return s.Acc.Spawned
	}
	for fn := s.Func.SSA.Parent(); fn != nil; fn = fn.Parent() {
		if fn == v.Parent() {
			return true
		}
	}
	return false
}
