package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
)

// walkedEntry reports whether an entry of the map can be read in front of a loop over it: what is walked
// is evaluated once. The elements are then read without the lock, so the entry must be a
// slice to which the package does nothing but append: nothing that is in it changes.
func (s *scene) walkedEntry(x ast.Expr) bool {
	index, ok := ast.Unparen(x).(*ast.IndexExpr)
	if !ok || !isMap(s.body.info.TypeOf(index.X)) {
		return false
	}
	t := s.body.info.TypeOf(index)
	if _, slice := t.Underlying().(*types.Slice); !slice {
		return false
	}
	v := s.mapOf(index)
	if v == nil || v.Pkg() != s.m.pass.Pkg || s.m.elsewhere(v) {
		return false
	}
	ok = true
	for _, file := range s.m.pass.Files {
		b := &body{info: s.m.pass.TypesInfo}
		for _, d := range file.Decls {
			fn, isFunc := d.(*ast.FuncDecl)
			if !isFunc || fn.Body == nil {
				continue
			}
			b.typ, b.block = fn.Type, fn.Body
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				if e, isIndex := n.(*ast.IndexExpr); isIndex && s.mapOf(e) == v && !s.onlyGrows(b, e) {
					ok = false
				}
				return ok
			})
		}
	}
	return ok
}

// mapOf returns the field or variable of the map that is indexed.
func (s *scene) mapOf(index *ast.IndexExpr) *types.Var {
	var id *ast.Ident
	switch x := ast.Unparen(index.X).(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	default:
		return nil
	}
	v, _ := s.body.info.Uses[id].(*types.Var)
	return v
}

// onlyGrows reports whether a use of an entry leaves what is in it: it is walked,
// measured, returned, asked for, or appended to where it is.
func (s *scene) onlyGrows(b *body, e *ast.IndexExpr) bool {
	parents := b.parents(e)
	if len(parents) == 0 {
		return false
	}
	switch p := parents[0].(type) {
	case *ast.RangeStmt, *ast.ReturnStmt:
		return true
	case *ast.CallExpr:
		return b.builtin(p, "len") || b.builtin(p, "append") && len(p.Args) > 0 && p.Args[0] == ast.Expr(e) && s.storedBack(b, p, e)
	case *ast.AssignStmt:
		if len(p.Lhs) == 2 && len(p.Rhs) == 1 && p.Rhs[0] == ast.Expr(e) {
			id, ok := p.Lhs[0].(*ast.Ident)
			return ok && id.Name == "_"
		}
		if len(p.Lhs) != 1 || p.Lhs[0] != ast.Expr(e) || p.Tok != token.ASSIGN {
			return false
		}
		call, ok := ast.Unparen(p.Rhs[0]).(*ast.CallExpr)
		return ok && b.builtin(call, "append") && len(call.Args) > 0 && sameEntry(b, call.Args[0], e)
	}
	return false
}

// storedBack reports whether what an append to an entry gives is stored in that entry.
func (s *scene) storedBack(b *body, call *ast.CallExpr, e *ast.IndexExpr) bool {
	parents := b.parents(call)
	if len(parents) == 0 {
		return false
	}
	a, ok := parents[0].(*ast.AssignStmt)
	return ok && len(a.Lhs) == 1 && sameEntry(b, a.Lhs[0], e)
}

// sameEntry reports whether two expressions read one entry of one map.
func sameEntry(b *body, x, y ast.Expr) bool {
	p, ok := ast.Unparen(x).(*ast.IndexExpr)
	q, ok2 := ast.Unparen(y).(*ast.IndexExpr)
	return ok && ok2 && b.same(p.X, q.X) && b.same(p.Index, q.Index)
}

// readAtFirst returns the entry of the key at hand that the first statement of a loop's body
// reads, nil if it reads none, and whether the points are no other places than that and the
// loop's own.
func (s *scene) readAtFirst(st *ast.RangeStmt, points []point) (read *ast.IndexExpr, all bool) {
	if len(st.Body.List) > 0 {
		read = s.readOfKey(st, headOf(st.Body.List[0]))
	}
	return read, !slices.ContainsFunc(points, func(p point) bool {
		read := read != nil && within(read, p.pos)
		return p.writes || p.pos >= st.Body.Pos() && !read
	})
}

// headOf returns what is evaluated first of a statement, nil if it is not plain.
func headOf(st ast.Stmt) ast.Stmt {
	switch st := st.(type) {
	case *ast.AssignStmt:
		return st
	case *ast.IfStmt:
		if st.Init != nil {
			return headOf(st.Init)
		}
	}
	return nil
}

// readOfKey returns the entry that the right side of an assignment reads, before anything
// runs: of the map that a loop walks, under its key. It is nil if there is none.
func (s *scene) readOfKey(st *ast.RangeStmt, first ast.Stmt) *ast.IndexExpr {
	a, ok := first.(*ast.AssignStmt)
	key, isName := st.Key.(*ast.Ident)
	if !ok || !isName || st.Tok != token.DEFINE || len(a.Rhs) != 1 {
		return nil
	}
	x, ok := ast.Unparen(a.Rhs[0]).(*ast.IndexExpr)
	if !ok || !s.body.same(x.X, st.X) {
		return nil
	}
	if id, ok := ast.Unparen(x.Index).(*ast.Ident); !ok || s.body.info.Uses[id] != s.body.info.Defs[key] {
		return nil
	}
	return x
}

// oneWalk reports whether one place is that of a loop over a map, and the other one stands where
// its body begins by reading the entry that it has come to: a copy serves both.
func (s *scene) oneWalk(x, y token.Pos) bool {
	for _, n := range s.path(x) {
		if st, ok := n.(*ast.RangeStmt); ok && x < st.Body.Pos() {
			_, all := s.readAtFirst(st, []point{{pos: y}})
			return all && y >= st.Body.Pos()
		}
	}
	return false
}

// plainEntry reports whether an expression is an entry of a map that is read without an effect: evaluated in front of its
// statement, which evaluates it first and once, it is the same.
func (s *scene) plainEntry(x ast.Expr) bool {
	index, ok := ast.Unparen(x).(*ast.IndexExpr)
	if !ok || !isMap(s.body.info.TypeOf(index.X)) || !s.plain(index.X) {
		return false
	}
	return !s.body.calls(index.Index, index.Index.Pos(), index.Index.End()) && !s.receives(index.Index, index.Index.End())
}

// dropsOthers reports whether the body of a loop over a map takes entries out of that map, here or in what it calls, other
// than the one at hand: the loop does not come to these, but it would come to them in a copy.
func (s *scene) dropsOthers(st *ast.RangeStmt) bool {
	walked := make(map[accesspath.Location]bool)
	for i := range s.f.Accesses {
		if a := &s.f.Accesses[i]; a.Op == access.Range && st.Pos() <= a.Pos && a.Pos < st.Body.Pos() {
			walked[a.Path.Location()] = true
		}
	}
	return slices.ContainsFunc(s.f.Accesses, func(a access.Access) bool {
		drops := a.Op == access.Clear || a.Op.Deletes() && !atHand(a.Key, st)
		return drops && within(st.Body, a.Pos) && walked[a.Path.Location()]
	})
}

// atHand reports whether a key is that of the entry to which a loop has come, and not that of one in its body.
func atHand(key accesspath.Path, st *ast.RangeStmt) bool {
	if !key.Known() || key.Depth() > 0 {
		return false
	}
	e, ok := key.Root().Val.(*ssa.Extract)
	if !ok {
		return false
	}
	next, ok := e.Tuple.(*ssa.Next)
	return ok && e.Index == 1 && !within(st.Body, next.Iter.Pos())
}
