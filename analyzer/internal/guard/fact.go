package guard

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
)

// A Fact lists the guards of a package's locations, for the packages that
// access them.
type Fact struct{ Guards []LocFact }

// AFact marks Fact as a fact.
func (*Fact) AFact() {}

// Empty reports whether the fact says nothing.
func (f *Fact) Empty() bool { return len(f.Guards) == 0 }

func (f *Fact) String() string {
	var out []string
	for _, g := range f.Guards {
		s := g.Loc
		if g.Lock != "" {
			s += fmt.Sprintf(" by %s %d/%d", g.Lock, g.Held, g.Total)
		}
		if g.Whole {
			s += " whole"
		}
		if g.Shared != "" {
			s += " shared"
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

// A LocFact is one location's guard and the counts behind it.
type LocFact struct {
	// Loc and Lock name variables: Name, or Type.field.
	Loc, Lock string
	How       How
	Tally
	Across bool
	// Replaced: the package does not change the entries of the map that is there; it only gives the variable others.
	Replaced bool
	// Whole: it fills a map in the section of the guard that makes it, and changes it no more, and others cannot name the variable.
	Whole bool
	// Shared says why the location is shared although it has no guard.
	Shared string
}

// Export returns the fact of pkg's own locations. shared says why a location
// without a guard is shared, and whole whether the maps of one are complete when they leave the section that makes them.
func Export(s *Set, places []*infer.Place, shared func(*infer.Place) string, whole func(accesspath.Location) bool, pkg *types.Package) *Fact {
	names := newNames()
	fact := new(Fact)
	add := func(loc *types.Var, g *Guard, why string) {
		name := names.of(loc)
		if name == "" || loc.Pkg() != pkg {
			return
		}
		f := LocFact{Loc: name, Shared: why}
		if g != nil {
			f.Lock, f.How, f.Across = names.of(g.Lock), g.How, g.Across
			f.Tally, f.Replaced = g.Tally, replaced(places, loc)
			f.Whole = !loc.Exported() && whole(accesspath.Location{Var: loc})
			if f.Lock == "" || g.Lock.Pkg() != pkg || g.How == Used && loc.IsField() && !s.siblings(g.Lock, loc) {
				return // importers could not tell the instance
			}
		}
		if i := slices.IndexFunc(fact.Guards, func(o LocFact) bool { return o.Loc == name }); i < 0 {
			fact.Guards = append(fact.Guards, f)
		}
	}
	for _, pl := range places {
		if g := s.Of(pl.Loc); g != nil {
			add(pl.Loc.Var, g, "")
		} else if why := shared(pl); why != "" {
			add(pl.Loc.Var, nil, why)
		}
	}
	// Stated guards of maps that only other packages access.
	for _, group := range s.comments.Groups {
		for _, f := range group.Fields {
			if _, ok := f.Var.Type().Underlying().(*types.Map); !ok || !f.Var.Exported() {
				continue
			}
			if g := s.stated(f.Var); g != nil {
				add(f.Var, g, "")
			}
		}
	}
	slices.SortFunc(fact.Guards, func(a, b LocFact) int { return cmp.Compare(a.Loc, b.Loc) })
	return fact
}

// replaced reports whether the package changes no entries of a variable's maps once others can know these.
func replaced(places []*infer.Place, loc *types.Var) bool {
	return !slices.ContainsFunc(places, func(pl *infer.Place) bool { return pl.Loc.Var == loc && !Replaced(pl) })
}

// Replaced reports whether a map, once it is published, is only ever replaced as a whole at a place.
func Replaced(pl *infer.Place) bool {
	return !slices.ContainsFunc(pl.Sites, func(s infer.Site) bool { return !s.Exempt && s.Acc.Op.ChangesEntries() })
}

// An Import gives what the facts of other packages say of their locations.
type Import struct {
	// Votes are what other packages of the module do with locations, once all are
	// analysed; nil before.
	Votes Votes
	// Uses are what functions of the module access a location, once all are analysed.
	Uses Uses

	facts map[string]*Fact // by package
	names *names
	pkg   *types.Package
}

// Imported reads the facts of the packages below pass.
func Imported(pass *analysis.Pass) *Import {
	im := &Import{facts: make(map[string]*Fact), names: newNames(), pkg: pass.Pkg}
	for _, pf := range pass.AllPackageFacts() {
		if f, ok := pf.Fact.(*Fact); ok && pf.Package != pass.Pkg {
			im.facts[pf.Package.Path()] = f
		}
	}
	return im
}

func (im *Import) find(v *types.Var) *LocFact {
	if v.Pkg() == nil {
		return nil
	}
	f := im.facts[v.Pkg().Path()]
	if f == nil {
		return nil
	}
	name := im.names.of(v)
	for i := range f.Guards {
		if f.Guards[i].Loc == name {
			return &f.Guards[i]
		}
	}
	return nil
}

// Guard returns the guard of another package's variable or field.
func (im *Import) Guard(v *types.Var) *Guard {
	f := im.find(v)
	if f == nil || f.Lock == "" {
		return nil
	}
	lock := im.names.find(v.Pkg(), f.Lock)
	if lock == nil {
		return nil
	}
	return &Guard{Lock: lock, How: f.How, Tally: f.Tally, Across: f.Across, Replaced: f.Replaced, Whole: f.Whole}
}

// Shared says why another package's location is shared, "" if its package
// does not say.
func (im *Import) Shared(v *types.Var) string {
	if f := im.find(v); f != nil {
		return f.Shared
	}
	return ""
}

// names maps fields to Type.field and back, package by package.
type names struct {
	byVar  map[*types.Var]string
	byName map[*types.Package]map[string]*types.Var
}

func newNames() *names {
	return &names{byVar: make(map[*types.Var]string), byName: make(map[*types.Package]map[string]*types.Var)}
}

func (n *names) of(v *types.Var) string {
	if v.Pkg() == nil {
		return ""
	}
	n.load(v.Pkg())
	return n.byVar[v]
}

func (n *names) find(pkg *types.Package, name string) *types.Var {
	n.load(pkg)
	return n.byName[pkg][name]
}

func (n *names) load(pkg *types.Package) {
	if n.byName[pkg] != nil {
		return
	}
	m := make(map[string]*types.Var)
	n.byName[pkg] = m
	scope := pkg.Scope()
	for _, name := range scope.Names() {
		switch obj := scope.Lookup(name).(type) {
		case *types.Var:
			m[name], n.byVar[obj] = obj, name
			n.fields(m, name, obj.Type(), 0)
		case *types.TypeName:
			if !obj.IsAlias() {
				n.fields(m, name, obj.Type().Underlying(), 0)
			}
		}
	}
}

// fields names the fields of struct types, anonymous ones inside included.
func (n *names) fields(m map[string]*types.Var, prefix string, t types.Type, depth int) {
	if depth > 3 {
		return
	}
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.(*types.Struct)
	if !ok {
		return
	}
	for i := range st.NumFields() {
		f := st.Field(i)
		name := prefix + "." + f.Name()
		m[name], n.byVar[f] = f, name
		n.fields(m, name, f.Type(), depth+1)
	}
}
