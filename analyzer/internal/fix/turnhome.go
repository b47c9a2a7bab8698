package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// homeOfTurns finds where the mutex for a sync.Map is declared: in front of the field or variable. One that an earlier run has
// declared is used again.
func (m *Maker) homeOfTurns(v *types.Var) (*home, refusal) {
	switch {
	case ssautil.Pointee(v.Type()).String() != "sync.Map":
		return nil, "the map is no sync.Map"
	case v.Pkg() != m.pass.Pkg || v.Origin() != v:
		return nil, "the map belongs to another package, or its struct is generic"
	case m.open(v):
		return nil, refusal(v.Name() + " is exported: code elsewhere may change it without the mutex")
	case v.Embedded():
		return nil, "the map is embedded, and has no name of its own"
	case !m.namedToCall(v):
		return nil, refusal(v.Name() + " is named for more than to call its methods")
	}
	src := m.source(v.Pos())
	if src == nil || generated(src.file) {
		return nil, "the declaration is in a generated file"
	}
	name := lower(v.Name()) + "Mu"
	h := &home{
		src: src, vars: []*types.Var{v}, name: name, field: true,
		comment: name + " is held while " + v.Name() + " is changed, from the look on which the change rests.",
	}
	path := src.enclosing(v.Pos())
	for i, n := range path {
		switch n := n.(type) {
		case *ast.StructType:
			return h, m.turnsInStruct(h, n, path[i+1:])
		case *ast.GenDecl:
			return h, m.turnsOfVar(h, n)
		case *ast.BlockStmt:
			return nil, "the map is a local one"
		}
	}
	return nil, "the declaration is not plain"
}

// turnsInStruct declares the mutex in front of the map's field.
func (m *Maker) turnsInStruct(h *home, st *ast.StructType, around []ast.Node) (refused refusal) {
	c := &creation{scene: &scene{m: m}}
	if h.typ, refused = c.structOf(st, around); refused != "" {
		return refused
	}
	if obj, index, _ := types.LookupFieldOrMethod(types.NewPointer(h.typ), true, m.pass.Pkg, h.name); obj != nil {
		return m.sameMutex(h, obj, len(index) == 1)
	}
	if refused := m.copied(h.typ); refused != "" {
		return refused
	}
	if _, pointer := h.vars[0].Type().(*types.Pointer); pointer && h.typ.Obj().Exported() && m.pass.Pkg.Name() != "main" {
		return refusal("code elsewhere may copy " + h.typ.Obj().Name() + ", with what is in " + h.vars[0].Name() + ", and a mutex must not be copied")
	}
	for f := range h.typ.Underlying().(*types.Struct).Fields() {
		if f != h.vars[0] && lower(f.Name()) == lower(h.vars[0].Name()) {
			return "no name is free for the mutex" // the other one may get a mutex in the same run
		}
	}
	for _, f := range st.Fields.List {
		if !within(f, h.vars[0].Pos()) {
			continue
		}
		h.at = f.Pos()
		if f.Doc != nil {
			h.at = f.Doc.Pos()
		}
		return ""
	}
	return "the map is not declared as a field of its own"
}

// turnsOfVar declares the mutex above the declaration of a variable, or among the others of its group.
func (m *Maker) turnsOfVar(h *home, d *ast.GenDecl) refusal {
	if obj := m.pass.Pkg.Scope().Lookup(h.name); obj != nil {
		return m.sameMutex(h, obj, true)
	}
	for _, name := range m.pass.Pkg.Scope().Names() {
		if name != h.vars[0].Name() && lower(name) == lower(h.vars[0].Name()) {
			return "no name is free for the mutex" // the other one may get a mutex in the same run
		}
	}
	for _, file := range m.pass.Files {
		if !m.freeInFile(file, h.name) {
			return "no name is free for the mutex"
		}
	}
	h.field = d.Lparen.IsValid()
	h.at = d.Pos()
	if d.Doc != nil {
		h.at = d.Doc.Pos()
	}
	for _, sp := range d.Specs {
		if spec, ok := sp.(*ast.ValueSpec); ok && h.field && within(spec, h.vars[0].Pos()) {
			h.at = spec.Pos()
			if spec.Doc != nil {
				h.at = spec.Doc.Pos()
			}
		}
	}
	return ""
}

// sameMutex takes a mutex that is there already, if its comment says that it is one of these.
func (m *Maker) sameMutex(h *home, obj types.Object, visible bool) refusal {
	v, ok := obj.(*types.Var)
	if ok && visible && v.Type().String() == "sync.Mutex" {
		if src := m.source(v.Pos()); src != nil && src.saysAbove(v.Pos(), h.comment) {
			h.lock = v
			return ""
		}
	}
	return "no name is free for the mutex"
}

// saysAbove reports whether a comment of this text stands on the line above a place.
func (s *source) saysAbove(at token.Pos, text string) bool {
	return slices.ContainsFunc(s.file.Comments, func(g *ast.CommentGroup) bool {
		return strings.TrimSpace(g.Text()) == text && s.line(g.End())+1 == s.line(at)
	})
}

// namedToCall reports whether the package names a map only to call its methods there, and to put a new one in while its object is
// made: so no other name for it leads to a change.
func (m *Maker) namedToCall(v *types.Var) bool {
	known := make(map[*ast.Ident]bool)
	for _, file := range m.pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && m.pass.TypesInfo.Selections[sel] != nil {
					known[lastName(sel.X)] = true
				}
			case *ast.KeyValueExpr:
				id, ok := n.Key.(*ast.Ident)
				known[id] = ok && newMap(n.Value)
			}
			return true
		})
	}
	for id, obj := range m.pass.TypesInfo.Uses {
		if obj == types.Object(v) && !known[id] {
			return false
		}
	}
	if _, pointer := v.Type().(*types.Pointer); pointer && !v.IsField() {
		return m.startsWith(v, newMap)
	}
	return !m.bareNew(v)
}

// bareNew reports whether a field that is a pointer may get a map without being named.
func (m *Maker) bareNew(v *types.Var) bool {
	_, ok := m.putInto(v)
	return v.IsField() && !ok
}

// startsWith reports whether a variable of the package is declared with one value that suits.
func (m *Maker) startsWith(v *types.Var, suits func(ast.Expr) bool) bool {
	return slices.ContainsFunc(m.pass.TypesInfo.InitOrder, func(i *types.Initializer) bool {
		return len(i.Lhs) == 1 && i.Lhs[0] == v && suits(i.Rhs)
	})
}

// lastName is the identifier that names a variable or field in an expression; nil if there is none.
func lastName(x ast.Expr) *ast.Ident {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return x
	case *ast.SelectorExpr:
		return x.Sel
	}
	return nil
}

// newMap reports whether an expression makes a map that nothing else knows.
func newMap(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.CompositeLit:
		return len(x.Elts) == 0
	case *ast.UnaryExpr:
		return x.Op == token.AND && newMap(x.X)
	case *ast.CallExpr:
		id, ok := x.Fun.(*ast.Ident)
		return ok && id.Name == "new"
	}
	return false
}
