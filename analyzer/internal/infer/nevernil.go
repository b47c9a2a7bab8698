package infer

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A giving is what the package gives to variables of maps.
type giving struct {
	values map[*types.Var][]ssa.Value
	// open are the variables and fields that may get something else, or nothing: their address goes
	// elsewhere, or an object is made without them.
	open map[*types.Var]bool
	// made are the fields of structs that the package makes by themselves.
	made map[*types.Var]bool
	// early are the package-level variables to which a function stores that initialisation calls.
	early map[*types.Var]bool
}

// NeverNil reports whether the package gives a variable a map wherever it has one: a package-level
// variable at its initialisation, or in a function that it calls by then, a field wherever it makes an object of the struct.
// That other packages make one without is an assumption, as is that the conditions hold on which initialisation calls the
// function. Complexity: linear in the package, once.
func (p *Package) NeverNil(v *types.Var) bool {
	if v == nil || v.Exported() || v.Pkg() != p.Types {
		return false
	}
	if p.given == nil {
		p.given = p.gives()
	}
	return p.given.neverNil(v.Origin(), 0)
}

// markFilled marks what functions do where a package-level variable has no map yet, if initialisation has called
// one that gives it a map then: it is done at most once, and before anything else runs.
func (p *Package) markFilled() {
	filled := make(map[token.Pos]bool)
	for _, f := range p.Funcs {
		for _, pair := range f.Pairs {
			look, act := &f.Accesses[pair.Check], &f.Accesses[pair.Act]
			absent := look.Op == access.NilTest && pair.Polarity == depend.Absent && look.Path == act.Path
			if absent && look.Path.Depth() == 0 && p.filledEarly(look.Path.Location().Var) {
				filled[act.Stands()] = true
			}
		}
	}
	if len(filled) == 0 {
		return
	}
	for _, f := range p.Funcs {
		for i := range f.Accesses {
			a := &f.Accesses[i]
			a.Once = a.Once || filled[a.Stands()]
		}
	}
}

// filledEarly reports whether a variable has a map once the package is initialised, from a function that looks first.
func (p *Package) filledEarly(v *types.Var) bool { return p.NeverNil(v) && p.given.early[v.Origin()] }

// maxGiven bounds the variables of which one gets its map from the other.
const maxGiven = 3

func (g *giving) neverNil(v *types.Var, depth int) bool {
	values := g.values[v]
	if g.open[v] || len(values) == 0 || v.IsField() && !g.made[v] || depth > maxGiven {
		return false
	}
	for _, x := range values {
		if !g.isMap(x, depth) {
			return false
		}
	}
	return true
}

// isMap reports whether a value is a map, and not nil.
func (g *giving) isMap(x ssa.Value, depth int) bool {
	switch x := ssautil.Unwrap(x).(type) {
	case *ssa.MakeMap:
		return true
	case *ssa.UnOp:
		v, ok := globalVar(x.X)
		return ok && !v.Exported() && g.neverNil(v, depth+1)
	}
	return false
}

// globalVar returns the package-level variable that a value or a member of the package is.
func globalVar(x any) (*types.Var, bool) {
	g, ok := x.(*ssa.Global)
	if !ok || g.Object() == nil {
		return nil, false
	}
	v, ok := g.Object().(*types.Var)
	return v, ok
}

func (p *Package) gives() *giving {
	g := &giving{values: make(map[*types.Var][]ssa.Value), open: make(map[*types.Var]bool), made: make(map[*types.Var]bool), early: make(map[*types.Var]bool)}
	atInit, early := make(map[*types.Var]bool), p.initComesTo()
	for _, f := range p.Funcs {
		into := atInit
		if !isInit(f.SSA) {
			into = nil
			if early[f] {
				into = g.early
			}
		}
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				g.instr(instr, into)
			}
		}
	}
	for _, m := range p.ssaPkg.Members {
		if v, ok := globalVar(m); ok && !atInit[v] && !g.early[v] {
			g.open[v] = true
		}
	}
	for _, n := range p.concrete() {
		if st, ok := n.Underlying().(*types.Struct); ok {
			for f := range st.Fields() {
				g.zero(f.Type()) // made with the struct around it
			}
		}
	}
	return g
}

// instr notes what one instruction gives to variables, and which objects it makes. Variables to which it stores
// go into a set, if there is one.
func (g *giving) instr(instr ssa.Instruction, into map[*types.Var]bool) {
	for _, op := range instr.Operands(nil) {
		v, ok := globalVar(*op)
		if !ok {
			continue
		}
		switch instr := instr.(type) {
		case *ssa.Store:
			if instr.Addr == *op {
				g.values[v] = append(g.values[v], instr.Val)
				if into != nil {
					into[v] = true
				}
				continue
			}
			g.open[v] = true
		case *ssa.UnOp, *ssa.DebugRef:
		default:
			g.open[v] = true
		}
	}
	switch instr := instr.(type) {
	case *ssa.FieldAddr:
		g.field(instr)
	case *ssa.Alloc:
		g.object(instr)
	case *ssa.MakeSlice:
		g.zero(instr.Type().Underlying().(*types.Slice).Elem())
	case *ssa.Store:
		if _, zero := instr.Val.(*ssa.Const); zero {
			g.zero(instr.Val.Type())
		}
	}
}

// field notes what is stored in a field, and whether something else is done with its address.
func (g *giving) field(addr *ssa.FieldAddr) {
	v := fieldVar(addr)
	if !ssautil.IsMap(v.Type()) {
		return
	}
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if r.Addr != ssa.Value(addr) {
				g.open[v] = true
				continue
			}
			g.values[v] = append(g.values[v], r.Val)
		default:
			g.open[v] = true
		}
	}
}

func fieldVar(addr *ssa.FieldAddr) *types.Var {
	return ssautil.Pointee(addr.X.Type()).Underlying().(*types.Struct).Field(addr.Field).Origin()
}

// object notes the maps that a new object has from the start, and those that it lacks. A copy of another object
// has what that has.
func (g *giving) object(made *ssa.Alloc) {
	st, ok := ssautil.Pointee(made.Type()).Underlying().(*types.Struct)
	if !ok {
		g.zero(ssautil.Pointee(made.Type()))
		return
	}
	set, copied := make(map[*types.Var]bool), false
	for _, r := range *made.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			copied = copied || r.Addr == ssa.Value(made)
		case *ssa.FieldAddr:
			for _, s := range *r.Referrers() {
				if st, ok := s.(*ssa.Store); ok && st.Addr == ssa.Value(r) && st.Block() == made.Block() {
					set[fieldVar(r)] = true
				}
			}
		}
	}
	for f := range st.Fields() {
		v := f.Origin()
		switch {
		case copied:
		case ssautil.IsMap(v.Type()) && set[v]:
			g.made[v] = true
		case ssautil.IsMap(v.Type()):
			g.open[v] = true
		default:
			g.zero(v.Type())
		}
	}
}

// zero notes that an object of a type is made without its maps.
func (g *giving) zero(t types.Type) {
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Array:
		g.zero(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if ssautil.IsMap(f.Type()) {
				g.open[f.Origin()] = true
			} else {
				g.zero(f.Type())
			}
		}
	}
}
