package locks

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
)

// A Pair is two locks of which it is open which is which: two variables hold them in the one order or the other. Who holds
// the locks of both variables holds both.
type Pair struct {
	// As are the locks by the names of the variables, Are those by their own.
	As, Are [2]accesspath.Path
	// Same is the condition that they are one.
	Same Cond
}

// Named returns s with both locks by their own names, where both are held by the variables'.
func (s State) Named(p Pair) State { return s.rename(p.As, p.Are, p.Same) }

// Unnamed undoes that, so that one of the variables' can be let go.
func (s State) Unnamed(p Pair) State { return s.rename(p.Are, p.As, p.Same) }

// rename exchanges the names of two locks where both are held, or where they are one and that is. Which section is
// which is not known.
func (s State) rename(from, to [2]accesspath.Path, same Cond) State {
	if s.IsTop() {
		return s
	}
	return s.each(func(c Case) Case {
		x, y := c.lock(from[0]), c.lock(from[1])
		one := same.Known() && knows(c.When, same)
		if !x.Must() && !y.Must() || x.Must() != y.Must() && !one {
			return c
		}
		if c.lock(to[0]).Can != Kept || c.lock(to[1]).Can != Kept {
			return c // both ways at once
		}
		if x.Must() && y.Must() {
			x = x.join(Lock{x.Path, y.Can, y.Mode, y.Sec})
			y = Lock{y.Path, x.Can, x.Mode, x.Sec}
		}
		for i, l := range [...]Lock{x, y} {
			if l.Must() {
				c = c.set(Lock{Path: l.Path, Can: Kept})
				l.Path = to[i]
				c = c.set(l)
			}
		}
		return c
	})
}

// Unorder gives locks that are let go by the names of both variables their own names.
func (p Pair) Unorder(released []accesspath.Path) []accesspath.Path {
	if !slices.Contains(released, p.As[0]) || !slices.Contains(released, p.As[1]) {
		return released
	}
	out := make([]accesspath.Path, 0, len(released))
	for _, l := range released {
		switch l {
		case p.As[0]:
			l = p.Are[0]
		case p.As[1]:
			l = p.Are[1]
		}
		out = append(out, l)
	}
	return out
}
