package records

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/outside"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

func (g *gatherer) lead(from, to outside.Name) {
	l := outside.Lead{From: from, To: to}
	if from != "" && to != "" && !g.leads[l] {
		g.leads[l] = true
		g.rec.Leads = append(g.rec.Leads, l)
	}
}

// nodeOfSSA returns the name of a function, of whatever package.
func (g *gatherer) nodeOfSSA(fn *ssa.Function) outside.Name {
	if obj, ok := fn.Object().(*types.Func); ok {
		return g.nodeOf(obj)
	}
	return g.nodeOfBody(fn)
}

// nodeOfBody is [outside.NodeOf], worked out once.
func (g *gatherer) nodeOfBody(fn *ssa.Function) outside.Name {
	n, ok := g.nodes[fn]
	if !ok {
		n = outside.NodeBy(fn, g.name)
		g.nodes[fn] = n
	}
	return n
}

// leadsOf notes what a function may run.
func (g *gatherer) leadsOf(f *infer.Func) {
	from := g.nodeOfBody(f.SSA)
	for _, b := range f.SSA.Blocks {
		for _, instr := range b.Instrs {
			if directed(instr) {
				continue
			}
			g.flows(from, instr, f.SSA)
			g.assigns(instr)
			g.fills(instr, f.SSA)
			g.boxes(from, instr)
		}
	}
	if f.Obj != nil && f.Obj.Signature().Recv() != nil {
		g.free(f.Obj)
	}
	for i := range f.Locking {
		if v := f.Locking[i].Lock.Location().Var; v != nil && v.Pkg() != g.pkg {
			g.rec.Locked[v.Origin()] = true
		}
	}
	if slices.ContainsFunc(f.Stays, func(s summary.Stay) bool { return s.Awaits() }) {
		g.rec.Waits[from] = true
	}
}

// assigns notes the variables of other packages of which an instruction does more than to read what is in them.
func (g *gatherer) assigns(instr ssa.Instruction) {
	if load, ok := instr.(*ssa.UnOp); ok && load.Op == token.MUL {
		return
	}
	for _, op := range instr.Operands(nil) {
		if *op == nil {
			continue
		}
		if global, ok := (*op).(*ssa.Global); ok && global.Pkg != nil && global.Pkg.Pkg != g.pkg {
			if v, ok := global.Object().(*types.Var); ok {
				g.rec.Assigned[v] = true
			}
		}
	}
}

// boxes notes the methods of values that become interfaces of code outside the
// module, which may call them, and the module's interfaces to which values of such
// interfaces are brought back.
func (g *gatherer) boxes(from outside.Name, instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.MakeInterface:
		g.box(from, instr)
	case *ssa.ChangeInterface:
		g.found(instr.X.Type(), instr.Type())
	case *ssa.TypeAssert:
		g.found(instr.X.Type(), instr.AssertedType)
	}
}

// box notes what is run by the interface that is made of a value. Methods of an
// interface that the value's type embeds are those of what it holds.
func (g *gatherer) box(from outside.Name, made *ssa.MakeInterface) {
	iface, own := g.own(made.Type())
	for _, m := range g.methodsOf(made.X.Type()) {
		embedded := types.IsInterface(m.Signature().Recv().Type())
		switch {
		case own && embedded:
			g.lead(outside.Method(iface, m.Name()), g.nodeOf(m))
		case !own && embedded:
			g.lead(outside.Outer(m), g.nodeOf(m))
		}
		if !own && given(made) {
			g.lead(from, g.nodeOf(m))
		}
	}
	if !own && given(made) {
		for _, m := range g.walkedIn(made.X.Type()) {
			g.lead(from, g.nodeOf(m))
		}
	}
}

func (g *gatherer) found(from, to types.Type) {
	if !types.IsInterface(to) {
		return
	}
	if _, own := g.own(from); own {
		return
	}
	if iface, own := g.own(to); own {
		g.rec.Found[iface] = true
	}
}

// given reports whether a value is passed to a call, perhaps in a slice of further
// arguments; what is stored or returned runs nothing by that.
func given(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case ssa.CallInstruction:
			return true
		case *ssa.Store:
			if _, element := r.Addr.(*ssa.IndexAddr); element {
				return true
			}
		}
	}
	return false
}

// unreadLeads notes what the functions of a package may run that was not analysed:
// all that they name.
func (g *gatherer) unreadLeads(files []*ast.File) {
	for _, file := range files {
		for _, d := range file.Decls {
			from := outside.Name(g.pkg.Path() + ".variables")
			if decl, ok := d.(*ast.FuncDecl); ok {
				fn, ok := g.info.Defs[decl.Name].(*types.Func)
				if !ok || fn.Name() == "init" {
					continue
				}
				from = g.name(fn)
				g.free(fn)
				g.unreadParams(fn)
			}
			g.namedIn(from, d)
		}
	}
}

// unreadParams notes that a function of a package that was not analysed may do
// anything with what it gets, and return anything.
func (g *gatherer) unreadParams(fn *types.Func) {
	params, first := fn.Signature().Params(), 0
	if fn.Signature().Recv() != nil {
		first = 1
	}
	for i := range params.Len() {
		if sig, ok := params.At(i).Type().Underlying().(*types.Signature); ok {
			g.lead(outside.Shape(sig), outside.Param(g.name(fn), first+i))
			g.lead(outside.Outsiders, outside.Param(g.name(fn), first+i))
		}
	}
	for i := range fn.Signature().Results().Len() {
		if sig, ok := fn.Signature().Results().At(i).Type().Underlying().(*types.Signature); ok {
			g.lead(outside.Result(g.name(fn), i), outside.Shape(sig))
		}
	}
}

// waits reports whether a part of the source waits for another goroutine: it uses a
// channel, or calls what waits.
func (g *gatherer) waits(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.SendStmt, *ast.SelectStmt:
		return true
	case *ast.UnaryExpr:
		return n.Op == token.ARROW
	case *ast.RangeStmt:
		t := g.info.TypeOf(n.X)
		if t == nil {
			return true
		}
		_, channel := t.Underlying().(*types.Chan)
		return channel
	case *ast.Ident:
		fn, ok := g.info.Uses[n].(*types.Func)
		return ok && !g.inScope(path(fn)) && model.Awaits(fn)
	}
	return false
}

func path(fn *types.Func) string {
	if fn.Pkg() == nil {
		return ""
	}
	return fn.Pkg().Path()
}

// namedIn notes what a stretch of the source may run; its literals count by
// themselves.
func (g *gatherer) namedIn(from outside.Name, root ast.Node) {
	ast.Inspect(root, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if !ok || n == root {
			g.named(from, n)
			if g.waits(n) {
				g.rec.Waits[from] = true
			}
			return true
		}
		at := outside.Name(g.pkg.Path() + ".literal" + strconv.Itoa(int(lit.Pos())))
		g.lead(from, at)
		g.lead(outside.Shape(g.info.TypeOf(lit).Underlying().(*types.Signature)), at)
		g.lead(outside.Outsiders, at)
		g.namedIn(at, lit)
		return false
	})
}

// named notes what one node of the source may run.
func (g *gatherer) named(from outside.Name, n ast.Node) {
	switch n := n.(type) {
	case *ast.CallExpr:
		if sig, ok := g.info.TypeOf(n.Fun).Underlying().(*types.Signature); ok && g.info.Types[n.Fun].IsValue() && !model.IsCancel(g.info.TypeOf(n.Fun)) {
			g.lead(from, outside.Shape(sig))
		}
	case *ast.Ident:
		g.namedBy(from, g.info.Uses[n])
	}
	x, ok := n.(ast.Expr)
	if tv := g.info.Types[x]; ok && tv.IsValue() && !types.IsInterface(tv.Type) {
		for _, m := range g.methodsOf(tv.Type) {
			g.lead(from, g.name(m))
		}
	}
}

// namedBy notes what a name means.
func (g *gatherer) namedBy(from outside.Name, obj types.Object) {
	switch obj := obj.(type) {
	case *types.Func:
		to := g.nodeOf(obj)
		g.lead(from, to)
		g.lead(outside.Shape(obj.Signature()), to)
		g.free(obj)
	case *types.Var:
		sig, ok := obj.Type().Underlying().(*types.Signature)
		if ok && g.ours(obj) && (obj.IsField() || obj.Parent() == obj.Pkg().Scope()) {
			g.lead(outside.Variable(obj), outside.Shape(sig))
			g.lead(outside.Shape(sig), outside.Variable(obj))
		}
	}
}

// nodeOf returns the name of a function of the module, or of an interface's method;
// "" of another one.
func (g *gatherer) nodeOf(fn *types.Func) outside.Name {
	if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		if iface, own := g.own(recv.Type()); own {
			return outside.Method(iface, fn.Name())
		}
		return outside.Outer(fn)
	}
	if fn.Pkg() == nil || !g.inScope(fn.Pkg().Path()) {
		return ""
	}
	return g.name(fn)
}
