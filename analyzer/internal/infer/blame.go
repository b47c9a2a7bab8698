package infer

import (
	"go/token"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A Blame is a call without a lock that the callee needs: its documentation
// says so, or its other callers hold it.
type Blame struct {
	Caller, Callee *Func
	Pos            token.Pos
	Locks          []locks.Held // in the callee's terms
	Call           *summary.Call
	// Others is the number of calls that do hold the lock.
	Others int
	// Declined: the callee takes the locks when it is told to, and the call
	// tells it not to.
	Declined bool
	// Read: the call holds the locks for reading alone.
	Read bool
	// Sure: the caller is not a stored function, of which it is unknown when
	// it is called, nor one that such functions alone call; nor is the callee's
	// value merely taken, of which it is unknown who calls it under which locks.
	Sure bool
}

// blame finds the calls of f that lack a lock that its other calls hold.
func (p *Package) blame(f *Func, sites []site) {
	if f.Is(role.CallerLocks) {
		p.blameUndocumented(f, sites)
	}
	if len(f.Ctx.Usual) == 0 || f.Ctx.Open() {
		p.blameDeclined(f, sites)
		return
	}
	holding := 0
	var lacking, reading []site
	for _, s := range sites {
		if s.caller.Ctx.InitOnly || s.call.Kind == summary.OnceOnly || ownedReceiver(f, s) {
			continue
		}
		if p.asks(f, s) || p.doubtful(f, s) || p.callerLocks(s.caller) {
			continue // the callee takes it itself, or it may be held, or the caller's callers must
		}
		held := shared(f.Ctx.Usual, p.entryAt(f, s, s.caller.Ctx.Usual))
		if len(held) == 0 {
			lacking = append(lacking, s)
			continue
		}
		holding++
		if len(onlyRead(held, f.Ctx.Usual)) > 0 {
			reading = append(reading, s)
		}
	}
	for _, s := range reading {
		held := onlyRead(p.entryAt(f, s, s.caller.Ctx.Usual), f.Ctx.Usual)
		p.Blames = append(p.Blames, Blame{
			Caller: s.caller, Callee: f, Pos: s.call.Pos, Locks: held, Call: s.call, Others: holding, Read: true, Sure: p.tells(s.caller),
		})
	}
	for _, s := range lacking {
		p.Blames = append(p.Blames, Blame{
			Caller: s.caller, Callee: f, Pos: s.call.Pos, Locks: f.Ctx.Usual, Call: s.call, Others: holding,
			Sure: p.tells(s.caller) && s.call.Kind != summary.Escaped,
		})
	}
}

// onlyRead returns the locks that are held for reading where they are usually
// held for writing.
func onlyRead(held, usual []locks.Held) []locks.Held {
	return slices.DeleteFunc(slices.Clone(held), func(h locks.Held) bool {
		return h.Mode != locks.Read || !slices.ContainsFunc(usual, func(u locks.Held) bool { return u.Lock == h.Lock && u.Mode == locks.Write })
	})
}

// Excludes reports whether by its arguments the call never comes to an access of
// the callee: add(k, false) does not do what add does if its last argument is true.
func (b *Blame) Excludes(a *access.Access) bool {
	if a.When.Param == 0 || a.When.Param > len(b.Call.Args) {
		return false
	}
	arg := b.Call.Args[a.When.Param-1].Root()
	return arg.Kind == accesspath.Const && !a.When.Allows(arg.Const)
}

// blameUndocumented notes every call of a function whose documentation or
// name asks for a lock. Which lock, and whether the call holds it, the checks
// decide by the guard of what the function accesses.
func (p *Package) blameUndocumented(f *Func, sites []site) {
	for _, s := range sites {
		if s.caller.Ctx.InitOnly || p.callerLocks(s.caller) || s.call.Kind == summary.OnceOnly || ownedReceiver(f, s) {
			continue
		}
		if s.call.Kind == summary.Escaped || p.asks(f, s) || p.doubtful(f, s) || len(p.entryAt(f, s, s.caller.Ctx.Usual)) > 0 {
			continue
		}
		p.Blames = append(p.Blames, Blame{Caller: s.caller, Callee: f, Pos: s.call.Pos, Call: s.call, Sure: p.tells(s.caller)})
	}
}

// Exclusive reports whether a call that holds the map's lock for reading holds another
// lock for writing, of a nearer object, from which it has what it hands to the callee:
// that one keeps others out.
func (b *Blame) Exclusive(a *access.Access) bool {
	r := a.Path.Root()
	if !b.Read || r.Kind != accesspath.Param || r.Fn != b.Callee.Key || r.Index >= len(b.Call.Args) {
		return false
	}
	arg, held := b.Call.Args[r.Index], b.Caller.EffectiveState(b.Call.Held)
	beside := func(lock accesspath.Path) bool {
		return slices.ContainsFunc(held, func(h locks.Held) bool { return h.Mode == locks.Read && h.Lock.Parent() == lock.Parent() })
	}
	return slices.ContainsFunc(held, func(h locks.Held) bool {
		of := h.Lock.Parent()
		return h.Mode == locks.Write && of.Known() && arg.HasPrefix(of) && !beside(h.Lock)
	})
}

// Given reports whether the call alone knows the object on which the callee makes
// an access: it passes it to the callee, and no other goroutine can reach it yet.
func (b *Blame) Given(a *access.Access) bool {
	r := a.Path.Root()
	if r.Kind != accesspath.Param || r.Fn != b.Callee.Key || r.Index >= len(b.Call.Owned) {
		return false
	}
	f := b.Call.Owned[r.Index]
	return b.Caller.owns(f.Own) && !f.Foreign.Leads(a.Path) && !f.At.Leads(a.Path)
}
