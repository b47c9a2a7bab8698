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
