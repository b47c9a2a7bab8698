package infer

import (
	"cmp"
	"go/token"
	"path/filepath"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/outside"
)

// A Site is one access of a location, with what its function's callers add.
type Site struct {
	Func *Func
	Acc  *access.Access
	Held []locks.Held
	// Exempt: it needs no lock, because no other goroutine knows the object yet or
	// nothing else runs.
	Exempt bool
	// Unshared: it is exempt since a flag of the object says that nothing else knows it.
	Unshared bool
	// Sealed: it needs no lock by itself, since a flag says that the map stays as it is wherever the lock is not held.
	Sealed bool
	// AtStart: it most likely happens before the object is shared.
	AtStart bool
	// Far is the function of another package that makes the access, of which nothing but
	// its kind is known here; Func is nil then.
	Far outside.Name
}

// A Place is a location with all its accesses in the package.
type Place struct {
	Loc   accesspath.Location
	Sites []Site
}

// Own reports whether an access of a summary belongs to its function: it
// stands there, or only there it is known which map it concerns. A call into
// another package counts too: that function is not seen here again.
func Own(a *access.Access) bool {
	return !a.Lifted || a.Resolved || a.Imported && a.Depth == 1
}

// Imported reports whether the access stands in another package.
func (s *Site) Imported() bool { return s.Acc.Imported && !s.Acc.Resolved }

// Places returns the package's locations with their accesses, in the order of
// their first access.
func (p *Package) Places() []*Place {
	var out []*Place
	byLoc := make(map[accesspath.Location]*Place)
	for _, f := range p.Funcs {
		for i := range f.Accesses {
			a := &f.Accesses[i]
			loc := a.Path.Location()
			if !loc.Valid() || !Own(a) || a.Op == access.Grow {
				continue
			}
			pl := byLoc[loc]
			if pl == nil {
				pl = &Place{Loc: loc}
				byLoc[loc] = pl
				out = append(out, pl)
			}
			alone := a.Fresh || a.Once || p.Exempt(f, a)
			unshared := !alone && p.Unshared(f, a)
			held := f.Effective(a)
			pl.Sites = append(pl.Sites, Site{
				Func: f, Acc: a, Held: held, Exempt: alone || unshared, Unshared: unshared, AtStart: f.AtStart(a),
				Sealed: len(held) == 0 && !alone && p.Published(f, a),
			})
		}
	}
	for _, pl := range out {
		slices.SortStableFunc(pl.Sites, func(x, y Site) int { return p.inSource(x.Acc.At(), y.Acc.At()) })
	}
	return out
}

// inSource orders positions by file and offset. Files are parsed in any order,
// so that the positions of two files do not compare.
func (p *Package) inSource(x, y token.Pos) int {
	fset := p.ssaPkg.Prog.Fset
	fx, fy := fset.File(x), fset.File(y)
	if fx == fy || fx == nil || fy == nil {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(fx.Name(), fy.Name())
}

// File returns the name of the file, without its folder, in which a position is.
func (p *Package) File(pos token.Pos) string {
	return filepath.Base(p.ssaPkg.Prog.Fset.Position(pos).Filename)
}
