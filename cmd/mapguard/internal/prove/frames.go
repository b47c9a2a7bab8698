package prove

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// frames puts hooks at the begin of functions that have a look and its act,
// into the literals in them that may run elsewhere, and at the gaps in between.
func (m *module) frames(fns []*function, targets []*target) {
	for _, fn := range fns {
		w := m.free(fn.file)
		v := fmt.Sprintf("%sFrame%d", probes, fn.id)
		m.literals(w, fn, v)
		w.open(fn.body.Lbrace+1, fn.body, fmt.Sprintf(" %s := %s.Enter(%d, %t); defer %s.Leave();", v, probes, fn.id, fn.async, v))
	}
	g := &gapper{module: m, at: make(map[spot]bool)}
	for _, t := range targets {
		if t.body != nil {
			g.after(t.body, t.from)
			g.before(t.body, t.to)
			for _, s := range t.Trace {
				if sp := m.spot(s.Pos); sp.file == t.from.file {
					g.after(t.body, sp)
				}
			}
		}
	}
	for _, f := range sorted(m.files) {
		g.locks(f)
	}
}

// free is a rewriter for edits that belong to no operation.
func (m *module) free(f *file) *rewriter {
	return &rewriter{m, &operation{id: -1, file: f}}
}

// literals lets the function literals of a function take part in its calls.
func (m *module) literals(w *rewriter, fn *function, v string) {
	ast.Inspect(fn.body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			fn.async = true
			w.open(lit.Body.Lbrace+1, lit.Body, fmt.Sprintf(" defer %s.In().Leave(); %s;", v, w.gap(lit.Body.Lbrace)))
		}
		return true
	})
}

// gap is the hook of a gap; its number is its place.
func (m *module) gap(at token.Pos) string { return fmt.Sprintf("%s.Gap(%d)", probes, at) }

// gapper puts hooks at gaps, each once.
type gapper struct {
	*module
	at map[spot]bool
}

func (g *gapper) once(f *file, at token.Pos) bool {
	s := spot{f, g.offset(at)}
	if g.at[s] {
		return false
	}
	g.at[s] = true
	return true
}

// after puts a gap after the statement of a place, before one before it.
func (g *gapper) after(fn *function, at spot) {
	if s := g.statement(fn, at); s != nil && !leaves(s) && g.once(fn.file, s.End()) {
		g.free(fn.file).close(s.End(), s, "; "+g.gap(s.End()))
	}
}

func (g *gapper) before(fn *function, at spot) {
	if s := g.statement(fn, at); s != nil && g.once(fn.file, s.Pos()) {
		g.free(fn.file).open(s.Pos(), s, g.gap(s.Pos())+"; ")
	}
}

// leaves reports whether nothing can come after a statement: what is put there
// could be refused, or end a function without its return.
func leaves(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.AssignStmt, *ast.IncDecStmt, *ast.DeclStmt, *ast.DeferStmt, *ast.GoStmt, *ast.RangeStmt:
		return false
	case *ast.ExprStmt:
		return false
	case *ast.IfStmt:
		return s.Else != nil
	case *ast.LabeledStmt:
		return leaves(s.Stmt)
	}
	return true
}

// statement returns the innermost statement of a list that has a place.
func (g *gapper) statement(fn *function, at spot) (found ast.Stmt) {
	var path []ast.Node
	ast.Inspect(fn.body, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		if at.offset < g.offset(n.Pos()) || at.offset >= g.offset(n.End()) {
			return false
		}
		if s, ok := n.(ast.Stmt); ok && listed(s, path) {
			if _, clause := s.(*ast.CaseClause); !clause {
				if _, comm := s.(*ast.CommClause); !comm {
					found = s
				}
			}
		}
		path = append(path, n)
		return true
	})
	return found
}

// locks puts gaps before statements that take a lock and after those that
// release one, and tells which locks goroutines hold.
func (g *gapper) locks(f *file) {
	var path []ast.Node
	ast.Inspect(f.ast, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		switch s := n.(type) {
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); ok && listed(s, path) {
				g.lock(f, s, call)
			}
		case *ast.DeferStmt:
			if sel, ok := s.Call.Fun.(*ast.SelectorExpr); ok && listed(s, path) && isUnlock(sel.Sel.Name) {
				if _, of, ok := f.lock(g.module, sel); ok { // deferred before, it runs after
					g.free(f).open(s.Pos(), s, fmt.Sprintf("defer %s.Unlocked(%s); ", probes, of))
				}
			}
		}
		path = append(path, n)
		return true
	})
}

// lock puts hooks at a statement that takes or releases a lock.
func (g *gapper) lock(f *file, s *ast.ExprStmt, call *ast.CallExpr) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	w := g.free(f)
	name, of, known := f.lock(g.module, sel)
	switch {
	case isUnlock(sel.Sel.Name):
		if known {
			w.open(s.Pos(), s, fmt.Sprintf("%s.Unlocked(%s); ", probes, of))
		}
		if g.once(f, s.End()) {
			w.close(s.End(), s, "; "+g.gap(s.End()))
		}
	case isLock(sel.Sel.Name):
		if g.once(f, s.Pos()) {
			w.open(s.Pos(), s, g.gap(s.Pos())+"; ")
		}
		if known {
			w.close(s.End(), s, fmt.Sprintf("; %s.Locked(%q, %s)", probes, name, of))
		}
	}
}

// lock names the lock whose method is called, and writes what its identity is
// taken of: the embedded field where the method is promoted.
func (f *file) lock(m *module, sel *ast.SelectorExpr) (name, of string, ok bool) {
	s := f.pkg.TypesInfo.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal || s.Type().(*types.Signature).Params().Len() > 0 || !f.steady(sel.X) {
		return "", "", false
	}
	name = f.text(m, sel.X)
	of = name
	t := s.Recv()
	addressable := isPointer(t) || f.addressable(sel.X)
	for _, i := range s.Index()[:len(s.Index())-1] {
		u, isStruct := deref(t.Underlying()).Underlying().(*types.Struct)
		if _, ident := ast.Unparen(sel.X).(*ast.Ident); !isStruct || isPointer(t) && (of != name || !ident) {
			return "", "", false
		}
		field := u.Field(i)
		if !field.Exported() && field.Pkg() != f.pkg.Types {
			return "", "", false
		}
		of += "." + field.Name()
		addressable = addressable || isPointer(t)
		t = field.Type()
	}
	if sel.Sel.Name[0] == 'R' {
		name += " (read)"
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return name, of, true
	}
	return name, "&" + of, addressable
}

// steady reports whether an expression can be evaluated beside the call of its
// method without a difference: what it goes through is a variable of its own, or
// a part of it, which stays where it is in between.
func (f *file) steady(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		if f.pkg.TypesInfo.Selections[e] == nil {
			return true // of another package
		}
		if _, ident := ast.Unparen(e.X).(*ast.Ident); ident {
			return true
		}
		return f.steady(e.X) && !isPointer(f.pkg.TypesInfo.TypeOf(e.X))
	}
	return false
}
