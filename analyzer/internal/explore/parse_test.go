package explore_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mapguard/mapguard/analyzer/internal/explore/program"
)

// reread puts the bodies of those functions into a program that are different in
// a later text of it, with the locks that the text declares. It returns an error
// for what the language of programs cannot say.
func reread(p *program.Program, before, after string) (changed []*program.Func, err error) {
	r := &reader{p: p, fset: token.NewFileSet()}
	defer func() {
		if e := recover(); e != nil {
			if why, ok := e.(unsaid); ok {
				err = why
				return
			}
			panic(e)
		}
	}()
	was, now := r.funcs(before), r.funcs(after)
	r.locks(after)
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if was[name].decl == nil {
			f := r.helper(now[name].decl)
			p.Funcs, changed = append(p.Funcs, f), append(changed, f)
		}
	}
	for _, f := range changed {
		f.Body = r.block(now[f.Name].decl.Body.List)
	}
	for _, f := range append(slices.Clone(p.Funcs), p.Main) {
		if f == nil {
			continue
		}
		name := f.Name
		if f == p.Main {
			name = "Run"
			if p.Command() {
				name = "main"
			}
		}
		if was[name].text == now[name].text || slices.Contains(changed, f) {
			continue
		}
		if f == p.Main || hides(f.Body) {
			return nil, unsaid("a function with goroutines is changed")
		}
		changed = append(changed, f)
		f.Body = r.block(now[name].decl.Body.List)
	}
	return changed, nil
}

// hides reports whether a body has statements that the source does not show.
func hides(body []program.Stmt) bool {
	found := false
	program.Each(body, func(s program.Stmt) {
		switch s := s.(type) {
		case *program.Unit, *program.Go, *program.Wait:
			found = true
		case *program.If:
			found = found || s.Dead
		}
	})
	return found
}

// unsaid is what the language cannot say.
type unsaid string

func (u unsaid) Error() string { return string(u) }

type reader struct {
	p    *program.Program
	fset *token.FileSet
}

type written struct {
	decl *ast.FuncDecl
	text string
}

func (r *reader) file(text string) *ast.File {
	f, err := parser.ParseFile(r.fset, "p.go", text, parser.SkipObjectResolution)
	if err != nil {
		panic(unsaid(err.Error()))
	}
	return f
}

func (r *reader) funcs(text string) map[string]written {
	out := make(map[string]written)
	for _, d := range r.file(text).Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			out[fn.Name.Name] = written{fn, text[r.fset.Position(fn.Pos()).Offset:r.fset.Position(fn.End()).Offset]}
		}
	}
	return out
}

// locks adds the locks that a text declares beyond those of the program.
func (r *reader) locks(text string) {
	add := func(names []*ast.Ident, typ ast.Expr) {
		sel, ok := typ.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Mutex" && sel.Sel.Name != "RWMutex" {
			return
		}
		for _, id := range names {
			if !slices.ContainsFunc(r.p.Locks, func(l *program.Lock) bool { return l.Name == id.Name }) {
				r.p.Locks = append(r.p.Locks, &program.Lock{Name: id.Name, RW: sel.Sel.Name == "RWMutex"})
			}
		}
	}
	for _, d := range r.file(text).Decls {
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				return false
			case *ast.Field:
				add(n.Names, n.Type)
			case *ast.ValueSpec:
				add(n.Names, n.Type)
			}
			return true
		})
	}
}

func (r *reader) block(list []ast.Stmt) []program.Stmt {
	var out []program.Stmt
	for _, s := range list {
		t := r.stmt(s)
		if ret, ok := t.(*program.Return); ok && len(ret.Xs) == 1 {
			out = append(out, taken(ret)...)
		}
		if t != nil {
			out = append(out, t)
		}
	}
	return out
}

func (r *reader) no(n ast.Node) unsaid { return unsaid(fmt.Sprintf("no statement for %T", n)) }

func (r *reader) stmt(s ast.Stmt) program.Stmt {
	switch s := s.(type) {
	case *ast.AssignStmt:
		return r.assign(s)
	case *ast.IncDecStmt:
		n := 1
		if s.Tok == token.DEC {
			n = -1
		}
		return r.add(s.X, &program.Lit{V: n})
	case *ast.ExprStmt:
		return r.call(s.X.(*ast.CallExpr), false)
	case *ast.DeferStmt:
		return r.call(s.Call, true)
	case *ast.DeclStmt:
		spec := s.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec)
		return &program.Var{Name: spec.Names[0].Name, T: typeOf(spec.Type)}
	case *ast.IfStmt:
		out := &program.If{Cond: r.expr(s.Cond), Then: r.block(s.Body.List)}
		if s.Init != nil {
			def, ok := r.stmt(s.Init).(*program.Define)
			if !ok {
				panic(r.no(s.Init))
			}
			out.Init = def
		}
		switch e := s.Else.(type) {
		case *ast.BlockStmt:
			out.Else = r.block(e.List)
		case *ast.IfStmt:
			out.Else = []program.Stmt{r.stmt(e)}
		}
		return out
	case *ast.RangeStmt:
		return r.walk(s)
	case *ast.ReturnStmt:
		out := &program.Return{}
		for _, x := range s.Results {
			out.Xs = append(out.Xs, r.expr(x))
		}
		return out
	}
	panic(r.no(s))
}

func (r *reader) walk(s *ast.RangeStmt) program.Stmt {
	name := func(e ast.Expr) string {
		if id, ok := e.(*ast.Ident); ok {
			return id.Name
		}
		return "_"
	}
	if lit, ok := s.X.(*ast.BasicLit); ok {
		n, _ := strconv.Atoi(lit.Value)
		v := ""
		if s.Key != nil {
			v = name(s.Key)
		}
		return &program.Loop{Var: v, N: n, Body: r.block(s.Body.List)}
	}
	m, ok := r.mapIndex(s.X)
	if !ok {
		panic(unsaid("a copy of a map is walked"))
	}
	return &program.Range{Map: m, K: name(s.Key), V: name(s.Value), Body: r.block(s.Body.List)}
}

func (r *reader) assign(s *ast.AssignStmt) program.Stmt {
	lhs := s.Lhs[0]
	switch s.Tok {
	case token.ADD_ASSIGN:
		return r.add(lhs, r.expr(s.Rhs[0]))
	case token.DEFINE, token.ASSIGN:
	default:
		panic(r.no(s))
	}
	if x, ok := lhs.(*ast.IndexExpr); ok {
		m, _ := r.mapIndex(x.X)
		return &program.Set{Map: m, Key: r.expr(x.Index), X: r.expr(s.Rhs[0])}
	}
	if m, ok := r.mapIndex(lhs); ok {
		return &program.Make{Map: m}
	}
	var names []string
	blank := true
	for _, l := range s.Lhs {
		id, ok := l.(*ast.Ident)
		if !ok {
			panic(r.no(s))
		}
		names = append(names, id.Name)
		blank = blank && id.Name == "_"
	}
	if _, ref := s.Rhs[0].(*ast.Ident); ref && blank {
		return nil
	}
	if s.Tok == token.DEFINE || blank {
		return &program.Define{Names: names, X: r.expr(s.Rhs[0])}
	}
	return &program.Assign{Names: names, X: r.expr(s.Rhs[0])}
}

func (r *reader) add(to ast.Expr, x program.Expr) program.Stmt {
	switch to := to.(type) {
	case *ast.IndexExpr:
		m, _ := r.mapIndex(to.X)
		return &program.Add{Map: m, Key: r.expr(to.Index), X: x}
	case *ast.SelectorExpr:
		return &program.SetField{Item: r.expr(to.X), X: x}
	}
	panic(r.no(to))
}

// own returns the name of a field or method of the object.
func (r *reader) own(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		if r.p.Global {
			return e.Name
		}
	case *ast.SelectorExpr:
		if id, ok := e.X.(*ast.Ident); ok && id.Name == "s" {
			return e.Sel.Name
		}
	}
	return ""
}

func (r *reader) mapIndex(e ast.Expr) (int, bool) {
	name := r.own(e)
	i := slices.IndexFunc(r.p.Maps, func(m *program.Map) bool { return m.Name == name })
	return i, i >= 0 && name != ""
}

var lockKinds = map[string]program.LockKind{"Lock": program.Acquire, "RLock": program.AcquireRead, "Unlock": program.Release, "RUnlock": program.ReleaseRead}

func (r *reader) call(c *ast.CallExpr, deferred bool) program.Stmt {
	if sel, ok := c.Fun.(*ast.SelectorExpr); ok {
		name := r.own(sel.X)
		i := slices.IndexFunc(r.p.Locks, func(l *program.Lock) bool { return l.Name == name })
		if kind, ok := lockKinds[sel.Sel.Name]; ok && i >= 0 && name != "" {
			return &program.LockOp{Lock: i, Kind: kind, Deferred: deferred}
		}
	}
	if deferred {
		panic(r.no(c))
	}
	if id, ok := c.Fun.(*ast.Ident); ok && (id.Name == "delete" || id.Name == "clear") {
		m, _ := r.mapIndex(c.Args[0])
		if id.Name == "clear" {
			return &program.Clear{Map: m}
		}
		return &program.Delete{Map: m, Key: r.expr(c.Args[1])}
	}
	name := r.own(c.Fun)
	if name == "notify" {
		return &program.Emit{Key: r.expr(c.Args[0])}
	}
	if lit, ok := first(c.Args).(*ast.FuncLit); ok {
		for i, l := range r.p.Locks {
			with := "with" + strings.ToUpper(l.Name[:1]) + l.Name[1:]
			if name == with || name == with+"Read" {
				return &program.Within{Lock: i, Read: name != with, Body: r.block(lit.Body.List)}
			}
		}
		panic(r.no(c))
	}
	return &program.Do{Call: r.expr(c).(*program.Call)}
}

func first(xs []ast.Expr) ast.Expr {
	if len(xs) == 0 {
		return nil
	}
	return xs[0]
}

func typeOf(e ast.Expr) program.Type {
	switch e := e.(type) {
	case *ast.StarExpr:
		return program.Item
	case *ast.Ident:
		if e.Name == "bool" {
			return program.Bool
		}
	}
	return program.Int
}

func (r *reader) expr(e ast.Expr) program.Expr {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return r.expr(e.X)
	case *ast.BasicLit:
		n, _ := strconv.Atoi(e.Value)
		return &program.Lit{V: n}
	case *ast.Ident:
		switch e.Name {
		case "nil":
			return &program.Lit{T: program.Item}
		case "true":
			return &program.Lit{V: 1, T: program.Bool}
		case "false":
			return &program.Lit{T: program.Bool}
		}
		return &program.Ref{Name: e.Name}
	case *ast.UnaryExpr:
		switch e.Op {
		case token.NOT:
			return &program.Not{X: r.expr(e.X)}
		case token.SUB:
			lit, ok := r.expr(e.X).(*program.Lit)
			if !ok {
				panic(r.no(e))
			}
			return &program.Lit{V: -lit.V}
		case token.AND:
			return &program.NewItem{N: r.expr(e.X.(*ast.CompositeLit).Elts[0].(*ast.KeyValueExpr).Value)}
		}
	case *ast.BinaryExpr:
		if m, ok := r.mapIndex(e.X); ok {
			if e.Op == token.NEQ {
				return &program.Not{X: &program.IsNil{Map: m}}
			}
			return &program.IsNil{Map: m}
		}
		return &program.Bin{Op: e.Op.String(), X: r.expr(e.X), Y: r.expr(e.Y)}
	case *ast.IndexExpr:
		if m, ok := r.mapIndex(e.X); ok {
			return &program.Index{Map: m, Key: r.expr(e.Index)}
		}
	case *ast.SelectorExpr:
		return &program.Field{X: r.expr(e.X)}
	case *ast.CallExpr:
		return r.callExpr(e)
	}
	panic(r.no(e))
}

func (r *reader) callExpr(e *ast.CallExpr) program.Expr {
	if id, ok := e.Fun.(*ast.Ident); ok && id.Name == "len" {
		if m, ok := r.mapIndex(e.Args[0]); ok {
			return &program.Len{Map: m}
		}
	}
	name := r.own(e.Fun)
	for _, f := range r.p.Funcs {
		if f.Name != name || f.Handler {
			continue
		}
		c := &program.Call{F: f}
		for _, a := range e.Args {
			c.Args = append(c.Args, r.expr(a))
		}
		return c
	}
	panic(r.no(e))
}
