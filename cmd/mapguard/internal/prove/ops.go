package prove

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/mapguard/mapguard/cmd/mapguard/internal/prove/mapguardprobe"
)

// An operation is one use of a map in the source, and how it can be probed.
type operation struct {
	id   int
	file *file
	// at is where the analyzer says that it is: the bracket of an index, the
	// parenthesis of a call, the keyword of a loop, the operator of a
	// comparison, the name that is assigned.
	at   token.Pos
	kind mapguardprobe.Kind
	// object is the expression of the map, or of the concurrent map; key that
	// of the key, if one is given.
	object, key ast.Expr
	node        ast.Node
	path        []ast.Node // the nodes around it, the outermost first
	place       place
	form        form
	early       bool // begins before all its operands are evaluated
}

// A place is a variable or a field that holds a map; below says how many maps
// deep in its map.
type place struct {
	of    types.Object
	below int
}

// A form is a way to probe an operation.
type form int

const (
	asGet     form = iota // m[k], as one value
	asGet2                // v, ok := m[k]
	asPut                 // m[k] = v
	asDrop                // delete(m, k)
	asBlock               // a statement between two hooks
	asValue               // an expression between two hooks
	asRange               // for range m
	asAssign              // m = v
	asMethod              // a method of a concurrent map
	asUse                 // a statement after a hook
	asNothing             // no hook
)

// operations finds the uses of maps in a file.
func (m *module) operations(f *file) []*operation {
	var out []*operation
	var path []ast.Node
	ast.Inspect(f.ast, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		if op := m.operation(f, n, path); op != nil {
			op.file, op.node, op.path = f, n, append([]ast.Node(nil), path...)
			op.place = f.place(op.object)
			out = append(out, op)
		}
		path = append(path, n)
		return true
	})
	return out
}

// operation tells what a node does to a map, if anything.
func (m *module) operation(f *file, n ast.Node, path []ast.Node) *operation {
	switch n := n.(type) {
	case *ast.IndexExpr:
		return f.index(n, path)
	case *ast.CallExpr:
		return f.call(n, path)
	case *ast.RangeStmt:
		if f.isMap(n.X) {
			return &operation{at: n.For, kind: mapguardprobe.Iterate, object: n.X, form: asRange}
		}
	case *ast.BinaryExpr:
		if n.Op != token.EQL && n.Op != token.NEQ {
			return nil
		}
		for _, pair := range [][2]ast.Expr{{n.X, n.Y}, {n.Y, n.X}} {
			if f.isMap(pair[0]) && f.pkg.TypesInfo.Types[pair[1]].IsNil() && pure(f, pair[0]) {
				return &operation{at: n.OpPos, kind: mapguardprobe.Nil, object: pair[0], form: asValue}
			}
		}
	case *ast.AssignStmt:
		if n.Tok == token.ASSIGN && len(n.Lhs) == 1 && len(n.Rhs) == 1 && f.isMap(n.Lhs[0]) && listed(n, path) {
			if _, entry := ast.Unparen(n.Lhs[0]).(*ast.IndexExpr); !entry && pure(f, n.Lhs[0]) && f.addressable(n.Lhs[0]) {
				return &operation{at: named(n.Lhs[0]), kind: mapguardprobe.Assign, object: n.Lhs[0], form: asAssign}
			}
		}
	}
	return nil
}

// named is where the analyzer places a variable: at its last name.
func named(e ast.Expr) token.Pos {
	if s, ok := ast.Unparen(e).(*ast.SelectorExpr); ok {
		return s.Sel.Pos()
	}
	return ast.Unparen(e).Pos()
}

func (f *file) index(n *ast.IndexExpr, path []ast.Node) *operation {
	if !f.isMap(n.X) {
		return nil
	}
	op := &operation{at: n.Lbrack, kind: mapguardprobe.Entry, object: n.X, key: n.Index, form: asGet}
	if len(path) == 0 {
		return nil
	}
	switch p := path[len(path)-1].(type) {
	case *ast.AssignStmt:
		if p.Tok != token.DEFINE && in(n, p.Lhs) {
			return f.written(op, n, p, path)
		}
		if len(p.Lhs) == 2 && len(p.Rhs) == 1 {
			op.form = asGet2
		}
	case *ast.ValueSpec:
		if len(p.Names) == 2 && len(p.Values) == 1 {
			op.form = asGet2
		}
	case *ast.IncDecStmt:
		op.kind, op.form = mapguardprobe.Set, asBlock
		if !listed(p, path[:len(path)-1]) || !pure(f, n.X) || !pure(f, n.Index) {
			return nil
		}
	case *ast.RangeStmt:
		if p.X != n {
			return nil // a variable of the loop
		}
	case *ast.ParenExpr, *ast.UnaryExpr:
		if u, ok := p.(*ast.UnaryExpr); ok && u.Op != token.AND || !ok {
			return op
		}
		return nil
	}
	return op
}

// written makes the operation of an assignment to an entry.
func (f *file) written(op *operation, n *ast.IndexExpr, p *ast.AssignStmt, path []ast.Node) *operation {
	if !listed(p, path[:len(path)-1]) {
		return nil
	}
	op.kind = mapguardprobe.Set
	if p.Tok == token.ASSIGN && len(p.Lhs) == 1 && (f.addressable(n.X) || pure(f, p.Rhs[0]) && pure(f, n.Index)) {
		op.form = asPut
		return op
	}
	op.form = asBlock
	if !pure(f, n.X) || !pure(f, n.Index) {
		return nil
	}
	for _, e := range p.Rhs {
		op.early = op.early || !pure(f, e)
	}
	return op
}

func in(e ast.Expr, list []ast.Expr) bool {
	for _, x := range list {
		if x == e {
			return true
		}
	}
	return false
}

// listed reports whether a statement is one of a list, where others can be put
// beside it.
func listed(s ast.Stmt, path []ast.Node) bool {
	if len(path) == 0 {
		return false
	}
	switch p := path[len(path)-1].(type) {
	case *ast.BlockStmt:
		return true
	case *ast.CaseClause:
		return true
	case *ast.CommClause:
		return p.Comm != s
	}
	return false
}

func (f *file) isMap(e ast.Expr) bool {
	t := f.pkg.TypesInfo.TypeOf(e)
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Map)
	return ok && f.pkg.TypesInfo.Types[e].IsValue()
}

func (f *file) call(n *ast.CallExpr, path []ast.Node) *operation {
	if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok {
		if _, builtin := f.pkg.TypesInfo.Uses[id].(*types.Builtin); builtin {
			return f.builtin(id.Name, n, path)
		}
	}
	sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	if fn, ok := f.pkg.TypesInfo.Uses[sel.Sel].(*types.Func); ok && fn.Pkg() != nil && fn.Pkg().Path() == "maps" {
		return f.ofMaps(fn.Name(), n, path)
	}
	if s := f.pkg.TypesInfo.Selections[sel]; s != nil && s.Kind() == types.MethodVal {
		if kind, ok := methodKind(s.Recv(), s.Obj().Name()); ok {
			return f.method(kind, sel, n, path)
		}
	}
	return nil
}

func (f *file) builtin(name string, n *ast.CallExpr, path []ast.Node) *operation {
	if len(n.Args) == 0 || !f.isMap(n.Args[0]) {
		return nil
	}
	op := &operation{at: n.Lparen, object: n.Args[0]}
	switch name {
	case "len":
		op.kind, op.form = mapguardprobe.Length, asValue
		if !pure(f, n.Args[0]) {
			return nil
		}
	case "delete":
		op.kind, op.form, op.key = mapguardprobe.Delete, asDrop, n.Args[1]
	case "clear":
		op.kind, op.form = mapguardprobe.Clear, asBlock
		if s := statement(path); s == nil || !pure(f, n.Args[0]) {
			return nil
		}
	default:
		return nil
	}
	return op
}

// ofMaps makes the operation of a function of package maps.
func (f *file) ofMaps(name string, n *ast.CallExpr, path []ast.Node) *operation {
	if len(n.Args) == 0 || !f.isMap(n.Args[0]) || !pure(f, n.Args[0]) {
		return nil
	}
	op := &operation{at: n.Lparen, object: n.Args[0]}
	switch name {
	case "Clone", "Equal", "EqualFunc":
		op.kind, op.form = mapguardprobe.Iterate, asValue
	case "Copy", "DeleteFunc":
		op.kind, op.form = mapguardprobe.Clear, asBlock
		if name == "Copy" {
			op.kind = mapguardprobe.Set
		}
		if statement(path) == nil {
			return nil
		}
		op.early = !pure(f, n.Args[1])
	default:
		return nil
	}
	return op
}

// statement returns the expression statement that a call is, if it stands in a
// list.
func statement(path []ast.Node) ast.Stmt {
	if len(path) < 2 {
		return nil
	}
	if s, ok := path[len(path)-1].(*ast.ExprStmt); ok && listed(s, path[:len(path)-1]) {
		return s
	}
	return nil
}

// methods are those of sync.Map, and of those that are like it.
var methods = map[string]mapguardprobe.Kind{
	"Load": mapguardprobe.Entry, "Store": mapguardprobe.Set, "LoadOrStore": mapguardprobe.Swap, "LoadAndDelete": mapguardprobe.Delete,
	"Delete": mapguardprobe.Delete, "Swap": mapguardprobe.Set, "CompareAndSwap": mapguardprobe.Swap, "CompareAndDelete": mapguardprobe.Delete,
	"Range": mapguardprobe.Iterate, "Clear": mapguardprobe.Clear, "LoadOrCompute": mapguardprobe.Swap, "Compute": mapguardprobe.Swap,
}

// methodKind tells what a method of a concurrent map does.
func methodKind(recv types.Type, name string) (mapguardprobe.Kind, bool) {
	if p, ok := recv.Underlying().(*types.Pointer); ok {
		recv = p.Elem()
	}
	named, ok := types.Unalias(recv).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || !concurrent(named) {
		return 0, false
	}
	kind, ok := methods[name]
	return kind, ok
}

// concurrent reports whether a type has the methods of sync.Map: a Load that
// gives a value and whether there is one, and a Store of a key and a value.
func concurrent(t *types.Named) bool {
	if t.Obj().Pkg().Path() == "sync" {
		return t.Obj().Name() == "Map"
	}
	set := types.NewMethodSet(types.NewPointer(t))
	has := func(name string, params, results int) *types.Signature {
		s := set.Lookup(t.Obj().Pkg(), name)
		if s == nil {
			return nil
		}
		sig, ok := s.Type().(*types.Signature)
		if !ok || sig.Params().Len() != params || sig.Results().Len() != results {
			return nil
		}
		return sig
	}
	load := has("Load", 1, 2)
	return load != nil && types.Identical(load.Results().At(1).Type(), types.Typ[types.Bool]) && has("Store", 2, 0) != nil
}

func (f *file) method(kind mapguardprobe.Kind, sel *ast.SelectorExpr, n *ast.CallExpr, path []ast.Node) *operation {
	if len(path) == 0 || len(n.Args) == 0 || !pure(f, sel.X) {
		return nil
	}
	switch path[len(path)-1].(type) {
	case *ast.GoStmt, *ast.DeferStmt:
		return nil
	case *ast.ExprStmt:
		if statement(path) == nil {
			return nil
		}
	}
	op := &operation{at: n.Lparen, kind: kind, object: sel.X, form: asMethod}
	if kind != mapguardprobe.Iterate {
		op.key = n.Args[0]
		if len(n.Args) > 1 && !pure(f, n.Args[0]) {
			return nil
		}
	}
	return op
}

// place tells which variable holds a map.
func (f *file) place(e ast.Expr) place {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := f.pkg.TypesInfo.Uses[e].(*types.Var); ok {
			return place{v.Origin(), 0}
		}
	case *ast.SelectorExpr:
		if v, ok := f.pkg.TypesInfo.Uses[e.Sel].(*types.Var); ok {
			return place{v.Origin(), 0}
		}
	case *ast.StarExpr:
		return f.place(e.X)
	case *ast.IndexExpr:
		p := f.place(e.X)
		return place{p.of, p.below + 1}
	}
	return place{}
}

// addressable reports whether the address of an expression can be taken.
func (f *file) addressable(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		_, ok := f.pkg.TypesInfo.Uses[e].(*types.Var)
		return ok
	case *ast.StarExpr:
		return true
	case *ast.SelectorExpr:
		s := f.pkg.TypesInfo.Selections[e]
		if s == nil {
			_, ok := f.pkg.TypesInfo.Uses[e.Sel].(*types.Var)
			return ok
		}
		return s.Kind() == types.FieldVal && (s.Indirect() || isPointer(f.pkg.TypesInfo.TypeOf(e.X)) || f.addressable(e.X))
	case *ast.IndexExpr:
		switch t := f.pkg.TypesInfo.TypeOf(e.X).Underlying().(type) {
		case *types.Slice:
			return true
		case *types.Pointer:
			return true
		case *types.Array:
			_ = t
			return f.addressable(e.X)
		}
	}
	return false
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// pure reports whether an expression can be evaluated twice without a
// difference: it calls nothing and receives nothing.
func pure(f *file, e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.CallExpr:
			tv := f.pkg.TypesInfo.Types[n.Fun]
			ok = ok && (tv.IsType() || tv.IsBuiltin())
		}
		return ok
	})
	return ok
}

// isLock and isUnlock tell the calls that take and release a lock, by name.
func isLock(name string) bool   { return name == "Lock" || name == "RLock" }
func isUnlock(name string) bool { return strings.HasSuffix(name, "Unlock") || name == "RUnlock" }
