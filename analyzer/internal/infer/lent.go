package infer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// lent returns the locks that are held as long as a goroutine runs: its
// starter, who waits for it; or the starter's callers, whose locks it does not
// give up before that wait. They keep out who is not part of this: another
// thread with the lock comes before the start or after the wait. They do not keep
// the goroutines apart that run under one hold of the lock: where these are at
// one map, it is as good as a read lock.
func (p *Package) lent(s site, entry []locks.Held) []locks.Held {
	c := s.call
	held := slices.Clone(c.Around)
	if c.Start != nil && !c.Until.IsTop() {
		for _, e := range entry {
			known := slices.ContainsFunc(held, func(h locks.Held) bool { return h.Lock == e.Lock })
			if c.Until.Of(e.Lock).Can&locks.Left == 0 && !known {
				held = append(held, e)
			}
		}
	}
	if len(held) > 0 && (c.Many && !p.takesTurns(s) || p.contended(s)) {
		for i := range held {
			held[i].Lent = held[i].Lent || held[i].Mode == locks.Write
			held[i].Mode = locks.Read
		}
	}
	return append(held, c.Given...)
}

// takesTurns reports whether the goroutines of one start change maps, and hold a lock of the one who starts
// them wherever they do, over look and act, while that one keeps away from these maps: it keeps apart those that
// have a hold of another lock in common.
func (p *Package) takesTurns(s site) bool {
	f := p.byKey[s.call.Callee]
	if f == nil || len(f.Cuts) > 0 || p.joinsIn(s, f) {
		return false
	}
	writes := false
	for i := range f.Accesses {
		a := &f.Accesses[i]
		if a.Fresh || !a.Op.Writes() || a.Op.Concurrent() {
			continue
		}
		writes = true
		for j := range f.Accesses {
			b := &f.Accesses[j]
			if b.Path == a.Path && b.Op.Uses() && !inTurn(b, p.common(s, f, b), p.common(s, f, a)) {
				return false
			}
		}
	}
	return writes
}

// inTurn reports whether locks keep a change and another access apart in different goroutines; a look, on which the
// change may rest, must have one critical section with it.
func inTurn(b *access.Access, ofLook, ofChange []locks.Held) bool {
	if b.Op.Writes() {
		return locks.Excludes(ofLook, ofChange)
	}
	return locks.ExcludesInOne(ofLook, ofChange)
}

// joinsIn reports whether the one who starts goroutines is at a map of theirs while they run, itself or in
// what it calls.
func (p *Package) joinsIn(s site, f *Func) bool {
	for _, i := range s.call.Beside {
		b := &s.caller.Accesses[i]
		if slices.ContainsFunc(f.Accesses, func(a access.Access) bool {
			return !a.Op.Concurrent() && harms(&a, b) && p.atStart(f, s.call, a.Path) == b.Path
		}) {
			return true
		}
	}
	return slices.ContainsFunc(s.call.After, func(i int) bool {
		c := &s.caller.Calls[i]
		return c != s.call && c.Kind.SameThread() && p.collide(s.call, c)
	})
}

// common returns those locks held at an access which all goroutines of one start have in common: those of
// the one who starts them, made before it comes to that, or its own.
func (p *Package) common(s site, f *Func, a *access.Access) []locks.Held {
	return slices.DeleteFunc(slices.Clone(a.Held.Held()), func(h locks.Held) bool {
		at := p.atStart(f, s.call, h.Lock)
		for up := at; up.Known(); up = up.Parent() {
			if up.IsElem() {
				return true // each may have its own
			}
		}
		switch r := at.Root(); {
		case r.Kind == accesspath.Value:
			made, ok := r.Val.(*ssa.Alloc)
			return !ok || made.Parent() != s.caller.SSA || s.caller.Reach().InLoop(made)
		default:
			return r.Kind != accesspath.Global && (r.Kind != accesspath.Param || r.Fn != s.caller.Key)
		}
	})
}

// contended reports whether another goroutine, that the same function starts and
// that can run beside this one, is at a map that one of both changes.
func (p *Package) contended(s site) bool {
	if is, ok := p.contends[s.call]; ok {
		return is
	}
	is := slices.ContainsFunc(p.siblings(s), func(c *summary.Call) bool { return p.collide(s.call, c) })
	if p.contends == nil {
		p.contends = make(map[*summary.Call]bool)
	}
	p.contends[s.call] = is
	return is
}

// siblings returns the other starts of goroutines in the caller that come while
// the goroutine runs, or while whose goroutine it is started.
func (p *Package) siblings(s site) []*summary.Call {
	var out []*summary.Call
	for i := range s.caller.Calls {
		c := &s.caller.Calls[i]
		if c == s.call || c.Kind != summary.Goroutine || c.Start == nil {
			continue
		}
		if follows(s.caller, s.call, c) || follows(s.caller, c, s.call) {
			out = append(out, c)
		}
	}
	return out
}

func follows(f *Func, c, next *summary.Call) bool {
	return slices.ContainsFunc(c.After, func(i int) bool { return &f.Calls[i] == next })
}

// collide reports whether the goroutines of two starts are at one map, with no
// lock of their own that keeps them apart, and one of them changes it.
func (p *Package) collide(c, d *summary.Call) bool {
	f, g := p.byKey[c.Callee], p.byKey[d.Callee]
	if f == nil || g == nil {
		return false
	}
	for i := range f.Accesses {
		a := &f.Accesses[i]
		if a.Fresh || !a.Op.Uses() || a.Op.Concurrent() || !a.Path.Location().Valid() {
			continue
		}
		at := p.atStart(f, c, a.Path)
		if at.Known() && slices.ContainsFunc(g.Accesses, func(b access.Access) bool {
			return harms(a, &b) && at == p.atStart(g, d, b.Path)
		}) {
			return true
		}
	}
	return false
}

// harms reports whether two accesses of one map at one time do harm: one of them changes it, and no lock of their own
// keeps them apart.
func harms(a, b *access.Access) bool {
	changes := a.Op.Uses() && b.Op.Uses() && (a.Op.Writes() || b.Op.Writes())
	return changes && !locks.Excludes(a.Held.Held(), b.Held.Held())
}

// atStart expresses a path of what a goroutine runs in the terms of its starter.
func (p *Package) atStart(f *Func, c *summary.Call, path accesspath.Path) accesspath.Path {
	r := path.Root()
	if r.Kind != accesspath.Param || r.Fn != f.Key {
		return path
	}
	if r.Index >= len(c.Args) {
		return accesspath.Path{}
	}
	return p.Paths.Rebase(path, p.Paths.Root(r), c.Args[r.Index])
}
