package witness

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A channel gives each of several workers objects of its own: what a worker does to the maps in them needs no lock as
// long as no one else comes there. Who starts the workers under a lock, and waits for them, keeps all others out.

// handedOut reports whether the map of an access is that of an object which a channel has given to the goroutine alone, and
// all else that comes to such a map waits for the lock that it has from its starter, or comes before or after.
func (j *Judge) handedOut(v *AccessVerdict) bool {
	path := v.Site.Acc.Path
	root := path.Root()
	if root.Kind != accesspath.Value || path.Base().Depth() > 0 || v.Site.Acc.Spawned || !j.Pkg.HandedOut(root.Val) {
		return false
	}
	if in, ok := root.Val.(ssa.Instruction); !ok || in.Parent() != v.Site.Func.SSA || !j.Pkg.HasOwnMap(path.LastField()) {
		return false
	}
	if j.besideWorker(v.Site.Func, v.Place.Loc, 0) {
		return false
	}
	return slices.ContainsFunc(v.Locks, func(lent locks.Held) bool {
		return lent.Lent && !slices.ContainsFunc(v.Place.Sites, func(b infer.Site) bool {
			own := b.Func == v.Site.Func && b.Acc.Path == path
			return needsLock(&b) && !own && !j.waitsFor(&b, lent) && !lentToo(&b, lent)
		})
	})
}

// lentToo reports whether an access is made by a goroutine that has the same lock from its starter.
func lentToo(b *infer.Site, lent locks.Held) bool {
	return b.Func != nil && slices.ContainsFunc(b.Held, func(h locks.Held) bool {
		return h.Lent && h.Lock.Location().Var == lent.Lock.Location().Var
	})
}

// maxAround bounds the calls from the start of a worker up to where its lock is taken.
const maxAround = 4

// besideWorker reports whether something comes to a place while a goroutine runs, of what the function does that starts it,
// or starts besides, and what callers of that do. Where it is started otherwise than by a go statement, nothing is known.
func (j *Judge) besideWorker(f *infer.Func, loc accesspath.Location, depth int) bool {
	sites := j.Pkg.CallersOf(f)
	if depth > maxAround || depth == 0 && len(sites) == 0 {
		return true
	}
	return slices.ContainsFunc(sites, func(s infer.CallSite) bool {
		if depth == 0 && s.Call.Start == nil {
			return true
		}
		return j.besideCall(s, f, loc) || j.besideWorker(s.Caller, loc, depth+1)
	})
}

// besideCall reports whether a function comes to a place while a call of it runs, or what that has started.
func (j *Judge) besideCall(s infer.CallSite, f *infer.Func, loc accesspath.Location) bool {
	at := func(a access.Access) bool { return a.Path.Location() == loc && a.Op.Uses() }
	comes := func(c *summary.Call) bool {
		g := j.Pkg.Lookup(c.Callee)
		return g != nil && g != f && slices.ContainsFunc(g.Accesses, at)
	}
	if start := s.Call.Start; start != nil {
		if slices.ContainsFunc(start.Beside, func(i int) bool { return at(s.Caller.Accesses[i]) }) {
			return true
		}
		if slices.ContainsFunc(start.After, func(i int) bool { return comes(&s.Caller.Calls[i]) }) {
			return true
		}
	}
	for i := range s.Caller.Calls {
		c := &s.Caller.Calls[i]
		if c.Start != nil && comes(c) && slices.ContainsFunc(c.Start.After, func(k int) bool { return &s.Caller.Calls[k] == s.Call }) {
			return true
		}
	}
	return false
}
