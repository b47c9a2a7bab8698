package witness

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/guard"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
)

// Several structs may embed one part with a map in it: what is done to the part of one tells nothing of that of another.

// guardOf returns the guard of the map at a path of a place, nil if it has none: neither has one of another struct, where
// use alone tells of the lock, and only the parts of other structs are used with it. Nor has one that only the name of a
// variable leads to, if it is never changed; one that is may lack the lock by an oversight.
func (j *Judge) guardOf(pl *infer.Place, path accesspath.Path) *guard.Guard {
	g := j.Guards.Of(pl.Loc)
	if g == nil || g.How != guard.Used {
		return g
	}
	another := j.Pkg.AnotherPart
	if !j.changed(pl, path) {
		another = j.Pkg.Another
	}
	others := false
	for i := range pl.Sites {
		s := &pl.Sites[i]
		if _, held := j.Guards.Holds(g, s.Held, s.Acc.Path); !held {
			continue
		}
		if !another(path, s.Acc.Path) {
			return g
		}
		others = true
	}
	if others {
		return nil
	}
	return g
}

// changed reports whether something changes the map at a path of a place, which others may know by then.
func (j *Judge) changed(pl *infer.Place, path accesspath.Path) bool {
	return slices.ContainsFunc(pl.Sites, func(s infer.Site) bool {
		return !s.Exempt && s.Acc.Op.Writes() && !j.Pkg.Another(path, s.Acc.Path)
	})
}

// seenFrom returns a place with those accesses alone that can be to the map at a path: the place itself, if all can.
func (j *Judge) seenFrom(pl *infer.Place, path accesspath.Path) *infer.Place {
	another := func(s infer.Site) bool { return j.Pkg.Another(path, s.Acc.Path) }
	if !slices.ContainsFunc(pl.Sites, another) {
		return pl
	}
	seen := *pl
	seen.Sites = slices.DeleteFunc(slices.Clone(pl.Sites), another)
	return &seen
}

// shownFor returns the evidence that the map of a pair is shared. Where goroutines that meet are the evidence, and look or
// act holds no lock, a thread that runs the pair must be one of them; so it must where the guard is that of others' parts.
func (j *Judge) shownFor(v *Verdict, pl *infer.Place) sharing.Evidence {
	e := j.Sharing.Of(pl)
	others := j.Guards.Of(pl.Loc) != nil && j.guardOf(pl, v.Act.Path) == nil
	if !others && (!e.Threads() || !v.Unlocked() || v.Concurrent()) {
		return e
	}
	own, ok := j.Sharing.Between(v.Func, pl, []*access.Access{v.Check, v.Act}, v.matters)
	switch {
	case ok:
		return own
	case others:
		return sharing.Evidence{Confidence: sharing.Low, Text: "the lock is that of other objects, which have such a map in them"}
	}
	return e
}
