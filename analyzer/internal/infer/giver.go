package infer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Givers returns the functions that give a variable or a field a map: where none of them runs, there is no map, what is
// looked up finds nothing, and to put something in ends the program. known is false where something else may give it
// one: other packages, what gets its address, or the conversion of another struct. Complexity: linear in the package, once.
func (p *Package) Givers(v *types.Var) (givers []*Func, known bool) {
	if v == nil || v.Exported() || v.Pkg() != p.Types || !ssautil.IsMap(v.Type()) {
		return nil, false
	}
	if p.givers == nil {
		p.givers = p.findGivers()
	}
	v = v.Origin()
	return p.givers.of[v], !p.givers.open[v]
}

// givers are the functions that give variables of a package their maps.
type givers struct {
	of   map[*types.Var][]*Func
	open map[*types.Var]bool
}

func (p *Package) findGivers() *givers {
	g := &givers{of: make(map[*types.Var][]*Func), open: make(map[*types.Var]bool)}
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				g.instr(f, instr)
			}
		}
	}
	return g
}

// instr notes what one instruction of f gives to variables.
func (g *givers) instr(f *Func, instr ssa.Instruction) {
	for _, op := range instr.Operands(nil) {
		if v, ok := globalVar(*op); ok {
			g.use(f, v, *op, instr)
		}
	}
	switch instr := instr.(type) {
	case *ssa.FieldAddr:
		for _, r := range *instr.Referrers() {
			g.use(f, fieldVar(instr), instr, r)
		}
	case *ssa.ChangeType:
		g.converted(instr.X.Type(), instr.Type())
	case *ssa.Convert:
		g.converted(instr.X.Type(), instr.Type())
	case *ssa.MultiConvert:
		g.converted(instr.X.Type(), instr.Type())
	}
}

// use notes what an instruction of f does with the address of a variable. That one object has the map of another one
// by the same field gives no map where there is none.
func (g *givers) use(f *Func, v *types.Var, addr ssa.Value, by ssa.Instruction) {
	switch by := by.(type) {
	case *ssa.UnOp, *ssa.DebugRef:
	case *ssa.Store:
		switch {
		case by.Addr != addr:
			g.open[v] = true
		case !ssautil.IsNil(by.Val) && fetchedFrom(by.Val) != v:
			g.of[v] = append(g.of[v], f)
		}
	default:
		g.open[v] = true
	}
}

// fetchedFrom returns the field of which a value is the content, nil if it is none's.
func fetchedFrom(x ssa.Value) *types.Var {
	if u, ok := x.(*ssa.UnOp); ok {
		if addr, ok := u.X.(*ssa.FieldAddr); ok {
			return fieldVar(addr)
		}
	}
	return nil
}

// converted notes that a struct gets the maps of another one, whose fields have the same names and types, or
// of what unsafe code makes.
func (g *givers) converted(from, to types.Type) {
	st, ok := structOf(to)
	if !ok {
		return
	}
	if was, ok := structOf(from); ok && was == st {
		return // the fields of the one are those of the other
	}
	for f := range st.Fields() {
		g.open[f.Origin()] = true
	}
}

// structOf returns the struct that a type is, or that a pointer of the type leads to.
func structOf(t types.Type) (*types.Struct, bool) {
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	return st, ok
}
