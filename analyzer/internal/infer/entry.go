package infer

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A promise is what is held at an entry. The order is that of implication: a lock
// held for writing promises more than one held for reading, and a lock of a named
// object more than "the lock of some object". Two promises that imply each other
// are equal; the top of the order is no call at all.

// meet returns what all calls promise: the greatest lower bound. At no call at
// all nothing is promised.
func meet(paths *accesspath.Table, entries [][]locks.Held) []locks.Held {
	if len(entries) == 0 {
		return nil
	}
	common := entries[0]
	for _, e := range entries[1:] {
		common = intersect(paths, common, e)
	}
	return common
}

// vote returns the locks that are usually held: at all calls, or at half of
// them or more, when every call that holds any lock holds it. A lock of which
// the callee does not know the instance must be held at all, and so must a semaphore,
// which no map's guard is and for which no caller is to blame. Any other lock that
// half of the calls or more hold for writing is to be held so. It also returns the
// number of calls that hold one.
func vote(paths *accesspath.Table, entries [][]locks.Held) ([]locks.Held, int) {
	holding := slices.DeleteFunc(slices.Clone(entries), func(e []locks.Held) bool { return len(e) == 0 })
	common := meet(paths, holding)
	for i := range common {
		if !locks.Token(common[i].Lock) && 2*writers(common[i].Lock, holding) >= len(holding) {
			common[i].Mode = locks.Write
		}
	}
	switch {
	case len(holding) == len(entries):
		return common, len(holding)
	case 2*len(holding) < len(entries):
		return nil, len(holding)
	}
	return slices.DeleteFunc(slices.Clone(common), func(h locks.Held) bool {
		return h.Lock.Root().Kind == accesspath.Place || locks.Token(h.Lock)
	}), len(holding)
}

// withEntry adds to the usual locks what every call promises: a call that tells
// nothing of what is usual may all the same hold it.
func withEntry(usual, entry []locks.Held) []locks.Held {
	for _, h := range entry {
		i := slices.IndexFunc(usual, func(o locks.Held) bool { return o.Lock == h.Lock || h.Lock.Vaguer(o.Lock) })
		if i < 0 {
			usual = append(slices.Clip(usual), h)
		}
	}
	return usual
}

// writers counts the calls that hold a lock for writing.
func writers(lock accesspath.Path, entries [][]locks.Held) int {
	n := 0
	for _, e := range entries {
		if slices.ContainsFunc(e, func(h locks.Held) bool { return (h.Lock == lock || lock.Vaguer(h.Lock)) && h.Mode == locks.Write }) {
			n++
		}
	}
	return n
}

// intersect returns what two entries both promise: their locks, in the weaker
// mode. Of one lock of two objects no more is promised than that of some object it
// is held. It is a meet: associative, commutative, idempotent.
func intersect(paths *accesspath.Table, a, b []locks.Held) []locks.Held {
	var out []locks.Held
	b = implied(paths, b)
	for _, x := range implied(paths, a) {
		if i := slices.IndexFunc(b, func(y locks.Held) bool { return x.Lock == y.Lock }); i >= 0 {
			x.Lent = x.Lent && b[i].Lent
			x.Mode = min(x.Mode, b[i].Mode)
			out = append(out, x)
		}
	}
	return slices.DeleteFunc(slices.Clone(out), func(h locks.Held) bool {
		return slices.ContainsFunc(out, func(o locks.Held) bool { return h.Lock.Vaguer(o.Lock) && o.Mode >= h.Mode })
	})
}

// implied returns all that an entry promises: its locks, and each that a named
// object has as one of some object.
func implied(paths *accesspath.Table, entry []locks.Held) []locks.Held {
	out := slices.Clone(entry)
	for _, h := range entry {
		named := h.Lock
		if h.Lock = placeOf(paths, named); !h.Lock.Vaguer(named) {
			continue
		}
		if i := slices.IndexFunc(out, func(o locks.Held) bool { return o.Lock == h.Lock }); i >= 0 {
			out[i].Mode = max(out[i].Mode, h.Mode)
		} else {
			out = append(out, h)
		}
	}
	return out
}

// shared returns the locks of one set that the other has, too, or may have: the
// one or the other may tell of no object whose lock it is. That is less than both
// promise, and no meet.
func shared(a, b []locks.Held) []locks.Held {
	var out []locks.Held
	for _, x := range a {
		i := slices.IndexFunc(b, func(y locks.Held) bool { return x.Lock == y.Lock })
		if i < 0 {
			i = slices.IndexFunc(b, func(y locks.Held) bool { return x.Lock.Vaguer(y.Lock) || y.Lock.Vaguer(x.Lock) })
		}
		if i < 0 {
			continue
		}
		if b[i].Lock.Vaguer(x.Lock) {
			x.Lock = b[i].Lock
		}
		x.Mode = min(x.Mode, b[i].Mode)
		if !slices.ContainsFunc(out, func(h locks.Held) bool { return h.Lock == x.Lock }) {
			out = append(out, x)
		}
	}
	return out
}

// entryAt returns the locks held at a call site in the callee's terms, where
// the caller is entered with the given ones.
func (p *Package) entryAt(f *Func, s site, entry []locks.Held) []locks.Held {
	held := heldAtCall(s, entry)
	switch s.call.Kind {
	case summary.Goroutine:
		held = append(p.lent(s, entry), s.call.Held.Held()...) // and those of who runs it there
	case summary.Escaped:
		held = s.call.Held.Held() // those of the runner
	}
	var out []locks.Held
	for _, h := range withOwners(p.behind, held) {
		for _, lock := range p.names(f, s, h.Lock) {
			if i := slices.IndexFunc(out, func(o locks.Held) bool { return o.Lock == lock }); i >= 0 {
				out[i].Mode, out[i].Lent = max(out[i].Mode, h.Mode), out[i].Lent || h.Lent
				continue
			}
			out = append(out, locks.Held{Lock: lock, Mode: h.Mode, Sec: locks.Entry.Of(), Lent: h.Lent})
		}
	}
	return append(out, p.takesAs(f, s)...)
}

// asks reports whether by the arguments of a call the callee takes a lock that
// it does not take in any case: num(true) asks for what num(false) expects of
// its caller. Such a call tells nothing of what callers hold. An argument that
// is not a constant may ask.
func (p *Package) asks(f *Func, s site) bool {
	for i := range f.Accesses {
		if taken, _ := onDemand(f, s, &f.Accesses[i]); len(taken) > 0 {
			return true
		}
	}
	return false
}

// declined returns the locks that the callee takes where its parameters say so,
// and that a call tells it by its arguments not to take.
func (p *Package) declined(f *Func, s site) []locks.Held {
	for i := range f.Accesses {
		if taken, declined := onDemand(f, s, &f.Accesses[i]); len(taken) == 0 && len(declined) > 0 {
			return declined
		}
	}
	return nil
}

// onDemand returns the locks that the callee holds at an access in some cases:
// those of the cases that the arguments of a call allow, and of those that they
// rule out.
func onDemand(f *Func, s site, a *access.Access) (taken, declined []locks.Held) {
	cases := a.Held.Cases()
	if len(cases) < 2 {
		return nil, nil
	}
	for _, c := range cases {
		some, possible := asked(f, s, c.When)
		for _, l := range c.Locks {
			switch h := (locks.Held{Lock: l.Path, Mode: l.Mode, Sec: locks.Entry.Of()}); {
			case !l.Must() || !some:
			case possible:
				taken = append(taken, h)
			default:
				declined = append(declined, h)
			}
		}
	}
	return taken, declined
}

// asked reports whether some of the conditions are on parameters, and whether
// those can hold with the arguments of a call.
func asked(f *Func, s site, when []locks.Cond) (some, possible bool) {
	possible = true
	for _, w := range when {
		r := w.Val.Root()
		if r.Kind != accesspath.Param || r.Fn != f.Key || w.Val.Depth() > 0 || r.Index >= len(s.call.Args) || w.Test != locks.True {
			continue // says nothing of the arguments
		}
		some = true
		if arg := s.call.Args[r.Index].Root(); arg.Kind == accesspath.Const && (arg.Const == "true") != w.Holds {
			possible = false
		}
	}
	return some, possible
}

// blameDeclined notes the calls that tell the callee not to take a lock, and do
// not hold it.
func (p *Package) blameDeclined(f *Func, sites []site) {
	for _, s := range sites {
		if s.caller.Ctx.InitOnly || s.call.Kind == summary.OnceOnly || s.call.Kind == summary.Escaped || s.caller.Is(role.CallerLocks) {
			continue // no other goroutine runs, or the caller's callers hold it
		}
		if ownedReceiver(f, s) || p.doubtful(f, s) || p.asks(f, s) {
			continue // no other goroutine knows the object; it may be held; it is taken
		}
		declined := p.declined(f, s)
		if len(declined) == 0 || len(shared(declined, p.entryAt(f, s, s.caller.Ctx.Usual))) > 0 {
			continue
		}
		p.Blames = append(p.Blames, Blame{Caller: s.caller, Callee: f, Pos: s.call.Pos, Locks: declined, Call: s.call, Sure: p.tells(s.caller), Declined: true})
	}
}

// doubtful reports whether a call holds no lock for sure but may hold one: it
// tells nothing of what callers hold.
func (p *Package) doubtful(f *Func, s site) bool {
	return len(s.call.Held.Perhaps()) > 0 && len(p.entryAt(f, s, s.caller.Ctx.Usual)) == 0
}
