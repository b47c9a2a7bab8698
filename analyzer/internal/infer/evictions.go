package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A cacheField is an unexported field that alone has a cache of a library, of those that call a function when one of their
// methods drops an entry ([model.Evicts]): the package makes it for one object, and does nothing with it but to call its
// methods. So the function runs under what is held at each call that may drop an entry, of the object that has the cache.
type cacheField struct {
	leaks bool
	drops []dropCall
}

// A dropCall is a call of a cache's method that may drop entries, and the object whose cache that is.
type dropCall struct {
	by     *Func
	call   *ssa.Call
	object ssa.Value
}

// A dropped is what a cache calls when it drops an entry, and the object whose cache that is, as the function names it that sets it up.
type dropped struct {
	cache  *cacheField
	object ssa.Value
}

// evictions are the cache fields of a package, and to which of their caches method values go.
type evictions struct {
	p      *Package
	fields map[*types.Var]*cacheField
	given  map[ssa.Value][]dropped
}

// evicted finds the functions that run under what is held where a cache drops an entry, and reports whether there are some. It
// asks for the contexts of those who call the cache.
func (p *Package) evicted() bool {
	if !slices.ContainsFunc(p.Types.Imports(), func(pkg *types.Package) bool { return model.HasEvictors(pkg.Path()) }) {
		return false
	}
	e := p.evictions()
	found := false
	for _, f := range p.Funcs {
		if f.Is(role.Public) {
			continue
		}
		if held := e.heldAtDrops(f); len(held) > 0 {
			f.Ctx.Root = true // for the cache
			p.handed[f] = append(p.handed[f], held...)
			found = true
		}
	}
	return found
}

// heldAtDrops returns the locks that are held wherever a cache that gets the method f of its object may call it, in the terms of f; none
// if anything else gets it.
func (e *evictions) heldAtDrops(f *Func) []locks.Held {
	var entries [][]locks.Held
	for _, use := range e.p.usesOfFuncs()[f.SSA] {
		made, ok := use.(*ssa.MakeClosure)
		if !ok {
			return nil // a call
		}
		bound, m := ssautil.BoundMethod(made)
		to := e.given[made]
		if m == nil || len(to) != 1 || to[0].cache.leaks || to[0].object != bound {
			return nil // a literal, which speaks of its maker's objects, or another object's
		}
		for _, d := range to[0].cache.drops {
			held, ok := e.p.heldAtDrop(&d, e.p.Paths.ParamOf(f.Key, 0))
			if !ok {
				return nil
			}
			entries = append(entries, held)
		}
	}
	return meet(e.p.Paths.Table, entries)
}

// heldAtDrop returns what is held at a call that may drop entries, by the object's name where it is called back; false if that is not known.
func (p *Package) heldAtDrop(d *dropCall, object accesspath.Path) (out []locks.Held, ok bool) {
	at, ok := heldAtBorrower(d.by, d.call)
	from := p.Paths.Of(d.object)
	if !ok || !from.Known() {
		return nil, false
	}
	s := site{d.by, &summary.Call{Kind: summary.Direct, Point: pointOf(d.call), Held: at}}
	for _, h := range heldAtCall(s, d.by.Ctx.Entry) {
		lock := p.Paths.Rebase(h.Lock, from, object)
		if h.Lock.Root().Kind == accesspath.Global {
			lock = h.Lock
		}
		if lock.Known() {
			out = append(out, locks.Held{Lock: lock, Mode: h.Mode, Sec: locks.Entry.Of()})
		}
	}
	return out, true
}
