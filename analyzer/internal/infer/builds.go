package infer

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// maxBuilders bounds how far up the callers of a step in the making of an object
// are followed.
const maxBuilders = 4

// A making is what the package's calls say of a function that may be a step in
// the making of an object.
type making struct {
	// shown: some call gives it an object that no other goroutine knows yet.
	shown bool
	// publicly: in some such call, the step that other packages can call is
	// shown, not only a helper of it.
	publicly bool
	// open: other packages alone call some step on the way, with an object of
	// which nothing is known.
	open bool
}

// Builds reports whether the package calls f, and only with an i-th argument that
// no other goroutine knows yet: it shows f as a step in the making of an object. A
// function that passes on what it gets is a step if its callers show it as one;
// a way that starts outside the package is taken to be like those that the
// package shows. It is no such step if outsiders can call it, and the package
// itself lets goroutines run on the object before outsiders get it.
func (p *Package) Builds(f *Func, i int) bool {
	var m making
	return p.builds(f, i, 0, f.Is(role.Public), &m) && m.shown && (m.publicly || !m.open)
}

func (p *Package) builds(f *Func, i, depth int, public bool, m *making) bool {
	sites := p.sites()[f]
	if len(sites) == 0 {
		m.open = true
		return depth > 0 && f.Is(role.Public)
	}
	return depth < maxBuilders && !slices.ContainsFunc(sites, func(s site) bool { return !p.builtAt(s, i, depth, public, m) })
}

// builtAt is builds for one call.
func (p *Package) builtAt(s site, i, depth int, public bool, m *making) bool {
	if len(s.call.Owned) <= i || s.call.Kind == summary.Goroutine || s.call.Kind == summary.Escaped {
		return false
	}
	own := s.call.Owned[i].Own
	if s.caller.owns(own) {
		m.shown = true
		m.publicly = m.publicly || public
		return !public || !p.runsOn(s, i)
	}
	j, ok := passedOn(s, i)
	if !ok || own != ownership.OwnedIfInput(j) {
		return false
	}
	return p.builds(s.caller, j, depth+1, public || s.caller.Is(role.Public), m)
}

// passedOn returns which of its own parameters the caller passes as the i-th
// argument.
func passedOn(s site, i int) (int, bool) {
	if i >= len(s.call.Args) {
		return 0, false
	}
	arg := s.call.Args[i]
	r := arg.Root()
	return r.Index, arg.Depth() == 0 && r.Kind == accesspath.Param && r.Fn == s.caller.Key
}

// runsOn reports whether the caller itself starts a goroutine on the object that
// it passes as the i-th argument, or calls what does: who gets the object from it
// shares it.
func (p *Package) runsOn(s site, i int) bool {
	if i >= len(s.call.Args) {
		return false
	}
	root := s.call.Args[i].Root()
	return slices.ContainsFunc(s.caller.Calls, func(c summary.Call) bool {
		return c.Start != nil && p.startsOn(&c, func(q accesspath.Path) bool { return q.Root() == root })
	})
}

// startsOn reports whether a goroutine that a call starts gets one of the
// objects.
func (p *Package) startsOn(c *summary.Call, has func(accesspath.Path) bool) bool {
	if slices.ContainsFunc(c.Bound, func(b summary.Binding) bool { return has(b.Arg) }) {
		return true
	}
	g := p.byKey[c.Callee]
	for k, arg := range c.Args {
		switch {
		case !has(arg):
		case c.Kind == summary.Goroutine, g == nil, g.Own == nil, k >= len(g.Own.Inputs):
			return true
		case g.Own.Inputs[k].Own == ownership.Shared, !g.Own.Inputs[k].At.None():
			return true
		}
	}
	return false
}
