package guard

import (
	"go/types"
	"maps"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/outside"
)

// A Use is a function that accesses a location: it changes the map, or only reads it.
type Use struct {
	Fn     outside.Name
	Writes bool
}

// Uses are the functions of each package that access a location of the module, by the location
// and the package that they stand in.
type Uses map[string]map[string][]Use

// Uses returns what functions of the package access, its own locations and those of others.
func (s *Set) Uses(places []*infer.Place, pkg *types.Package) Uses {
	out := make(Uses)
	for _, pl := range places {
		name := s.imported.nameOf(pl.Loc.Var)
		if name == "" {
			continue
		}
		for i := range pl.Sites {
			site := &pl.Sites[i]
			if site.Exempt || site.Imported() || !site.Acc.Op.Uses() {
				continue
			}
			if out[name] == nil {
				out[name] = make(map[string][]Use)
			}
			use := Use{outside.NodeOf(site.Func.SSA), site.Acc.Op.Writes()}
			if by := out[name][pkg.Path()]; !slices.Contains(by, use) {
				out[name][pkg.Path()] = append(by, use)
			}
		}
	}
	return out
}

// Add adds the uses of one package.
func (u Uses) Add(of Uses) {
	for name, by := range of {
		if u[name] == nil {
			u[name] = make(map[string][]Use)
		}
		maps.Copy(u[name], by)
	}
}

// Users returns what functions of the module's other packages access a location, in a fixed order;
// false where the module was not read as a whole.
func (s *Set) Users(loc *types.Var, pkg *types.Package) ([]Use, bool) {
	im := s.imported
	name := im.nameOf(loc)
	if im.Uses == nil || name == "" {
		return nil, false
	}
	var out []Use
	for _, path := range slices.Sorted(maps.Keys(im.Uses[name])) {
		if path != pkg.Path() {
			out = append(out, im.Uses[name][path]...)
		}
	}
	return out, true
}

// Away reports whether the package accesses some of the places by functions of other packages of
// the module, whose own accesses are known.
func (u Uses) Away(s *Set, places []*infer.Place, pkg *types.Package) bool {
	return slices.ContainsFunc(places, func(pl *infer.Place) bool {
		foreign := func(site infer.Site) bool { return site.Imported() }
		return u.elsewhere(s.imported, pl.Loc.Var, pkg) && slices.ContainsFunc(pl.Sites, foreign)
	})
}

// KnownElsewhere reports whether other packages of the module access a package-level variable, as
// far as they were analysed: each of them judges its own accesses. So does a package between, where
// this one does not import the variable's.
func (s *Set) KnownElsewhere(loc *types.Var, pkg *types.Package) bool {
	of := func(p *types.Package) bool { return p.Path() == loc.Pkg().Path() }
	between := loc.Pkg() != nil && !of(pkg) && !slices.ContainsFunc(pkg.Imports(), of)
	return between || s.imported.Uses.elsewhere(s.imported, loc, pkg)
}

func (u Uses) elsewhere(im *Import, loc *types.Var, pkg *types.Package) bool {
	name := im.nameOf(loc)
	if name == "" {
		return false
	}
	for path := range u[name] {
		if path != pkg.Path() {
			return true
		}
	}
	return false
}
