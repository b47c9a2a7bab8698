package records

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
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
// fields, variables, parameters and results from which it comes. Complexity: linear in the values
// from which it comes in its function.
func (g *gatherer) objects(v ssa.Value) []outside.Name {
	o := &objects{g: g, seen: make(map[ssa.Value]bool)}
	o.from(v)
	return o.nodes
}

type objects struct {
	g     *gatherer
	seen  map[ssa.Value]bool
	nodes []outside.Name
}

func (o *objects) add(n outside.Name) {
	if !slices.Contains(o.nodes, n) {
		o.nodes = append(o.nodes, n)
	}
}

func (o *objects) from(v ssa.Value) {
	if v == nil {
		o.add(outside.Unknown)
		return
	}
	if o.seen[v] {
		return
	}
	o.seen[v] = true
	switch v := v.(type) {
	case *ssa.MakeInterface:
		o.add(o.g.made(v.X.Type()))
	case *ssa.ChangeInterface:
		o.from(v.X)
	case *ssa.TypeAssert:
		o.asserted(v, !v.CommaOk)
	case *ssa.Const:
	case *ssa.Parameter:
		o.add(cmp.Or(o.g.paramOf(v), outside.Unknown))
	case *ssa.FreeVar:
		o.from(ssautil.Binding(v))
	case *ssa.Phi:
		for _, e := range v.Edges {
			o.from(e)
		}
	case *ssa.Field:
		o.add(o.g.fieldOf(v.X.Type(), v.Field))
	case *ssa.UnOp:
		o.loaded(v)
	case *ssa.Call:
		o.add(o.g.resultOf(&v.Call, 0))
	case *ssa.Extract:
		switch tuple := v.Tuple.(type) {
		case *ssa.Call:
			o.add(o.g.resultOf(&tuple.Call, v.Index))
		case *ssa.TypeAssert:
			o.asserted(tuple, v.Index == 0)
		default:
			o.add(outside.Unknown)
		}
	default:
		o.add(outside.Unknown)
	}
}

// asserted goes on with the value of which another interface is asserted; it is that of the result.
func (o *objects) asserted(v *ssa.TypeAssert, value bool) {
	if value && types.IsInterface(v.AssertedType) {
		o.from(v.X)
	} else {
		o.add(outside.Unknown)
	}
}

// loaded goes on with what is read from an address: of a local variable what is stored there, if
// nothing else is done with the address.
func (o *objects) loaded(v *ssa.UnOp) {
	addr := v.X
	for i := 0; i < maxHops; i++ {
		captured, ok := addr.(*ssa.FreeVar)
		if !ok {
			break
		}
		addr = ssautil.Binding(captured)
	}
	switch addr := addr.(type) {
	case *ssa.Alloc:
		if v.Op == token.MUL && o.stored(addr, 0) {
			return
		}
	case *ssa.FieldAddr:
		o.add(o.g.fieldOf(addr.X.Type(), addr.Field))
		return
	case *ssa.Global:
		if node := o.g.held(addr); node != "" {
			o.add(node)
			return
		}
	}
	o.add(outside.Unknown)
}

// stored adds what is stored at an address, also by the literals that capture it; false if it is
// used in another way.
func (o *objects) stored(addr ssa.Value, depth int) bool {
	if addr.Referrers() == nil || depth > maxHops {
		return false
	}
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Val == addr {
				return false
			}
			o.from(r.Val)
		case *ssa.MakeClosure:
			fn, ok := r.Fn.(*ssa.Function)
			if !ok {
				return false
			}
			for i, b := range r.Bindings {
				if b == addr && !o.stored(fn.FreeVars[i], depth+1) {
					return false
				}
			}
		default:
			if !usesPlainly(r, addr) {
				return false
			}
		}
	}
	return true
}

// fieldOf returns the node of a field of a struct that has a name in its package, and that the module
// declares. Fields of others, which two places can declare alike, and those whose type is a type
// parameter, are not known.
func (g *gatherer) fieldOf(t types.Type, i int) outside.Name {
	n, ok := types.Unalias(ssautil.Pointee(t)).(*types.Named)
	field := fieldAt(t, i)
	if !ok || !packageLevel(n) || !g.ours(field) || !g.isObject(field.Origin().Type()) {
		return outside.Unknown
	}
	return outside.Variable(field)
}

func packageLevel(n *types.Named) bool {
	obj := n.Obj()
	return obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope()
}

func isParam(t types.Type) bool {
	_, param := types.Unalias(t).(*types.TypeParam)
	return param
}

// paramOf returns the node of a declared function's parameter; "" of another one.
func (g *gatherer) paramOf(v *ssa.Parameter) outside.Name {
	if isParam(v.Type()) {
		return ""
	}
	return g.param(v)
}

// resultOf returns the node of a call's result.
func (g *gatherer) resultOf(call *ssa.CallCommon, i int) outside.Name {
	fn, _ := g.namedCallee(call)
	if fn == nil {
		return outside.Unknown
	}
	results := fn.Origin().Signature().Results()
	if i >= results.Len() || isParam(results.At(i).Type()) {
		return outside.Unknown
	}
	return outside.Result(g.name(fn), i)
}

// namedCallee returns the function of the module that a call names, with its arguments; nil of another call.
func (g *gatherer) namedCallee(call *ssa.CallCommon) (*types.Func, []ssa.Value) {
	fn, args := ssautil.Callee(call)
	if fn == nil || call.IsInvoke() || !g.inModule(fn.Pkg()) {
		return nil, nil
	}
	return fn, args
}

// inModule reports whether a package is one of the module.
func (g *gatherer) inModule(pkg *types.Package) bool { return pkg != nil && g.inScope(pkg.Path()) }

// receiver returns the node of what the receiver of a call by an interface can hold: one of its own,
// where it can come from several; "" where it is nil.
func (g *gatherer) receiver(call ssa.CallInstruction) outside.Name {
	v := call.Common().Value
	nodes := g.objects(v)
	switch len(nodes) {
	case 0:
		return ""
	case 1:
		return nodes[0]
	}
	own := g.nodeOfBody(call.Parent()) + "." + outside.Name(v.Name()) + " held"
	for _, n := range nodes {
		g.hold(own, n)
	}
	return own
}

// made returns the node of a type whose values become an interface, and notes the methods that
// they have of the module.
func (g *gatherer) made(t types.Type) outside.Name {
	n, ok := types.Unalias(ssautil.Pointee(t)).(*types.Named)
	if !ok || !packageLevel(n) || !g.inScope(n.Obj().Pkg().Path()) {
		if !ok && types.NewMethodSet(t).Len() > 0 {
			g.rec.Untold[""] = true // what it embeds is called by no name of a type
		}
		return outside.Unknown
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
		g.recast(instr.X.Type(), instr.Type())
	case *ssa.Convert:
		g.recast(instr.X.Type(), instr.Type())
	case *ssa.MultiConvert:
		g.recast(instr.X.Type(), instr.Type())
	case *ssa.MakeInterface:
		g.shown(instr)
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
	for _, from := range g.objects(v) {
		g.hold(node, from)
	}
}

// isObject reports whether values of a type are those of an interface of the module.
func (g *gatherer) isObject(t types.Type) bool {
	if !types.IsInterface(t) || isParam(t) {
		return false
	}
	_, own := g.own(t)
	return own
}

// passes notes what a call passes to the parameters of a function of the module.
func (g *gatherer) passes(call *ssa.CallCommon) {
	fn, args := g.namedCallee(call)
	if fn == nil {
		return
	}
	for i, arg := range args {
		if g.isObject(arg.Type()) {
			g.holdAll(outside.Param(g.name(fn), i), arg)
		}
	}
}

// recast notes that a struct becomes one of another type with fields of its own, or points to the same.
func (g *gatherer) recast(ts ...types.Type) {
	for i, t := range ts {
		s, ok := ssautil.Pointee(t).Underlying().(*types.Struct)
		if !ok {
			continue
		}
		if isParam(ssautil.Pointee(ts[len(ts)-1-i])) {
			g.rec.Untold[""] = true // any struct that the type parameter can be
		}
		g.anyFields(s, false)
	}
}

// shown notes that code outside gets a pointer to a struct by an interface of its own: it can set
// exported fields there by reflection, and in what it finds there.
func (g *gatherer) shown(made *ssa.MakeInterface) {
	p, ok := types.Unalias(made.X.Type()).Underlying().(*types.Pointer)
	if _, own := g.own(made.Type()); own || !ok || g.laid[made.X.Type()] {
		return
	}
	g.laid[made.X.Type()] = true
	parts := []types.Type{p.Elem()}
	for _, part := range model.Contents(p.Elem(), g.inModule) {
		parts = append(parts, part)
	}
	for _, t := range parts {
		if s, ok := t.Underlying().(*types.Struct); ok {
			g.anyFields(s, true)
		}
	}
}

// anyFields notes that anything can be in the fields of a struct, or in those that are exported.
func (g *gatherer) anyFields(s *types.Struct, exported bool) {
	for f := range s.Fields() {
		if g.ours(f) && g.isObject(f.Type()) && (f.Exported() || !exported) {
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
func (g *gatherer) unreadHolds() {
	for _, obj := range g.info.Uses {
		switch obj := obj.(type) {
		case *types.Var:
			if (obj.IsField() || obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope()) && g.ours(obj) && g.isObject(obj.Type()) {
				g.hold(outside.Variable(obj), outside.Unknown)
			}
		case *types.Func:
			if !g.inModule(obj.Pkg()) {
				continue
			}
			g.anyParams(obj)
			if recv := obj.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
				g.rec.Untold[obj.Name()] = true
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
