package locks

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
)

// The locks of all elements of something are one lock, whose path stands for all ([accesspath.Table.Each]): it is held
// from the end of the loop that takes them to that of the one that lets them go. In between, one of them may be let go
// by its own name; from there on, they are not held all.

// breaks reports whether some case has let go one of the locks for which a path stands.
func breaks(cases []Case, all accesspath.Path) bool {
	return all.OfEach() && slices.ContainsFunc(cases, func(c Case) bool { return c.breaks(all) })
}

func (c Case) breaks(all accesspath.Path) bool {
	return slices.ContainsFunc(c.Locks, func(l Lock) bool { return l.Can&Left != 0 && l.Path != all && all.Covers(l.Path) })
}

// whole returns the cases without the locks of all elements that they take, where one of them has been let go, by
// the case itself or by one that may be the same for all that callers know: no caller holds them all.
func whole(cases []Case) []Case {
	out := cases
	for i, c := range cases {
		broken := func(l Lock) bool {
			return l.Can&Taken != 0 && l.Path.OfEach() && slices.ContainsFunc(cases, func(d Case) bool {
				return d.breaks(l.Path) && !contradict(c.When, d.When)
			})
		}
		if slices.ContainsFunc(c.Locks, broken) {
			out = slices.Clone(out)
			out[i].Locks = slices.DeleteFunc(slices.Clone(c.Locks), broken)
		}
	}
	return out
}

// A Round is what each round of a loop does to the locks of the element that it comes to.
type Round struct {
	// Elem is the element, and Locks are those of its locks to which each round does the same.
	Elem  accesspath.Path
	Locks []Lock
	// Defers are the deferred calls that each round registers, and that release such a lock.
	Defers []int
}

// Between returns s where one round ends and the next one begins: what the element is changes with that.
func (s State) Between(r Round) State {
	if s.IsTop() || len(r.Locks) == 0 {
		return s
	}
	own := func(p accesspath.Path) bool {
		return slices.ContainsFunc(r.Locks, func(l Lock) bool { return l.Path == p })
	}
	s = s.each(func(c Case) Case {
		if slices.ContainsFunc(c.Locks, func(l Lock) bool { return own(l.Path) }) {
			c.Locks = slices.DeleteFunc(slices.Clone(c.Locks), func(l Lock) bool { return own(l.Path) })
		}
		return c
	})
	return s.drop(slices.DeleteFunc(slices.Clone(s.s.dropped), own))
}

// Through returns s where the loop ends because it has come to all elements: what the rounds did has been done to the
// lock of each one. each gives the path that stands for a lock of all elements, and those of the elements that are known.
func (s State) Through(r Round, each func(accesspath.Path) []accesspath.Path) State {
	if s.IsTop() {
		return s
	}
	var all []Lock
	for _, l := range r.Locks {
		for _, l.Path = range each(l.Path) {
			all = append(all, l)
		}
	}
	s = s.Between(r)
	if len(all) > 0 {
		s = s.Then(Make([]Case{{Locks: all}}, nil, false))
	}
	for _, n := range r.Defers {
		s = s.Register(n)
	}
	return s
}
