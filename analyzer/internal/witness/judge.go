// Package witness answers the four questions of each candidate: who goroutine
// B is, whether both reach the same object, whether B's step can run between
// A's look and A's act, and whether it does harm. A candidate with all four
// answers is a witness; the first question without one is the reason for
// silence.
package witness

import (
	"go/token"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/guard"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
	"github.com/mapguard/mapguard/analyzer/internal/threads"
)

// A Judge is one analysed package with the judgements on its candidates. It is
// not safe for concurrent use.
type Judge struct {
	Pkg     *infer.Package
	Places  []*infer.Place
	Guards  *guard.Set
	Sharing *sharing.Judge
	// Line gives the line of a position, 0 for one of another package.
	Line func(token.Pos) int

	place    map[accesspath.Location]*infer.Place
	snapshot map[accesspath.Location]bool
	memoized map[accesspath.Location]string
	// candidates are all pairs; pairs are those with a witness.
	candidates []Verdict
	pairs      []*Verdict
	accesses   []AccessVerdict
	calls      []CallVerdict
	entries    []EntryVerdict
	freed      []FreedVerdict
	races      []RaceVerdict
	alive      map[accesspath.Location]bool
	// replacing are the insertions, by where they stand, that only ever replace an
	// entry, and adding those that only ever add one.
	replacing, adding map[token.Pos]bool
	named             map[token.Pos]bool // acts of helpers whose map some caller names
	// outvoted are the places that most functions come to without the guard, as far as it was asked.
	outvoted map[*infer.Place]bool
	// visiting and standing are what goroutines do to local maps, by the map
	// and by the access.
	visiting map[accesspath.Path][]*threads.Visit
	standing map[token.Pos][]*threads.Visit
}

// NewJudge asks the four questions of every candidate of an analysed package.
func NewJudge(pkg *infer.Package, places []*infer.Place, guards *guard.Set, shared *sharing.Judge, line func(token.Pos) int) *Judge {
	j := &Judge{
		Pkg: pkg, Places: places, Guards: guards, Sharing: shared, Line: line, place: make(map[accesspath.Location]*infer.Place),
		snapshot: make(map[accesspath.Location]bool), outvoted: make(map[*infer.Place]bool),
	}
	for _, pl := range places {
		j.place[pl.Loc] = pl
		j.snapshot[pl.Loc] = guard.Replaced(pl)
	}
	j.judgePairs()
	j.judgeAccesses()
	j.leaveRaces()
	j.leaveCalls()
	j.judgeCalls()
	j.judgeEntries()
	j.judgeFreed()
	j.judgeRaces()
	j.leaveOrdered()
	j.findMemoized()
	return j
}

// Place returns the accesses of a location; an empty place if the package
// itself has none.
func (j *Judge) Place(loc accesspath.Location) *infer.Place {
	if pl := j.place[loc]; pl != nil {
		return pl
	}
	return &infer.Place{Loc: loc}
}

// Pairs returns the pairs of the package that have a witness.
func (j *Judge) Pairs() []*Verdict { return j.pairs }

// Candidates returns the verdicts on all pairs, silent ones included.
func (j *Judge) Candidates() []Verdict { return j.candidates }

// AskedState reports whether some change of a container asks first whether the object that holds
// it has ended, as a flag says.
func (j *Judge) AskedState(loc accesspath.Location) bool {
	if j.alive == nil {
		j.alive = make(map[accesspath.Location]bool)
		for _, f := range j.Pkg.Funcs {
			for i := range f.Accesses {
				if a := &f.Accesses[i]; a.Flagged {
					j.alive[a.Path.Location()] = true
				}
			}
		}
	}
	return j.alive[loc]
}

// Memoized says why a place is a shared cache in disguise, "" if it is none.
func (j *Judge) Memoized(pl *infer.Place) string { return j.memoized[pl.Loc] }

func (j *Judge) findMemoized() {
	j.memoized = make(map[accesspath.Location]string)
	for _, v := range j.pairs {
		loc := v.Act.Path.Location()
		if v.Confidence >= sharing.Medium && memoizes(v) && j.memoized[loc] == "" {
			j.memoized[loc] = v.Evidence.Text
		}
	}
}

// Name writes the map of an access as the source does, with its package when
// that is another one.
func (j *Judge) Name(p accesspath.Path) string {
	r := p.Root()
	if r.Kind == accesspath.Global && r.Obj.Pkg() != nil && r.Obj.Pkg() != j.Pkg.Types {
		return r.Obj.Pkg().Name() + "." + p.String()
	}
	return p.String()
}

// LockNames writes locks as the source does.
func (j *Judge) LockNames(held []locks.Held) string {
	out := ""
	for i, h := range held {
		if i > 0 {
			out += " and "
		}
		out += j.Name(h.Lock)
	}
	return out
}
