package infer

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/lockset"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A Context is what is known of the calls of a function.
type Context struct {
	// Entry are the locks that callers hold, in the function's own terms.
	Entry []lockset.Held
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
	// Stored: it is a literal that is kept in a field or a container.
	Stored bool
	// known: something of its callers has been worked out.
	known bool
}

// A Blame is a call without a lock that the callee needs: its documentation
// says so, or its other callers hold it.
type Blame struct {
	Caller, Callee *Func
	Pos            token.Pos
	Locks          []lockset.Held // in the callee's terms
	Call           *summary.Call
	// Others is the number of calls that do hold the lock.
	Others int
	// Sure: the caller is not a stored function, of which nobody knows when
	// it is called.
	Sure bool
}

// A site is one call of a function.
type site struct {
	caller *Func
	call   *summary.Call
}

// contexts computes the context of every function, callers first. Calls by
// functions whose own context is not known yet do not count at first, so that
// recursion does not spoil what its entry promises; from then on contexts only
// lose promises, so this ends. The bound is for pathological depth.
func (p *Package) contexts() {
	sites := p.sites()
	escaped := p.escapes()
	for _, f := range p.Funcs {
		f.Ctx.Root = p.isRoot(f, sites[f], escaped[f])
		f.Ctx.Escaped = f.Ctx.Root && !f.Doc.Public && (escaped[f] || f.SSA.Parent() != nil)
	}
	for _, f := range p.Funcs {
		f.Ctx.Stored = slices.ContainsFunc(sites[f], func(s site) bool { return s.call.Stored })
	}
	for range 12 {
		changed := false
		for _, f := range slices.Backward(p.order) {
			if p.update(f, sites[f]) {
				changed = true
			}
		}
		if !changed {
			break
		}
	}
	for _, f := range p.Funcs {
		p.blame(f, sites[f])
	}
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
		for i := range f.Calls {
			c := &f.Calls[i]
			if g := p.byKey[c.Callee]; g != nil {
				out[g] = append(out[g], site{f, c})
			}
		}
	}
	return out
}

// escapes finds the declared functions that are used as values outside of
// calls: they may be called at any time.
func (p *Package) escapes() map[*Func]bool {
	out := make(map[*Func]bool)
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				if _, call := instr.(ssa.CallInstruction); call {
					continue
				}
				for _, op := range instr.Operands(nil) {
					if fn, ok := (*op).(*ssa.Function); ok && fn.Object() != nil {
						if _, made := instr.(*ssa.MakeClosure); !made {
							out[p.byKey[accesspath.FuncKey(fn)]] = true
						}
					}
				}
			}
		}
	}
	delete(out, nil)
	return out
}

// isRoot reports whether f can be called by code that the package does not
// show: it is exported, its value escapes, or nothing here calls it.
func (p *Package) isRoot(f *Func, sites []site, escaped bool) bool {
	if f.SSA.Parent() != nil {
		return len(sites) == 0 || slices.ContainsFunc(sites, func(s site) bool { return s.call.Kind == summary.Escaped && !s.call.Option })
	}
	if escaped || len(sites) == 0 {
		return !isInit(f.SSA)
	}
	return f.Obj != nil && f.Doc.Public || f.SSA.Name() == "main"
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
	next := Context{Root: f.Ctx.Root, Escaped: f.Ctx.Escaped, Stored: f.Ctx.Stored, known: true}
	if isInit(f.SSA) {
		next.InitOnly = true
	} else if !f.Ctx.Root {
		next = p.meetSites(f, sites)
	}
	changed := !sameContext(f.Ctx, next)
	f.Ctx = next
	return changed
}

func sameContext(a, b Context) bool {
	return slices.Equal(a.Entry, b.Entry) && a.Owned == b.Owned && a.Foreign.Equal(b.Foreign) && slices.Equal(a.Maybe, b.Maybe) && a.InitOnly == b.InitOnly && a.OnceOnly == b.OnceOnly && a.known == b.known
}

// unclear reports whether nothing tells which locks are held at the call: a
// caller that itself may be called from anywhere, as a stored function is,
// and that takes none.
func (s site) unclear() bool {
	return s.caller.Ctx.Escaped && len(s.call.Held.Held()) == 0 && s.call.Kind != summary.Goroutine
}

// meetSites intersects what the call sites promise. Calls on objects that only
// the caller knows need no lock, and unclear ones tell nothing.
func (p *Package) meetSites(f *Func, sites []site) Context {
	next := Context{InitOnly: true, OnceOnly: true, Owned: ^ownership.Set(0)}
	var entries [][]lockset.Held
	for _, s := range sites {
		if !s.caller.Ctx.known {
			continue
		}
		c := s.call
		next.InitOnly = next.InitOnly && s.caller.Ctx.InitOnly && c.Kind != summary.Goroutine
		next.OnceOnly = next.OnceOnly && (c.Kind == summary.OnceOnly || s.caller.Ctx.OnceOnly && c.Kind == summary.Direct)
		owned := meetOwned(f, s, &next)
		if !owned && !s.caller.Ctx.InitOnly && c.Kind != summary.OnceOnly && !s.unclear() {
			entries = append(entries, p.entryAt(f, s))
		}
		if c.Kind == summary.Direct || c.Kind == summary.Deferred {
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
	next.Entry = entryOf(entries)
	return next
}

// entryOf intersects the locks held at the calls. Where most calls hold a lock
// that can be named in the callee, it is what the callee needs, and the others
// are to blame; a lock of unknown instance must be held at all.
func entryOf(entries [][]lockset.Held) []lockset.Held {
	var common []lockset.Held
	holding := 0
	for _, e := range entries {
		if len(e) == 0 {
			continue
		}
		if holding++; holding == 1 {
			common = e
		} else {
			common = intersect(common, e)
		}
	}
	if holding == len(entries) {
		return common
	}
	if 2*holding < len(entries) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(common), func(h lockset.Held) bool {
		return h.Lock.Root().Kind == accesspath.Place
	})
}

func intersect(a, b []lockset.Held) []lockset.Held {
	var out []lockset.Held
	for _, x := range a {
		for _, y := range b {
			if x.Lock == y.Lock {
				x.Mode = min(x.Mode, y.Mode)
				out = append(out, x)
				break
			}
		}
	}
	return out
}

// entryAt returns the locks held at a call site in the callee's terms.
func (p *Package) entryAt(f *Func, s site) []lockset.Held {
	held := s.caller.effective(s.call.Held)
	switch s.call.Kind {
	case summary.Goroutine:
		held = s.call.Around
	case summary.Escaped:
		return nil
	}
	var out []lockset.Held
	for _, h := range held {
		lock := p.translate(f, s, h.Lock)
		if !lock.Known() {
			continue
		}
		if i := slices.IndexFunc(out, func(o lockset.Held) bool { return o.Lock == lock }); i >= 0 {
			out[i].Mode = max(out[i].Mode, h.Mode)
			continue
		}
		out = append(out, lockset.Held{Lock: lock, Mode: h.Mode, Acq: lockset.Entry})
	}
	return out
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
	for i, arg := range s.call.Args {
		if arg.Known() && lock.HasPrefix(arg) {
			return p.Paths.Rebase(lock, arg, p.Paths.ParamOf(f.Key, i))
		}
	}
	loc := lock.Location()
	if !loc.Valid() {
		return accesspath.Path{}
	}
	return p.Paths.Root(accesspath.Root{Kind: accesspath.Place, Obj: loc.Var})
}

// blame finds the calls of f that lack a lock that its other calls hold.
func (p *Package) blame(f *Func, sites []site) {
	if f.Doc.CallerLocks {
		p.blameUndocumented(f, sites)
	}
	if len(f.Ctx.Entry) == 0 || f.Ctx.Root {
		return
	}
	holding := 0
	var lacking []site
	for _, s := range sites {
		if s.caller.Ctx.InitOnly || s.call.Kind == summary.OnceOnly || ownedReceiver(s) {
			continue
		}
		if len(intersect(f.Ctx.Entry, p.entryAt(f, s))) == 0 {
			lacking = append(lacking, s)
		} else {
			holding++
		}
	}
	for _, s := range lacking {
		p.Blames = append(p.Blames, Blame{
			Caller: s.caller, Callee: f, Pos: s.call.Pos, Locks: f.Ctx.Entry, Call: s.call, Others: holding,
			Sure: !s.caller.Ctx.Escaped,
		})
	}
}

// blameUndocumented notes every call of a function whose documentation or
// name asks for a lock. Which lock, and whether the call holds it, the checks
// decide by the guard of what the function accesses.
func (p *Package) blameUndocumented(f *Func, sites []site) {
	for _, s := range sites {
		if s.caller.Ctx.InitOnly || s.caller.Doc.CallerLocks || s.call.Kind == summary.OnceOnly || ownedReceiver(s) {
			continue
		}
		if s.call.Kind == summary.Escaped || len(p.entryAt(f, s)) > 0 {
			continue
		}
		p.Blames = append(p.Blames, Blame{Caller: s.caller, Callee: f, Pos: s.call.Pos, Call: s.call, Sure: !s.caller.Ctx.Escaped})
	}
}
