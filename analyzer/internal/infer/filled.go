package infer

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// maxFillers bounds the functions, one called by the other, that give a variable its value.
const maxFillers = 3

// A filling knows the package-level variables that keep a value once they have one: others than nil, a flag that is set, a
// [sync.Once] that has run.
type filling struct {
	// loses are the variables that may lose it again, or of which that is not known.
	loses map[*ssa.Global]bool
	// lacks are the branches that a function takes where a variable has no value yet.
	lacks map[*ssa.Function][]lack
	// gives are the variables to which a function gives a value somewhere.
	gives map[*ssa.Function][]*ssa.Global
}

// A lack is the way out of a block where a variable has no value yet.
type lack struct {
	of   *ssa.Global
	at   *ssa.BasicBlock
	side int
}

// filling returns what the package shows. Complexity: linear in the package, once.
func (p *Package) filling() *filling {
	if p.filled != nil {
		return p.filled
	}
	p.filled = &filling{loses: make(map[*ssa.Global]bool), lacks: make(map[*ssa.Function][]lack), gives: make(map[*ssa.Function][]*ssa.Global)}
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				p.filled.instr(p, f, instr)
			}
		}
	}
	return p.filled
}

// instr notes what one instruction does with package-level variables.
func (l *filling) instr(p *Package, f *Func, instr ssa.Instruction) {
	var ops [8]*ssa.Value
	for _, op := range instr.Operands(ops[:0]) {
		g, ok := (*op).(*ssa.Global)
		if !ok || g.Pkg != f.SSA.Pkg {
			continue
		}
		switch instr := instr.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
			continue
		case *ssa.Store:
			if instr.Addr == ssa.Value(g) {
				gives := p.has(instr)
				l.loses[g] = l.loses[g] || !gives && !isInit(f.SSA)
				if gives {
					l.gives[f.SSA] = append(l.gives[f.SSA], g)
				}
				continue
			}
		case *ssa.Call:
			if onceOf(instr) == g && !slices.Contains(instr.Call.Args[1:], ssa.Value(g)) {
				l.gives[f.SSA] = append(l.gives[f.SSA], g)
				continue
			}
		}
		l.loses[g] = true
	}
	if br, ok := instr.(*ssa.If); ok {
		if g, side := lacking(br.Cond); g != nil {
			l.lacks[f.SSA] = append(l.lacks[f.SSA], lack{g, br.Block(), side})
		}
	}
}

// has reports whether what is stored is a value: a set flag, or not nil.
func (p *Package) has(st *ssa.Store) bool {
	if k, ok := st.Val.(*ssa.Const); ok {
		return ssautil.IsBool(k.Type()) && !ssautil.IsZeroConst(k)
	}
	v := ssautil.Unwrap(st.Val)
	return nillable(v.Type()) && (p.isThere(v, maxThere) || ssautil.FoundNil(v, false, st.Block()))
}

func nillable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Map, *types.Pointer, *types.Slice, *types.Signature, *types.Interface, *types.Chan:
		return true
	}
	return false
}

// onceOf returns the variable whose function a call runs once, nil if it is no such call.
func onceOf(call *ssa.Call) *ssa.Global {
	fn, args := ssautil.Callee(&call.Call)
	if fn == nil || len(args) != 2 || model.Lookup(fn).Kind != model.Once {
		return nil
	}
	g, _ := args[0].(*ssa.Global)
	return g
}

// lacking returns the variable that a condition asks for, and the side on which it has no value; nil if there is none.
func lacking(cond ssa.Value) (g *ssa.Global, side int) {
	cond, not := ssautil.Unnegated(cond)
	lacks := not
	if op, ok := cond.(*ssa.BinOp); ok {
		if op.Op != token.EQL && op.Op != token.NEQ {
			return nil, 0
		}
		if cond = op.X; ssautil.IsNil(op.X) {
			cond = op.Y
		} else if !ssautil.IsNil(op.Y) {
			return nil, 0
		}
		lacks = not != (op.Op == token.EQL)
	}
	load, ok := cond.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil, 0
	}
	if !lacks {
		side = 1
	}
	g, _ = load.X.(*ssa.Global)
	return g, side
}

// keeps reports whether a variable keeps the value that it gets, and no other package can give it one.
func (l *filling) keeps(g *ssa.Global) bool {
	return !l.loses[g] && g.Object() != nil && !g.Object().Exported()
}

// LackAt returns the package-level variable for the lack of whose value alone f comes to an instruction, nil if there is
// none: nothing takes that value away again, so that once it is there no one comes to the instruction.
func (p *Package) LackAt(f *Func, instr ssa.Instruction) *types.Var {
	l := p.filling()
	if call, ok := instr.(*ssa.Call); ok {
		if g := onceOf(call); g != nil && l.keeps(g) {
			return variableOf(g)
		}
	}
	for _, way := range l.lacks[f.SSA] {
		if l.keeps(way.of) && ssautil.DominatesEdge(way.at, way.side, instr.Block()) {
			return variableOf(way.of)
		}
	}
	return nil
}

func variableOf(g *ssa.Global) *types.Var {
	v, _ := g.Object().(*types.Var)
	return v
}

// Fills returns the package-level variables of [Package.LackAt] that have a value whenever f returns.
func (p *Package) Fills(f *Func) (vars []*types.Var) {
	l := p.filling()
	asked := slices.Clone(l.gives[f.SSA])
	for _, way := range l.lacks[f.SSA] {
		asked = append(asked, way.of)
	}
	for _, g := range asked {
		if v := variableOf(g); l.keeps(g) && !slices.Contains(vars, v) && l.fills(p, f.SSA, g, maxFillers) {
			vars = append(vars, v)
		}
	}
	return vars
}

// fills reports whether a function does not return without having found a variable's value, or having given it one.
func (l *filling) fills(p *Package, fn *ssa.Function, g *ssa.Global, depth int) bool {
	if depth == 0 || len(fn.Blocks) == 0 || ssautil.MayRecover(fn) {
		return false
	}
	seen := make(map[*ssa.BasicBlock]bool)
	for work := []*ssa.BasicBlock{fn.Blocks[0]}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] || l.filledIn(p, b, g, depth) {
			continue
		}
		seen[b] = true
		if _, returns := b.Instrs[len(b.Instrs)-1].(*ssa.Return); returns {
			return false
		}
		for side, next := range b.Succs {
			has := slices.ContainsFunc(l.lacks[fn], func(way lack) bool { return way.of == g && way.at == b && way.side != side })
			if !has {
				work = append(work, next)
			}
		}
	}
	return true
}

// mentions reports whether a function asks for a variable, or gives it its value.
func (l *filling) mentions(fn *ssa.Function, g *ssa.Global) bool {
	return slices.Contains(l.gives[fn], g) || slices.ContainsFunc(l.lacks[fn], func(way lack) bool { return way.of == g })
}

// filledIn reports whether a block gives a variable its value.
func (l *filling) filledIn(p *Package, b *ssa.BasicBlock, g *ssa.Global, depth int) bool {
	return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
		switch instr := instr.(type) {
		case *ssa.Store:
			return instr.Addr == ssa.Value(g) && p.has(instr)
		case *ssa.Call:
			callee := instr.Call.StaticCallee()
			if callee == nil {
				return false
			}
			return onceOf(instr) == g || l.mentions(callee, g) && l.fills(p, callee, g, depth-1)
		}
		return false
	})
}
