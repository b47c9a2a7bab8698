package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// byPointer returns the methods that get a struct by value and can get a pointer to it as well, so that it can have a mutex.
//
// Each of them only reads fields of its receiver, in its own goroutine, and finds there what was in them when it was called, so what it
// does stays the same; a nil pointer ends it where it reads the first, not where it is called. The struct has no values of its own in the
// package, its tests, and the files of it for other systems, but behind pointers and in variables, for which the language takes the address
// at a call: none is a part of another value, which could be copied, or lose the methods where it becomes an interface. Other packages have none.
func (m *Maker) byPointer(t *types.Named) map[*ast.FuncDecl]bool {
	if m.reachable(t) || m.isArgument(t) {
		return nil
	}
	out := make(map[*ast.FuncDecl]bool)
	for _, file := range m.pass.Files {
		for _, d := range file.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil && m.getsValue(d, t) && m.readsAlone(d) {
				out[d] = true
			}
		}
		if m.hasValues(file, t) {
			return nil
		}
	}
	if len(out) > 0 && m.namedUnseen(t) {
		return nil
	}
	return out
}

// getsValue reports whether the receiver of a method is a value of a type, written as its plain name in a file that can be edited.
func (m *Maker) getsValue(d *ast.FuncDecl, t *types.Named) bool {
	if d.Recv == nil || len(d.Recv.List) != 1 {
		return false
	}
	id, plain := d.Recv.List[0].Type.(*ast.Ident)
	if !plain || m.pass.TypesInfo.Uses[id] != types.Object(t.Obj()) {
		return false
	}
	src := m.source(d.Pos())
	return src != nil && !generated(src.file)
}

// readsAlone reports whether a method does nothing with its receiver but to read fields, or to call methods of what these hold by a
// pointer or an interface, and names it in no literal, which may run later, or beside it.
func (m *Maker) readsAlone(d *ast.FuncDecl) bool {
	if len(d.Recv.List[0].Names) == 0 {
		return true
	}
	recv := m.pass.TypesInfo.Defs[d.Recv.List[0].Names[0]]
	b := &body{info: m.pass.TypesInfo, typ: d.Type, block: d.Body}
	ok := true
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if id, named := n.(*ast.Ident); named && recv != nil && m.pass.TypesInfo.Uses[id] == recv {
			field := m.readsField(b.parents(id))
			ok = ok && field != nil && m.readsSame(d, b, field)
		}
		return ok
	})
	return ok
}

// readsField returns the field of what a name stands for, with the nodes around it, that is read there; nil if more may be done.
func (m *Maker) readsField(around []ast.Node) *ast.SelectorExpr {
	if len(around) == 0 || slices.ContainsFunc(around, putsOff) {
		return nil
	}
	sel, ok := around[0].(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	s := m.pass.TypesInfo.Selections[sel]
	if s == nil || s.Kind() != types.FieldVal || !m.readsPart(sel, around[1:]) {
		return nil
	}
	return sel
}

// readsPart reports whether a part of a variable, with the nodes around it, the innermost first, is read alone.
func (m *Maker) readsPart(part ast.Node, around []ast.Node) bool {
	for _, n := range around {
		switch n := n.(type) {
		case *ast.ParenExpr:
		case *ast.SelectorExpr:
			if _, pointer := m.pass.TypesInfo.TypeOf(n.X).Underlying().(*types.Pointer); pointer {
				return true // what is behind a field is no copy today
			}
			if s := m.pass.TypesInfo.Selections[n]; s == nil || s.Kind() != types.FieldVal {
				return s != nil && !m.takesAddress(s, n)
			}
		case *ast.UnaryExpr:
			return n.Op != token.AND
		case *ast.SliceExpr:
			return !isArray(m.pass.TypesInfo.TypeOf(n.X)) // which it would slice itself
		case *ast.IndexExpr:
			if n.X != part || !isArray(m.pass.TypesInfo.TypeOf(n.X)) {
				return true // nor is this
			}
		case *ast.AssignStmt:
			return !slices.ContainsFunc(n.Lhs, func(l ast.Expr) bool { return l == part })
		case *ast.IncDecStmt:
			return false
		case *ast.RangeStmt:
			return n.Key != part && n.Value != part
		default:
			return true
		}
		part = n
	}
	return false
}

// putsOff reports whether what stands in a node may run later than it is come to, or beside what follows.
func putsOff(n ast.Node) bool {
	switch n.(type) {
	case *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt:
		return true
	}
	return false
}

func isArray(t types.Type) bool {
	_, ok := t.Underlying().(*types.Array)
	return ok
}

// takesAddress reports whether a method is called of the address of what is before it.
func (m *Maker) takesAddress(s *types.Selection, sel *ast.SelectorExpr) bool {
	fn, ok := s.Obj().(*types.Func)
	if !ok || types.IsInterface(s.Recv()) {
		return false
	}
	_, pointer := fn.Signature().Recv().Type().(*types.Pointer)
	_, already := m.pass.TypesInfo.TypeOf(sel.X).Underlying().(*types.Pointer)
	return pointer && !already
}

// hasValues reports whether a file has values of a type that are no variables of which a part is named, or the address taken: they
// are copied, or become an interface, or parts of others. So it is where a struct embeds the type, whose values have its methods.
func (m *Maker) hasValues(file *ast.File, t *types.Named) bool {
	found := false
	ast.PreorderStack(file, nil, func(n ast.Node, around []ast.Node) bool {
		if f, ok := n.(*ast.Field); ok && len(f.Names) == 0 && len(around) > 1 {
			_, inStruct := around[len(around)-2].(*ast.StructType)
			found = found || inStruct && types.Identical(m.pass.TypesInfo.TypeOf(f.Type), t)
		}
		if id, ok := n.(*ast.Ident); ok && m.pass.TypesInfo.Uses[id] == types.Object(t.Obj()) {
			found = found || namesPart(id, around)
		}
		if sel, ok := n.(*ast.SelectorExpr); ok {
			found = found || m.keepsCopy(sel, t, around)
		}
		if x, ok := n.(ast.Expr); ok {
			tv := m.pass.TypesInfo.Types[x]
			if tv.IsValue() && types.Identical(types.Unalias(tv.Type), t) {
				found = found || !isVariable(tv.Addressable(), around)
			}
		}
		return !found
	})
	return found
}

// keepsCopy reports whether a method of a type's values is named, with the nodes around it, the innermost last, and the value is
// copied before the method runs: it is kept as a function, or put off.
func (m *Maker) keepsCopy(sel *ast.SelectorExpr, t *types.Named, around []ast.Node) bool {
	s := m.pass.TypesInfo.Selections[sel]
	if s == nil || s.Kind() == types.FieldVal {
		return false
	}
	recv := s.Obj().(*types.Func).Signature().Recv()
	if recv == nil || !types.Identical(types.Unalias(recv.Type()), t) {
		return false
	}
	call, ok := around[len(around)-1].(*ast.CallExpr)
	if !ok || call.Fun != ast.Expr(sel) {
		return true
	}
	return putsOff(around[len(around)-2])
}

// isVariable reports whether a value, with the nodes around it, the innermost last, is used as the variable that it is, or as that of
// which a pointer is made.
func isVariable(addressable bool, around []ast.Node) bool {
	switch p := around[len(around)-1].(type) {
	case *ast.ParenExpr:
		return true // which is asked itself
	case *ast.SelectorExpr:
		return addressable
	case *ast.UnaryExpr:
		return p.Op == token.AND
	}
	return false
}

// pointers makes the receivers of methods pointers.
func (p *mutexPlan) pointers() (edits []analysis.TextEdit) {
	for _, file := range p.m.pass.Files {
		for _, d := range file.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && p.home.byPointer[d] {
				edits = append(edits, insert(d.Recv.List[0].Type.Pos(), "*"))
			}
		}
	}
	return edits
}
