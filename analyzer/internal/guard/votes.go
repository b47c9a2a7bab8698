package guard

import (
	"go/types"
	"maps"

	"github.com/mapguard/mapguard/analyzer/internal/infer"
)

// A Tally counts accesses of a location: Held and Total are those that hold the guard
// and all that count, HeldWrites and Writes the changes among them. HeldChangers and Changers
// are the functions that change entries, but for start-up and registration: those that hold the
// guard for writing each time, and all.
type Tally struct{ Held, Total, HeldWrites, Writes, HeldChangers, Changers int }

func (t Tally) plus(o Tally) Tally {
	return Tally{
		t.Held + o.Held, t.Total + o.Total, t.HeldWrites + o.HeldWrites, t.Writes + o.Writes, t.HeldChangers + o.HeldChangers, t.Changers + o.Changers,
	}
}

// Covers reports whether several functions change entries, and all hold the guard for writing:
// it keeps them apart, and readers need it, too.
func (t Tally) Covers() bool { return t.Changers > 1 && t.HeldChangers == t.Changers }

// One reports whether one function at most changes entries, and nothing holds the guard but what changes the map: the
// lock keeps that function from itself, and tells nothing of readers.
func (t Tally) One() bool { return t.Changers <= 1 && t.Held == t.HeldWrites }

// Votes are the accesses that packages make of the locations of others, by the
// location and the package that makes them. A package sees its own alone, and those
// of the declaring package; together they tell whether use speaks for a guard.
type Votes map[string]map[string]Tally

// Votes returns what the package does with other packages' locations that have a
// guard.
func (s *Set) Votes(places []*infer.Place, pkg *types.Package) Votes {
	out := make(Votes)
	for _, pl := range places {
		g := s.byLoc[pl.Loc]
		name := s.imported.nameOf(pl.Loc.Var)
		if g == nil || name == "" || pl.Loc.Var.Pkg() == pkg {
			continue
		}
		votes, of := s.vote(pl)
		by := out[name]
		if by == nil {
			by = make(map[string]Tally)
			out[name] = by
		}
		by[pkg.Path()] = by[pkg.Path()].plus(of.count(votes[g.Lock]))
	}
	return out
}

// Add adds the votes of one package.
func (v Votes) Add(of Votes) {
	for name, by := range of {
		if v[name] == nil {
			v[name] = make(map[string]Tally)
		}
		maps.Copy(v[name], by)
	}
}

// others returns what the packages other than pkg do with a location that pkg does
// not declare, or all others with one that it does.
func (v Votes) others(name string, pkg *types.Package) (sum Tally) {
	for by, t := range v[name] {
		if by != pkg.Path() {
			sum = sum.plus(t)
		}
	}
	return sum
}

// Concern reports whether other packages' votes change what use tells of a place.
func (s *Set) Concern(votes Votes, places []*infer.Place, pkg *types.Package) bool {
	for _, pl := range places {
		g := s.byLoc[pl.Loc]
		if g != nil && g.How == Used && votes.others(s.imported.nameOf(pl.Loc.Var), pkg).Total > 0 {
			return true
		}
	}
	return false
}

// withOthers adds the votes of other packages of the module to those that a guard known
// from use has.
func (im *Import) withOthers(g *Guard, loc *types.Var) *Guard {
	if g == nil || g.How != Used || im.Votes == nil {
		return g
	}
	g.Tally = g.plus(im.Votes.others(im.nameOf(loc), im.pkg))
	return g
}

// nameOf returns the name of a location in all packages, "" of one that no other can
// access.
func (im *Import) nameOf(v *types.Var) string {
	if v == nil || v.Pkg() == nil {
		return ""
	}
	name := im.names.of(v)
	if name == "" {
		return ""
	}
	return v.Pkg().Path() + "." + name
}
