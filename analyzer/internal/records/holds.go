package records

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/outside"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// hold notes that a node of an interface's values can hold what another one does.
func (g *gatherer) hold(node, value outside.Name) {
	h := outside.Hold{Node: node, Value: value}
	if !g.holds[h] {
		g.holds[h] = true
		g.rec.Holds = append(g.rec.Holds, h)
	}
}

// objects returns the nodes of what a value of an interface of the module can hold: types, and the
// fields, variables, parameters and results from which it comes.
func (g *gatherer) objects(v ssa.Value, hops int) []outside.Name {
	unknown := []outside.Name{outside.Unknown}
	if hops == 0 {
		return unknown
	}
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return []outside.Name{g.made(v.X.Type())}
	case *ssa.ChangeInterface:
		return g.objects(v.X, hops-1)
	case *ssa.TypeAssert:
		if !v.CommaOk && types.IsInterface(v.AssertedType) {
			return g.objects(v.X, hops-1)
		}
	case *ssa.Const:
		return nil
	case *ssa.Parameter:
		if node := g.param(v); node != "" {
			return []outside.Name{node}
		}
	case *ssa.FreeVar:
		if bound := ssautil.Binding(v); bound != nil {
			return g.objects(bound, hops-1)
		}
	case *ssa.Phi:
		var out []outside.Name
		for _, e := range v.Edges {
			out = append(out, g.objects(e, hops/2)...)
		}
		return out
	case *ssa.Field:
		if field := fieldAt(v.X.Type(), v.Field); g.ours(field) {
			return []outside.Name{outside.Variable(field)}
		}
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return g.loaded(v, hops)
		}
	case *ssa.Call:
		return g.given(&v.Call, 0)
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return g.given(&call.Call, v.Index)
		}
		if assert, ok := v.Tuple.(*ssa.TypeAssert); ok && v.Index == 0 && types.IsInterface(assert.AssertedType) {
			return g.objects(assert.X, hops-1)
		}
	}
	return unknown
}

// receiver returns the node of what a value of an interface can hold: one of its own, where it can
// come from several.
func (g *gatherer) receiver(v ssa.Value) outside.Name {
	nodes := g.objects(v, maxHops)
	if len(nodes) == 1 {
		return nodes[0]
	}
	own := outside.Name(g.nodeOfBody(v.Parent()) + "." + outside.Name(v.Name()) + " held")
	for _, n := range nodes {
		g.hold(own, n)
	}
	return own
}

// made returns the node of a type whose values become an interface, and notes the methods that
// they have of the module.
func (g *gatherer) made(t types.Type) outside.Name {
	n, ok := types.Unalias(ssautil.Pointee(t)).(*types.Named)
	if !ok {
		if _, param := types.Unalias(t).(*types.TypeParam); param {
			return outside.Unknown
		}
		return outside.TypeNode(t.String())
	}
	node := outside.TypeNode(n.Origin().String())
	if g.rec.Impls[node] == nil {
		methods := make(map[string]outside.Name)
		for _, m := range g.methodsOf(t) {
			methods[m.Name()] = g.nodeOf(m)
		}
		g.rec.Impls[node] = methods
	}
	return node
}

// loaded returns the nodes of what is read from an address.
func (g *gatherer) loaded(v *ssa.UnOp, hops int) []outside.Name {
	addr := v.X
	if node := g.held(addr); node != "" {
		return []outside.Name{node}
	}
	for i := 0; i < maxHops; i++ {
		captured, ok := addr.(*ssa.FreeVar)
		if !ok {
			break
		}
		addr = ssautil.Binding(captured)
	}
	if cell, ok := addr.(*ssa.Alloc); ok {
		if only := ssautil.SoleStore(cell); only != nil {
			return g.objects(only, hops-1)
		}
	}
	return []outside.Name{outside.Unknown}
}

// given returns the node of a call's result.
func (g *gatherer) given(call *ssa.CallCommon, i int) []outside.Name {
	fn, _ := ssautil.Callee(call)
	if fn == nil || call.IsInvoke() || fn.Pkg() == nil || !g.inScope(fn.Pkg().Path()) {
		return []outside.Name{outside.Unknown}
	}
	return []outside.Name{outside.Result(g.name(fn), i)}
}

// fills notes what an instruction puts into nodes of interfaces' values, and where it lets others
// do so.
func (g *gatherer) fills(instr ssa.Instruction, fn *ssa.Function) {
	switch instr := instr.(type) {
	case *ssa.Store:
		if g.isObject(instr.Val.Type()) {
			if node := g.held(instr.Addr); node != "" {
				g.holdAll(node, instr.Val)
			}
		}
	case *ssa.FieldAddr:
		field := fieldAt(instr.X.Type(), instr.Field)
		if g.ours(field) && g.isObject(field.Type()) && slices.ContainsFunc(*instr.Referrers(), func(r ssa.Instruction) bool { return !usesPlainly(r, instr) }) {
			g.hold(outside.Variable(field), outside.Unknown)
		}
	case *ssa.Return:
		if obj, ok := fn.Object().(*types.Func); ok {
			for i, v := range instr.Results {
				if g.isObject(v.Type()) {
					g.holdAll(outside.Result(g.name(obj), i), v)
				}
			}
		}
	case ssa.CallInstruction:
		g.passes(instr.Common())
	case *ssa.ChangeType:
		g.recast(instr.Type())
	}
	for _, op := range instr.Operands(nil) {
		if at, ok := (*op).(*ssa.Global); ok && !usesPlainly(instr, at) {
			if node := g.held(at); node != "" && g.isObject(ssautil.Pointee(at.Type())) {
				g.hold(node, outside.Unknown)
			}
		}
	}
}

// usesPlainly reports whether an instruction does no more with an address than to read from it, or
// to store there.
func usesPlainly(instr ssa.Instruction, addr ssa.Value) bool {
	switch instr := instr.(type) {
	case *ssa.Store:
		return instr.Addr == addr && instr.Val != addr
	case *ssa.UnOp:
		return instr.Op == token.MUL
	case *ssa.DebugRef:
		return true
	}
	return false
}

func (g *gatherer) holdAll(node outside.Name, v ssa.Value) {
	for _, from := range g.objects(v, maxHops) {
		g.hold(node, from)
	}
}

// isObject reports whether values of a type are those of an interface of the module.
func (g *gatherer) isObject(t types.Type) bool {
	if !types.IsInterface(t) {
		return false
	}
	_, own := g.own(t)
	return own
}

// passes notes what a call passes to the parameters of a function of the module.
func (g *gatherer) passes(call *ssa.CallCommon) {
	fn, args := ssautil.Callee(call)
	if fn == nil || call.IsInvoke() || fn.Pkg() == nil || !g.inScope(fn.Pkg().Path()) {
		return
	}
	for i, arg := range args {
		if g.isObject(arg.Type()) {
			g.holdAll(outside.Param(g.name(fn), i), arg)
		}
	}
}

// recast notes that a struct becomes one of another type with fields of its own.
func (g *gatherer) recast(t types.Type) {
	if s, ok := ssautil.Pointee(t).Underlying().(*types.Struct); ok {
		g.anyFields(s)
	}
}

// anyFields notes that anything can be in the fields of a struct.
func (g *gatherer) anyFields(s *types.Struct) {
	for f := range s.Fields() {
		if g.ours(f) && g.isObject(f.Type()) {
			g.hold(outside.Variable(f), outside.Unknown)
		}
	}
}

// injected notes the fields of the package's structs that code outside sets by reflection, as far as
// it is told to: exported ones with a tag, or beside a part that is embedded from there.
func (g *gatherer) injected() {
	for _, name := range g.pkg.Scope().Names() {
		tn, ok := g.pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		s, ok := tn.Type().Underlying().(*types.Struct)
		if !ok {
			continue
		}
		marked := false
		for f := range s.Fields() {
			n, named := types.Unalias(ssautil.Pointee(f.Type())).(*types.Named)
			marked = marked || f.Embedded() && named && !types.IsInterface(n) && n.Obj().Pkg() != nil && !g.inScope(n.Obj().Pkg().Path())
		}
		for i := range s.NumFields() {
			f := s.Field(i)
			if f.Exported() && (marked || s.Tag(i) != "") && g.isObject(f.Type()) {
				g.hold(outside.Variable(f), outside.Unknown)
			}
		}
	}
}

// unreadHolds notes that a package which was not analysed may put anything into the fields,
// variables and parameters that it names.
func (g *gatherer) unreadHolds(files []*ast.File) {
	for _, obj := range g.info.Uses {
		switch obj := obj.(type) {
		case *types.Var:
			if (obj.IsField() || obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope()) && g.ours(obj) && g.isObject(obj.Type()) {
				g.hold(outside.Variable(obj), outside.Unknown)
			}
		case *types.Func:
			if obj.Pkg() != nil && g.inScope(obj.Pkg().Path()) {
				g.anyParams(obj)
			}
		}
	}
	for x, tv := range g.info.Types {
		if lit, ok := x.(*ast.CompositeLit); ok && len(lit.Elts) > 0 {
			if _, keyed := lit.Elts[0].(*ast.KeyValueExpr); !keyed {
				g.recast(tv.Type)
			}
		}
	}
}

func (g *gatherer) anyParams(fn *types.Func) {
	first := 0
	if fn.Signature().Recv() != nil {
		first = 1
	}
	for i := range fn.Signature().Params().Len() {
		if g.isObject(fn.Signature().Params().At(i).Type()) {
			g.hold(outside.Param(g.name(fn), first+i), outside.Unknown)
		}
	}
}
