package fix

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
)

// passedOut returns the places at which a function passes one of the maps to a
// function of another package, which reads it there: as an argument, also in an
// interface, or as a part of what that package declares. Those are accesses that need the new lock, too.
func (p *mutexPlan) passedOut(s *scene) []ast.Expr {
	var out []ast.Expr
	ast.Inspect(s.body.block, func(n ast.Node) bool {
		out = append(out, p.putOut(s, n)...)
		call, ok := n.(*ast.CallExpr)
		if !ok || s.body.conversion(call) || s.path(call.Pos()) == nil {
			return true
		}
		fn := p.m.calleeOf(call)
		if fn == nil && isBuiltin(s.body.info, call) || fn != nil && fn.Pkg() != nil && (fn.Pkg() == p.m.pass.Pkg || fn.Pkg().Path() == "maps") {
			return true
		}
		for _, arg := range call.Args {
			if slices.ContainsFunc(p.home.vars, func(v *types.Var) bool { return s.isMapOf(arg, v) }) {
				out = append(out, arg)
			}
		}
		return true
	})
	return out
}

// putOut returns what puts one of the maps into something that other code reads: an element of a literal, or a side of an assignment, that is
// of a type or a field which the package does not declare, or an interface.
func (p *mutexPlan) putOut(s *scene, n ast.Node) (out []ast.Expr) {
	put := func(e ast.Expr, away bool) {
		if away && s.path(e.Pos()) != nil && slices.ContainsFunc(p.home.vars, func(v *types.Var) bool { return s.isMapOf(e, v) }) {
			out = append(out, e)
		}
	}
	switch n := n.(type) {
	case *ast.CompositeLit:
		t := types.Unalias(s.body.info.TypeOf(n))
		if to, ok := t.(*types.Pointer); ok {
			t = types.Unalias(to.Elem()) // the literal is written without its type
		}
		for i, e := range n.Elts {
			var key ast.Expr
			if kv, keyed := e.(*ast.KeyValueExpr); keyed {
				key, e = kv.Key, kv.Value
			}
			put(e, p.foreign(t) || types.IsInterface(s.elementType(t, key, i)))
		}
	case *ast.AssignStmt:
		for i, l := range n.Lhs {
			if len(n.Rhs) == len(n.Lhs) {
				sel, _ := ast.Unparen(l).(*ast.SelectorExpr)
				field := sel != nil && p.ofOthers(s.body.info.Uses[sel.Sel])
				to := s.body.info.TypeOf(l) // none of the blank name
				put(n.Rhs[i], field || to != nil && types.IsInterface(to))
			}
		}
	}
	return out
}

// foreign reports whether a type is that of a struct which the package does not declare with a name.
func (p *mutexPlan) foreign(t types.Type) bool {
	if named, ok := t.(*types.Named); ok {
		return p.ofOthers(named.Obj())
	}
	_, ok := t.(*types.Struct)
	return ok
}

func (p *mutexPlan) ofOthers(obj types.Object) bool { return obj != nil && obj.Pkg() != p.m.pass.Pkg }

// elementType is the type that an element of a literal gets, by its key or its place; the type of the literal where there is none.
func (s *scene) elementType(t types.Type, key ast.Expr, i int) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if id, ok := key.(*ast.Ident); ok && s.body.info.Uses[id] != nil {
			return s.body.info.Uses[id].Type()
		}
		if key == nil && i < u.NumFields() {
			return u.Field(i).Type()
		}
	case interface{ Elem() types.Type }:
		return u.Elem()
	}
	return t
}

// putsOut reports whether a function puts one of the maps into something that other code reads: a copy would not do, since the code
// that gets it there may change it for the package.
func (p *mutexPlan) putsOut(s *scene) (puts bool) {
	ast.Inspect(s.body.block, func(n ast.Node) bool {
		puts = puts || n != nil && len(p.putOut(s, n)) > 0
		return !puts
	})
	return puts
}

// passers returns the functions that only pass one of the maps on.
func (p *mutexPlan) passers() []*infer.Func {
	var out []*infer.Func
	for _, f := range p.m.in.Pkg.Funcs {
		if p.takers[f] || f.SSA.Syntax() == nil {
			continue
		}
		if s := p.m.scene(f, p.lock); s != nil && len(p.passedOut(s)) > 0 {
			p.takers[f] = true
			out = append(out, f)
		}
	}
	return out
}

func isBuiltin(info *types.Info, call *ast.CallExpr) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	_, ok = info.Uses[id].(*types.Builtin)
	return ok
}

// copies passes copies on in place of the maps, each made under the lock in front
// of its statement. Who gets it sees what was in the map then; what it saw later,
// it saw in a race.
func (p *mutexPlan) copies(s *scene) ([]analysis.TextEdit, refusal) {
	const gone = "the map is passed to a function of another package, which reads it"
	var edits []analysis.TextEdit
	if p.putsOut(s) {
		return nil, "the map is put into something that other code reads, or may change"
	}
	passed := p.passedOut(s)
	for _, e := range passed {
		if refused := s.newName(p.home, e.Pos()); refused != "" {
			return nil, refused
		}
		ls := s.levels(e.Pos())
		st, ok := ls[len(ls)-1].stmt().(*ast.ExprStmt)
		alone := !slices.ContainsFunc(s.lacking(), func(a *access.Access) bool { return ok && within(st, a.Pos) })
		if !ok || !alone || s.conditional(e, st) || s.body.calls(st, st.Pos(), e.Pos()) || isMap(s.body.info.TypeOf(e).Underlying().(*types.Map).Elem()) {
			return nil, gone
		}
		clone, imports := p.m.library(s, "maps", "Clone")
		name := s.fresh(others["map"]...)
		if clone == "" || name == "" || !s.inScope(st.Pos()) {
			return nil, gone
		}
		take, release := s.opens(e.Pos(), e.End(), false)
		indent := s.src.indent(st.Pos())
		edits = append(edits, imports...)
		edits = append(edits, insert(st.Pos(), take+"\n"+indent+name+" := "+clone+"("+s.src.of(e)+")\n"+indent+release+"\n"+indent), replace(e, name))
	}
	for _, e := range passed {
		s.barred = append(s.barred, e.Pos())
	}
	return edits, ""
}
