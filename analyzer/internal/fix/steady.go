package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// readsSame reports whether a method that reads a field through a pointer to its receiver finds there what was in it when the method
// was called: the field keeps its value once the object is made, or nothing runs before it is read.
func (m *Maker) readsSame(d *ast.FuncDecl, b *body, field *ast.SelectorExpr) bool {
	return m.keeps(field) || m.readsFirst(d, b, field)
}

// keeps reports whether nothing assigns a field, a part of it, or takes its address. Code of others cannot, since it cannot name it.
func (m *Maker) keeps(field *ast.SelectorExpr) bool {
	s := m.pass.TypesInfo.Selections[field]
	v := s.Obj().(*types.Var)
	if len(s.Index()) > 1 || v.Embedded() || v.Exported() {
		return false
	}
	for _, file := range m.pass.Files {
		kept := true
		ast.PreorderStack(file, nil, func(n ast.Node, around []ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && m.pass.TypesInfo.Uses[sel.Sel] == types.Object(v) {
				kept = kept && m.readsPart(sel, reversed(around))
			}
			return kept
		})
		if !kept {
			return false
		}
	}
	return true
}

func reversed(nodes []ast.Node) []ast.Node {
	out := slices.Clone(nodes)
	slices.Reverse(out)
	return out
}

// readsFirst reports whether nothing of a method that could change the object runs before it reads a field.
func (m *Maker) readsFirst(d *ast.FuncDecl, b *body, field *ast.SelectorExpr) bool {
	end := field.End()
	around := b.parents(field)
	for _, n := range around {
		if st, ok := n.(ast.Stmt); ok {
			end = st.End() // in one statement the order is open
			break
		}
	}
	for _, n := range around {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			end = max(end, n.End())
		}
	}
	first := true
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.LabeledStmt:
			first = false
		case nil:
			return true
		}
		if n.Pos() < end && m.acts(n) && (n.Pos() > field.Pos() || n.End() <= field.Pos() || inLoop(around)) {
			first = false
		}
		return first
	})
	return first
}

func inLoop(around []ast.Node) bool {
	for _, n := range around {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return true
		}
	}
	return false
}

// acts reports whether a node may change an object by itself, or lets other code run that does.
func (m *Maker) acts(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		return !m.pass.TypesInfo.Types[n.Fun].IsType() && !isBuiltin(m.pass.TypesInfo, n)
	case *ast.UnaryExpr:
		return n.Op == token.ARROW
	case *ast.SendStmt, *ast.SelectStmt, *ast.GoStmt, *ast.DeferStmt:
		return true
	case *ast.IncDecStmt:
		_, local := ast.Unparen(n.X).(*ast.Ident)
		return !local
	case *ast.AssignStmt:
		for _, l := range n.Lhs {
			if _, local := ast.Unparen(l).(*ast.Ident); !local {
				return true
			}
		}
	case *ast.RangeStmt:
		switch m.pass.TypesInfo.TypeOf(n.X).Underlying().(type) {
		case *types.Chan, *types.Signature:
			return true
		}
	}
	return false
}
