package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A Context is what is known of the calls of a function.
type Context struct {
	// Entry are the locks that every caller holds, in the function's own terms.
	Entry []locks.Held
	// Usual are those that callers usually hold, Entry among them: calls that
	// lack one are to blame. Calls is the number of calls that count, and
	// HeldAt that of those that hold them.
	Usual         []locks.Held
	Calls, HeldAt int
	// Maybe are the locks, by variable or field, that some caller holds on
	// some paths only.
	Maybe []*types.Var
	// Owned are the inputs whose objects only the caller knows at every call,
	// apart from what lies behind the fields in Foreign.
	Owned   ownership.Set
	Foreign ownership.Fields
	// InitOnly: it runs only while the package is initialised.
	InitOnly bool
	// OnceOnly: it runs at most once.
	OnceOnly bool
	// Root: it can be called from anywhere.
	Root bool
	// Escaped: its value goes where it may be called at any time.
	Escaped bool
	// Outer: other packages call it, and all calls there are known. Dead: nothing
	// that runs refers to it. Idle: the package does not show who calls it, if anything does.
	Outer, Dead, Idle bool
	// Stored: it is a literal that is kept in a field or a container.
	Stored bool
	// ValueOnly: its value goes somewhere, and nothing in the package but tests calls it by its name.
	ValueOnly bool
	// known: something of its callers has been worked out.
	known bool
}

// Open reports whether code that the package does not show calls the function.
func (c *Context) Open() bool { return c.Root || c.Outer }

// A site is one call of a function.
type site struct {
	caller *Func
	call   *summary.Call
}

// contexts computes the context of every function, callers first. Calls by
// functions whose own context is not known yet do not count at first, so that
// recursion does not spoil what its entry promises; from then on contexts only
// lose promises, so this ends. What is usual is a vote, which may swing: after
// a few rounds it too may only lose. Should the bound cut all the same, nothing
// is known of the callers of what still changes.
func (p *Package) contexts() {
	sites := p.sites()
	p.roots(sites)
	p.findUntold(sites)
	p.handOver(sites)
	p.watched(sites)
	p.settle(sites)
	if p.loaned(sites) {
		p.settle(sites)
	}
	if p.listed(sites) {
		p.findUntold(sites)
		p.settle(sites)
	}
	p.findTogether(sites)
	for _, f := range p.Funcs {
		p.blame(f, sites[f])
	}
}

const (
	votingRounds  = 4
	contextRounds = 64
)

// settle goes round until no context changes. A context depends on those of the
// callers, so one is worked out again only when one of these has changed.
func (p *Package) settle(sites map[*Func][]site) {
	stale := make(map[*Func]bool, len(p.order))
	for _, f := range p.order {
		stale[f] = true
	}
	for round := range contextRounds {
		changed := false
		for _, f := range slices.Backward(p.order) {
			changed = p.renew(f, sites[f], stale, round >= votingRounds) || changed
		}
		if !changed {
			return
		}
	}
	for _, f := range p.order {
		before := f.Ctx
		if p.update(f, sites[f]) {
			before.Entry, before.Usual = nil, nil
			before.Owned, before.Foreign, before.InitOnly, before.OnceOnly = 0, ownership.Fields{}, false, false
			f.Ctx = before
			f.Cuts = append(f.Cuts, "contexts of callers that do not settle")
		}
	}
}

// renew brings the context of f up to date where it is stale, and marks those that
// depend on it. With lose, what is usual only loses. It reports whether what the
// calls tell differs from the context as it was.
func (p *Package) renew(f *Func, sites []site, stale map[*Func]bool, lose bool) (changed bool) {
	before := f.Ctx
	if stale[f] {
		stale[f] = false
		changed = p.update(f, sites)
	}
	if told := f.Ctx.Usual; lose && before.known {
		f.Ctx.Usual = intersect(p.Paths.Table, told, before.Usual)
		stale[f] = !slices.Equal(told, f.Ctx.Usual) // next time, the calls tell the same again
	}
	if sameContext(before, f.Ctx) && before.Escaped == f.Ctx.Escaped {
		return changed
	}
	for i := range f.Calls {
		if g := p.byKey[f.Calls[i].Callee]; g != nil {
			stale[g] = true
		}
	}
	return changed
}

// sites returns the calls of each function. Calls are known once summaries are,
// so they are collected once.
func (p *Package) sites() map[*Func][]site {
	if p.calls != nil {
		return p.calls
	}
	out := make(map[*Func][]site)
	p.calls = out
	for _, f := range p.Funcs {
		if f.Ctx.Dead {
			continue
		}
		for i := range f.Calls {
			c := &f.Calls[i]
			if g := p.byKey[c.Callee]; g != nil && (!f.Ctx.Idle || g.Ctx.Idle) {
				out[g] = append(out[g], site{f, c})
			}
		}
	}
	return out
}

func isInit(fn *ssa.Function) bool {
	if fn.Signature.Recv() != nil || fn.Parent() != nil {
		return false
	}
	if obj, ok := fn.Object().(*types.Func); ok {
		return obj.Name() == "init"
	}
	return fn.Name() == "init"
}

// update recomputes f's context from its call sites.
func (p *Package) update(f *Func, sites []site) bool {
	next := Context{Root: f.Ctx.Root, Escaped: f.Ctx.Escaped, Stored: f.Ctx.Stored, ValueOnly: f.Ctx.ValueOnly, known: true}
	next.Entry = p.handed[f]
	next.Usual = next.Entry
	if isInit(f.SSA) {
		next.InitOnly = true
	} else if !f.Ctx.Root {
		outer := p.outerSites(f)
		next = p.meetSites(f, append(outer[:len(outer):len(outer)], sites...))
		if f.Ctx.Outer { // none of the others is to blame
			next.Usual, next.HeldAt, next.Calls = next.Entry, 0, 0
		}
	}
	next.Outer, next.Dead, next.Idle = f.Ctx.Outer, f.Ctx.Dead, f.Ctx.Idle
	changed := !sameContext(f.Ctx, next)
	f.Ctx = next
	return changed
}

func sameContext(a, b Context) bool {
	return slices.Equal(a.Entry, b.Entry) && slices.Equal(a.Usual, b.Usual) && a.Owned == b.Owned && a.Foreign.Equal(b.Foreign) &&
		slices.Equal(a.Maybe, b.Maybe) && a.InitOnly == b.InitOnly && a.OnceOnly == b.OnceOnly && a.known == b.known
}

// unclear reports whether nothing tells which locks are held at the call: a
// caller that itself may be called from anywhere, as a stored function is,
// and that has and takes none.
func (s site) unclear() bool {
	return s.caller.Ctx.Escaped && len(s.caller.Ctx.Entry)+len(s.call.Held.Held()) == 0 && s.call.Kind != summary.Goroutine
}

// findUntold finds the functions that stored functions alone call, without a lock.
func (p *Package) findUntold(sites map[*Func][]site) {
	p.untold = make(map[*Func]bool)
	for _, f := range p.Funcs {
		p.untold[f] = !f.Ctx.Open() && len(sites[f]) > 0 && !slices.ContainsFunc(sites[f], func(s site) bool { return !s.unclear() })
	}
}

// tells reports whether the package shows anything of the locks with which f is
// called: it is no stored function, and not such functions alone call it.
func (p *Package) tells(f *Func) bool { return !f.Ctx.Escaped && !p.untold[f] }

// meetSites intersects what the call sites promise. Calls on objects that only
// the caller knows need no lock, and unclear ones tell nothing.
func (p *Package) meetSites(f *Func, sites []site) Context {
	next := Context{InitOnly: true, OnceOnly: true, Owned: ^ownership.Set(0)}
	told := p.toldByOthers(f, sites)
	var entries, usual, unneeded [][]locks.Held
	for _, s := range sites {
		if !s.caller.Ctx.known {
			continue
		}
		c := s.call
		initial := s.caller.Ctx.InitOnly && c.Kind != summary.Goroutine && c.Kind != summary.Escaped
		next.InitOnly = next.InitOnly && initial
		next.OnceOnly = next.OnceOnly && (c.Kind == summary.OnceOnly || s.caller.Ctx.OnceOnly && c.Kind == summary.Direct)
		owned := p.meetOwned(f, s, &next)
		alone := owned || initial || c.Kind == summary.OnceOnly
		tells := !s.unclear() && !(told && p.callerLocks(s.caller))
		if alone {
			unneeded = append(unneeded, p.entryAt(f, s, s.caller.Ctx.Entry))
		} else if tells {
			entries = append(entries, p.entryAt(f, s, s.caller.Ctx.Entry))
			if !p.asks(f, s) && !p.doubtful(f, s) && !p.untold[s.caller] {
				usual = append(usual, p.entryAt(f, s, s.caller.Ctx.Usual))
			}
		}
		if c.Kind.InPlace() {
			for _, v := range s.caller.Perhaps(c.Held) {
				if !slices.Contains(next.Maybe, v) {
					next.Maybe = append(next.Maybe, v)
				}
			}
		}
		next.known = true
	}
	if !next.known {
		return Context{}
	}
	if len(entries) == 0 {
		entries = unneeded // for what others reach through the object
	}
	next.Entry = meet(p.Paths.Table, entries)
	next.Usual, next.HeldAt = vote(p.Paths.Table, usual)
	next.Usual = withEntry(next.Usual, next.Entry)
	next.Calls = len(usual)
	return next
}

// toldByOthers reports whether callers that are not documented to be called with
// a lock hold one. Of one that is, its own callers must be asked, and what the
// package shows of it may be less than what it is promised: if it lacks the lock,
// its callers are to blame.
func (p *Package) toldByOthers(f *Func, sites []site) bool {
	return slices.ContainsFunc(sites, func(s site) bool {
		return s.caller.Ctx.known && !p.callerLocks(s.caller) && len(p.entryAt(f, s, s.caller.Ctx.Usual)) > 0
	})
}

// translate expresses a lock of the caller in the callee's terms. A lock that
// the callee cannot reach from its parameters is known by its place alone.
func (p *Package) translate(f *Func, s site, lock accesspath.Path) accesspath.Path {
	if f.SSA.Parent() != nil {
		return lock // a literal speaks of its maker's paths
	}
	r := lock.Root()
	if r.Kind == accesspath.Global || r.Kind == accesspath.Place {
		return lock
	}
	if l := p.express(f, s, lock); l.Known() {
		return l
	}
	return placeOf(p.Paths.Table, lock)
}
