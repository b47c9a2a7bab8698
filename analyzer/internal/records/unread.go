package records

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/outside"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// plainCalls notes the calls of declared functions that a package makes which was not
// analysed, and returns the names in them. A call in a literal is none of them: nothing
// tells who runs that.
func (g *gatherer) plainCalls(files []*ast.File) map[*ast.Ident]bool {
	called := make(map[*ast.Ident]bool)
	for _, file := range files {
		for _, d := range file.Decls {
			p := plain{g: g, called: called, init: true}
			if decl, ok := d.(*ast.FuncDecl); ok {
				fn, ok := g.info.Defs[decl.Name].(*types.Func)
				if !ok || decl.Body == nil {
					continue
				}
				if p.said = fn.Name(); fn.Name() != "init" {
					p.from, p.init = g.name(fn), false
				}
				p.inputs = g.inputsOf(decl, fn)
				if _, serial := model.SerialOf(fn.Signature()); g.handles(fn) && !serial {
					g.served(p.from)
				}
			}
			ast.Walk(p, d)
		}
	}
	return called
}

// handles reports whether a server calls a function, by its signature, from several goroutines at a time.
func (g *gatherer) handles(fn *types.Func) bool {
	h := model.HandlerOf(fn.Signature(), fn.Pkg())
	return h != nil && h.Queue() == ""
}

// A plain walks over what one function, or an initialiser, does itself.
type plain struct {
	g      *gatherer
	called map[*ast.Ident]bool
	from   outside.Name
	said   string
	init   bool
	looped bool
	inputs map[types.Object]int // that are never assigned
}

// inputsOf returns the receiver and the parameters of a function that refer to objects, and keep
// what they were given.
func (g *gatherer) inputsOf(decl *ast.FuncDecl, fn *types.Func) map[types.Object]int {
	out := make(map[types.Object]int)
	sig, i := fn.Signature(), 0
	note := func(v *types.Var) {
		if ssautil.PointerLike(v.Type()) || types.IsInterface(v.Type()) {
			out[v] = i
		}
		i++
	}
	if sig.Recv() != nil {
		note(sig.Recv())
	}
	for v := range sig.Params().Variables() {
		note(v)
	}
	drop := func(e ast.Expr) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok {
			delete(out, g.info.Uses[id])
		}
	}
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, lhs := range n.Lhs {
				drop(lhs)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				drop(n.X)
			}
		case *ast.RangeStmt:
			drop(n.Key)
			drop(n.Value)
		}
		return true
	})
	return out
}

// passed returns which inputs of the function the receiver and the arguments of a call are.
func (p plain) passed(n *ast.CallExpr, fn *types.Func) (in outside.Inputs) {
	given := n.Args
	if fn.Signature().Recv() != nil {
		sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
		if s := p.g.info.Selections[sel]; !ok || s == nil || s.Kind() != types.MethodVal || len(s.Index()) > 1 {
			return 0
		}
		given = append([]ast.Expr{sel.X}, given...)
	}
	for i, e := range given {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok {
			if j, is := p.inputs[p.g.info.Uses[id]]; is {
				in = in.With(i, j)
			}
		}
	}
	return in
}

// ones returns which inputs of what a call runs, the receiver being the first, are the number 1, where no loop makes
// the call, and on what a call just before it gives.
func (p plain) ones(n *ast.CallExpr, fn *types.Func) (out []int) {
	sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
	if !ok || p.looped || fn.Signature().Recv() == nil || fn.Signature().Variadic() {
		return nil
	}
	if _, anew := ast.Unparen(sel.X).(*ast.CallExpr); !anew || len(n.Args) != fn.Signature().Params().Len() {
		return nil
	}
	const first = 1
	for i, arg := range n.Args {
		if v := p.g.info.Types[arg].Value; v != nil && v.ExactString() == "1" {
			out = append(out, first+i)
		}
	}
	return out
}

// Visit notes a call. It does not go into literals, and of a go statement only into
// what is worked out before.
func (p plain) Visit(n ast.Node) ast.Visitor {
	switch n := n.(type) {
	case *ast.FuncLit:
		return nil
	case *ast.GoStmt:
		for _, arg := range n.Call.Args {
			ast.Walk(p, arg)
		}
		return nil
	case *ast.ForStmt, *ast.RangeStmt:
		p.looped = true
	case *ast.LabeledStmt:
		p.looped = true // goto may lead back
	case *ast.CallExpr:
		p.call(n)
	}
	return p
}

func (p plain) call(n *ast.CallExpr) {
	id := calleeName(n.Fun)
	fn, _ := typeutil.Callee(p.g.info, n).(*types.Func)
	if id == nil || fn == nil {
		return
	}
	if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
		if !ok || !p.invoke(sel, fn, p.passed(n, fn)) {
			p.g.taken(fn)
		}
		return
	}
	if fn.Pkg() == nil || !p.g.inScope(fn.Pkg().Path()) {
		return
	}
	p.called[id] = true
	callee := p.g.name(fn)
	p.g.ref(p.from, fn, false)
	p.g.rec.Runs = append(p.g.rec.Runs, outside.Run{From: p.from, To: callee, Looped: p.looped, Again: p.looped, Inputs: p.passed(n, fn)})
	if fn.Pkg() == p.g.pkg {
		p.g.rec.Steps = append(p.g.rec.Steps, outside.Step{From: p.from, To: callee})
		return
	}
	inputs := fn.Signature().Params().Len()
	if fn.Signature().Recv() != nil {
		inputs++
	}
	p.g.rec.Calls = append(p.g.rec.Calls, outside.Call{
		Caller: p.from, Said: p.said, Callee: callee, Kind: summary.Direct, Init: p.init,
		Fates: slices.Repeat([]ownership.Fate{{Own: ownership.Shared}}, inputs), Ones: p.ones(n, fn),
	})
}

// invoke notes a call by an interface, if that is the module's.
func (p plain) invoke(sel *ast.SelectorExpr, fn *types.Func, in outside.Inputs) bool {
	called, ok := p.g.invoked(sel, fn)
	if ok {
		p.called[sel.Sel] = true
		p.g.add(outside.Ref{From: p.from, To: called})
		p.g.rec.Runs = append(p.g.rec.Runs, outside.Run{From: p.from, To: called, Looped: p.looped, Again: p.looped, Inputs: in})
	}
	return ok
}

// invoked returns the name of a method of an interface of the module, which is selected.
func (g *gatherer) invoked(sel *ast.SelectorExpr, fn *types.Func) (outside.Name, bool) {
	t := fn.Signature().Recv().Type()
	if s := g.info.Selections[sel]; s != nil && types.IsInterface(s.Recv()) {
		t = s.Recv() // which may have the method by another one that it embeds
	}
	iface, own := g.own(t)
	return outside.Method(iface, fn.Name()), own
}

// takeInvoked notes the methods of interfaces that a package which was not analysed uses otherwise than by
// plain calls.
func (g *gatherer) takeInvoked(called map[*ast.Ident]bool) {
	for sel, s := range g.info.Selections {
		fn, ok := s.Obj().(*types.Func)
		if !ok || called[sel.Sel] || !types.IsInterface(fn.Signature().Recv().Type()) {
			continue
		}
		if name, ok := g.invoked(sel, fn); ok {
			g.add(outside.Ref{To: name, Loose: true})
		}
	}
}

// calleeName returns the name in the expression of a function that is called.
func calleeName(fun ast.Expr) *ast.Ident {
	switch fun := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return fun
	case *ast.SelectorExpr:
		return fun.Sel
	case *ast.IndexExpr:
		return calleeName(fun.X)
	case *ast.IndexListExpr:
		return calleeName(fun.X)
	}
	return nil
}

// unconverted returns expressions whose value does not become one of an interface: something is selected
// of it, its address is taken, or a new variable of its type gets it.
func unconverted(files []*ast.File, info *types.Info) map[ast.Expr]bool {
	out := make(map[ast.Expr]bool)
	var add func(e ast.Expr)
	add = func(e ast.Expr) {
		out[e] = true
		if p, ok := e.(*ast.ParenExpr); ok {
			add(p.X)
		}
	}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				add(n.X)
			case *ast.StarExpr:
				add(n.X)
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					add(n.X)
				}
			case *ast.AssignStmt:
				for i, lhs := range n.Lhs {
					if id, ok := lhs.(*ast.Ident); ok && len(n.Lhs) == len(n.Rhs) && (info.Defs[id] != nil || id.Name == "_") {
						add(n.Rhs[i])
					}
				}
			}
			return true
		})
	}
	return out
}
