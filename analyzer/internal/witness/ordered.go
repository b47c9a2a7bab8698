package witness

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
)

// leaveOrdered makes those pairs low whose steps each hold the lock, in a function that changes
// another map of the same object without any, where nothing is found wrong with that: what
// orders the calls for that map orders them for this one. It is what the code believes that
// counts (Engler et al., Bugs as Deviant Behavior, 2001).
func (j *Judge) leaveOrdered() {
	bare := j.bareChanges()
	for _, v := range j.pairs {
		if !v.raised() || v.Unlocked() && !v.Concurrent() {
			continue
		}
		root := v.Act.Path.Root()
		if slices.ContainsFunc(bare[v.Func], func(s *infer.Site) bool { return s.Acc.Path.Root() == root }) {
			v.Grade, v.Confidence = OrderedElse, sharing.Low
		}
	}
}

// bareChanges returns the changes of plain maps that are made without any lock, by their functions,
// where the map has no guard and nothing is found wrong with it.
func (j *Judge) bareChanges() map[*infer.Func][]*infer.Site {
	bare, wrong := make(map[*infer.Func][]*infer.Site), j.foundWrong()
	for _, pl := range j.Places {
		if wrong[pl.Loc] || j.Guards.Of(pl.Loc) != nil {
			continue
		}
		for i := range pl.Sites {
			s := &pl.Sites[i]
			changes := s.Acc.Op.Writes() && !s.Acc.Op.Concurrent()
			needsNone := s.Exempt || s.AtStart
			if s.Func != nil && changes && !needsNone && len(s.Held) == 0 {
				bare[s.Func] = append(bare[s.Func], s)
			}
		}
	}
	return bare
}

// foundWrong returns the places with a race that is more than low.
func (j *Judge) foundWrong() map[accesspath.Location]bool {
	wrong := make(map[accesspath.Location]bool)
	for i := range j.accesses {
		if v := &j.accesses[i]; v.raised() {
			wrong[v.Place.Loc] = true
		}
	}
	for _, v := range j.pairs {
		if v.raised() && v.Unlocked() {
			wrong[v.Act.Path.Location()] = true
		}
	}
	for i := range j.races {
		if v := &j.races[i]; v.raised() {
			wrong[v.Path.Location()] = true
		}
	}
	return wrong
}
