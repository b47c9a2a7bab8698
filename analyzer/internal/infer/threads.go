package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/outside"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Threads is what a module's threads tell of accesses, apart from any judgement.
type Threads struct{ *outside.View }

// Shows reports whether the module shows all threads that make some accesses, at least one.
func (t Threads) Shows(sites []*Site) bool { return t.Whole(standing(sites)) }

// Serves reports whether a server's requests lead to one of some accesses.
func (t Threads) Serves(sites []*Site) bool {
	return slices.ContainsFunc(standing(sites), func(fn outside.Name) bool {
		_, ok := t.Served(fn)
		return ok
	})
}

// Divides reports whether several goroutines of one start have the object of an access in common.
func (t Threads) Divides(s *Site) bool {
	return s.Func != nil && t.Divided(outside.PlaceOf(outside.NodeOf(s.Func.SSA), s.Acc.Point))
}

// Once reports whether the module shows one way alone to some accesses, which a thread goes once, and that begins before no
// thread that comes to one of the others.
func (t Threads) Once(sites, others []*Site) bool {
	return t.View.Once(standing(sites), standing(others))
}

// Opened reports whether the module shows that some accesses are made while the object that has the map is being opened, and that no
// thread has begun by then that comes to one of the others. The map must be reached by fields alone: of what
// a container holds, nothing tells which one it is.
func (t Threads) Opened(p *Package, sites, others []*Site) bool {
	makers := make(map[*types.Var][]outside.Name)
	for _, s := range sites {
		field := byFields(s.Acc.Path)
		if field == nil {
			return false
		}
		if makers[field] == nil {
			makers[field] = p.makersOf(field)
		}
		if !t.View.Opened(standing([]*Site{s}), standing(others), makers[field]) {
			return false
		}
	}
	return true
}

// byFields returns the field that has the map of an access, if fields alone lead there.
func byFields(path accesspath.Path) *types.Var {
	for at := path.Trunk(); at.Depth() > 0; at = at.Parent() {
		if at.LastField() == nil {
			return nil
		}
	}
	if path.Root().Kind == accesspath.Global {
		return nil
	}
	return path.Trunk().LastField()
}

// makersOf returns the functions of the package in which a struct is made that has a field, itself or in a struct inside it.
func (p *Package) makersOf(field *types.Var) (out []outside.Name) {
	for _, f := range p.Funcs {
		if ssautil.Some(f.SSA, func(instr ssa.Instruction) bool {
			made, ok := instr.(*ssa.Alloc)
			return ok && made.Heap && hasWithin(ssautil.Pointee(made.Type()), field, maxWithin)
		}) {
			out = append(out, outside.NodeOf(f.SSA))
		}
	}
	return out
}

// maxWithin bounds the structs that stand in each other.
const maxWithin = 4

// hasWithin reports whether a struct has a field, itself or in a struct inside it.
func hasWithin(t types.Type, field *types.Var, depth int) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok || depth == 0 {
		return false
	}
	for f := range s.Fields() {
		if f.Origin() == field.Origin() || hasWithin(f.Type(), field, depth-1) {
			return true
		}
	}
	return false
}

// Recurs reports whether the module shows that some accesses are made again and again.
func (t Threads) Recurs(sites []*Site) bool { return t.View.Recurs(standing(sites)) }
