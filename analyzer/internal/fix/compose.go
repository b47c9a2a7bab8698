package fix

import (
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A joint is a call of a helper in a section that covers several: it becomes one
// of the helper's variant.
type joint struct {
	*helper
	call *ast.CallExpr
}

// compose finds the calls in a stretch of the function that take the lock of the
// pair, with their variants.
func (p *pair) compose(from, to token.Pos) (why refusal) {
	p.joints = nil
	ast.Inspect(p.body.block, func(n ast.Node) bool {
		if _, lit := n.(*ast.FuncLit); lit || why != "" {
			return false
		}
		if _, spawned := n.(*ast.GoStmt); spawned {
			return false // it waits for the lock, and holds none
		}
		call, ok := n.(*ast.CallExpr)
		if !ok || call.Pos() < from || to <= call.Pos() {
			return true
		}
		h, refused := p.m.helper(call, p.lock)
		if h == nil && refused == "" {
			h, refused = p.literal(call)
		}
		if why = refused; h == nil || why != "" {
			return why == ""
		}
		if p.lock.IsField() && h.decl != nil {
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if !ok || p.in(sel.X) != p.text {
				why = refusal(h.f.Name + " takes the " + p.lock.Name() + " of another object in between")
				return false
			}
		}
		p.joints = append(p.joints, joint{h, call})
		return true
	})
	return why
}

// skip reports whether a place has an operation on the lock, or a call that will
// be one of a helper's variant.
func (p *pair) skip(pos token.Pos) bool {
	return p.op(pos) || slices.ContainsFunc(p.joints, func(j joint) bool { return j.call.Lparen == pos })
}

// composed makes the calls of helpers calls of their variants.
func (p *pair) composed() []analysis.TextEdit {
	var edits []analysis.TextEdit
	var done []*ast.FuncDecl
	for _, j := range p.joints {
		if j.decl == nil {
			edits = append(edits, j.edits()...)
			continue
		}
		edits = append(edits, replace(calledIdent(j.call), j.name))
		if !slices.Contains(done, j.decl) {
			done = append(done, j.decl)
			edits = append(edits, j.edits()...)
		}
	}
	return edits
}

// takesAlready reports whether the function, as it is, takes the write lock in
// any case where a region begins: a section that begins there waits for nothing
// that it did not wait for before.
func (p *pair) takesAlready(r region) bool {
	for _, o := range p.ops {
		if o.level.stmt() == r.first() && o.takes && !o.reads() {
			return true
		}
	}
	var call *ast.CallExpr
	switch st := r.first().(type) {
	case *ast.ExprStmt:
		call, _ = st.X.(*ast.CallExpr)
	case *ast.AssignStmt:
		if len(st.Rhs) == 1 {
			call, _ = ast.Unparen(st.Rhs[0]).(*ast.CallExpr)
		}
	case *ast.IfStmt:
		if def, ok := st.Init.(*ast.AssignStmt); ok && len(def.Rhs) == 1 {
			call, _ = ast.Unparen(def.Rhs[0]).(*ast.CallExpr)
		}
	}
	return slices.ContainsFunc(p.joints, func(j joint) bool { return j.call == call && j.writes() })
}

// heldHere reports whether the function itself holds the lock at a step: where it
// is made in a callee, at the call.
func (p *pair) heldHere(pos token.Pos) bool {
	i := slices.IndexFunc(p.f.Calls, func(c summary.Call) bool { return c.Pos == pos })
	if i >= 0 {
		return slices.ContainsFunc(p.f.Calls[i].Held.Locks(), func(l locks.Lock) bool {
			return l.Can&locks.Taken != 0 && l.Path.Location().Var == p.lock
		})
	}
	for i := range p.f.Accesses {
		if a := &p.f.Accesses[i]; a.Pos == pos && p.holds(a) {
			return true
		}
	}
	return false
}
