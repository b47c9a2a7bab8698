package fix

import (
	"go/ast"
	"go/token"
	"go/types"
)

// skips reports whether a return at the second look would leave out what must be done: the function has begun something
// since the first look, and goes on with it behind the place.
//
// Where it has done nothing since the first look, it is as if it came there now, when the entry is there. Else what is
// left out may be what ends it: a claim is given up, those are told who wait for it, a lock is released, something is closed.
func (r *recheck) skips(is *ast.IfStmt) bool {
	if !r.acts(is.End(), r.taking.Pos()) {
		return false
	}
	from := r.taking.End()
	for _, l := range r.levels(r.taking.Pos()) {
		switch l.stmt().(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if !within(l.stmt(), r.look.Pos) {
				from = min(from, l.stmt().Pos()) // the rounds to come are left out, too
			}
		}
	}
	return r.body.jumps() || r.acts(from, r.body.block.End())
}

// acts reports whether a stretch of the function has an effect on others, the insertion and the lock left out.
func (r *recheck) acts(from, to token.Pos) bool {
	found := false
	ast.Inspect(r.body.block, func(n ast.Node) bool {
		if n == nil || found || n.End() <= from || to <= n.Pos() {
			return false
		}
		if st, ok := n.(ast.Stmt); ok && (r.isOp(st) || r.makes(st)) {
			return false
		}
		if from <= n.Pos() && n.End() <= to {
			found = r.effect(n)
		}
		_, lit := n.(*ast.FuncLit) // what calls it counts
		return !found && !lit
	})
	return found
}

// effect reports whether a node by itself does something that others can notice.
func (r *recheck) effect(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		return r.body.calls(n, n.Pos(), n.End())
	case *ast.SendStmt, *ast.GoStmt, *ast.DeferStmt:
		return true
	case *ast.UnaryExpr:
		return n.Op == token.ARROW
	case *ast.IncDecStmt:
		return !r.local(n.X)
	case *ast.RangeStmt:
		_, channel := r.body.info.TypeOf(n.X).Underlying().(*types.Chan)
		return channel
	case *ast.AssignStmt:
		for _, l := range n.Lhs {
			if !r.local(l) {
				return true
			}
		}
	}
	return false
}

// makes reports whether a statement is the insertion, or defines what that puts in.
func (r *recheck) makes(st ast.Stmt) bool {
	a, ok := st.(*ast.AssignStmt)
	if !ok || within(a, r.act.Pos) {
		return ok
	}
	value := r.inserted()
	if value == nil || a.Pos() < r.taking.End() {
		return false
	}
	for _, l := range a.Lhs {
		if !r.local(l) {
			return false
		}
	}
	id, ok := ast.Unparen(a.Lhs[0]).(*ast.Ident)
	return ok && r.body.info.ObjectOf(id) == value
}

// inserted returns the variable whose value is inserted; nil if it is no such value.
func (r *recheck) inserted() types.Object {
	for _, l := range r.levels(r.act.Pos) {
		a, ok := l.stmt().(*ast.AssignStmt)
		if !ok || len(a.Rhs) != 1 {
			continue
		}
		if id, ok := ast.Unparen(a.Rhs[0]).(*ast.Ident); ok {
			return r.body.info.Uses[id]
		}
	}
	return nil
}

// local reports whether an expression is a variable of the function itself.
func (r *recheck) local(x ast.Expr) bool {
	id, ok := ast.Unparen(x).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := r.body.info.ObjectOf(id).(*types.Var)
	return id.Name == "_" || ok && (within(r.body.typ, v.Pos()) || within(r.body.block, v.Pos()))
}

// partMadeBefore reports whether a field of what the function itself has in a variable by then is nothing that can be dropped.
func (r *recheck) partMadeBefore(sel *ast.SelectorExpr, at token.Pos) bool {
	x := ast.Unparen(sel.X)
	for part, ok := x.(*ast.SelectorExpr); ok; part, ok = x.(*ast.SelectorExpr) {
		x = ast.Unparen(part.X)
	}
	id, ok := x.(*ast.Ident)
	if !ok {
		return false
	}
	v, t := r.body.info.Uses[id], r.body.info.TypeOf(sel)
	own := v != nil && within(r.body.block, v.Pos()) && v.Pos() < at
	return own && !basic(t) && !r.m.droppable(t)
}
