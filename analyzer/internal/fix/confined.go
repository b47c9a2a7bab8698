package fix

import (
	"go/ast"
	"go/token"
	"go/types"
)

// confined reports whether only the function has the value of one of its
// variables when that is stored, and whether it can be dropped.
func (t *twoStep) confined(v *types.Var) bool {
	if v.Pos() < t.body.block.Pos() || t.body.block.End() <= v.Pos() || t.lives(v) || t.addressed(v) {
		return false
	}
	made, first := t.made(v)
	if len(made) == 0 {
		return false
	}
	for _, typ := range made {
		if !t.m.droppable(typ) {
			return false
		}
	}
	if basic(v.Type()) {
		return true
	}
	for _, id := range t.body.uses(v) {
		if first <= id.Pos() && id.Pos() < t.act.Lparen && !t.harmless(id) {
			return false
		}
	}
	return true
}

// addressed reports whether the address of a variable is taken.
func (t *twoStep) addressed(v *types.Var) bool {
	found := false
	ast.Inspect(t.body.block, func(n ast.Node) bool {
		u, ok := n.(*ast.UnaryExpr)
		if ok && u.Op == token.AND {
			id, ok := ast.Unparen(u.X).(*ast.Ident)
			found = found || ok && t.body.info.Uses[id] == v
		}
		return !found
	})
	return found
}

// harmless reports whether a use of a variable gives its value away nowhere.
func (t *twoStep) harmless(id *ast.Ident) bool {
	parents := t.body.parents(id)
	if len(parents) < 2 {
		return false
	}
	switch p := parents[0].(type) {
	case *ast.AssignStmt:
		for _, lhs := range p.Lhs {
			if lhs == id {
				return true
			}
		}
		return false
	case *ast.BinaryExpr:
		return p.Op == token.EQL || p.Op == token.NEQ
	case *ast.ReturnStmt:
		return true // what is given back so is not what is stored: the function has ended
	case *ast.IndexExpr:
		if p.X != id {
			return false
		}
	case *ast.SelectorExpr:
		if s := t.body.info.Selections[p]; s == nil || s.Kind() != types.FieldVal {
			return false // a method may keep it
		}
	default:
		return false
	}
	u, address := parents[1].(*ast.UnaryExpr)
	return !address || u.Op != token.AND
}

// made returns the types of what the function puts into a variable, but for
// what the Load found, and where it first does. A type is nil where it is not
// plain to see.
func (t *twoStep) made(v *types.Var) (out []types.Type, first token.Pos) {
	add := func(at token.Pos, typ types.Type) {
		if len(out) == 0 {
			first = at
		}
		out = append(out, typ)
	}
	ast.Inspect(t.body.block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, lhs := range n.Lhs {
				if !t.names(lhs, v) || n == t.define {
					continue
				}
				if shared := t.flown(n); i == 0 && shared != nil {
					for _, typ := range shared {
						add(n.Pos(), typ)
					}
				} else if len(n.Lhs) != len(n.Rhs) {
					add(n.Pos(), v.Type())
				} else if !t.loaded(n.Rhs[i]) {
					add(n.Pos(), t.body.info.TypeOf(n.Rhs[i]))
				}
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				switch {
				case !t.names(name, v) || len(n.Values) == 0:
				case len(n.Values) == len(n.Names):
					add(n.Pos(), t.body.info.TypeOf(n.Values[i]))
				default:
					add(n.Pos(), v.Type())
				}
			}
		case *ast.RangeStmt:
			if n.Key != nil && t.names(n.Key, v) || n.Value != nil && t.names(n.Value, v) {
				add(n.Pos(), nil)
			}
		}
		return true
	})
	return out, first
}

func (t *twoStep) names(e ast.Expr, v *types.Var) bool { return namesVar(t.body.info, e, v) }
