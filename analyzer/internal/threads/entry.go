package threads

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// An exits knows which types' values leave the package, so that code outside can
// call their exported methods.
type exits struct {
	pkg *types.Package
	// whole are the types whose values leave as they are, by name.
	whole map[*types.TypeName]bool
	// as are the interfaces as which values leave.
	as map[*types.TypeName][]*types.Interface
}

// leavers finds the types whose values leave: as a result or a field that code
// outside can name, or as an interface that others can implement, too.
func leavers(pkg *infer.Package) *exits {
	x := &exits{pkg: pkg.Types, whole: make(map[*types.TypeName]bool), as: make(map[*types.TypeName][]*types.Interface)}
	scope := pkg.Types.Scope()
	for _, name := range scope.Names() {
		obj := scope.Lookup(name)
		if !obj.Exported() {
			continue
		}
		switch obj := obj.(type) {
		case *types.Func:
			x.results(obj)
		case *types.Var:
			x.mark(obj.Type(), 0)
		case *types.TypeName:
			x.mark(obj.Type(), 0)
		}
	}
	for _, f := range pkg.Funcs {
		x.conversions(f.SSA)
	}
	return x
}

func (x *exits) results(fn *types.Func) {
	for v := range fn.Signature().Results().Variables() {
		x.mark(v.Type(), 0)
	}
}

// maxType bounds how deep a type is looked into.
const maxType = 8

// mark notes the types that code outside can name by way of t.
func (x *exits) mark(t types.Type, depth int) {
	if depth > maxType {
		return
	}
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		x.mark(t.Elem(), depth+1)
	case *types.Slice:
		x.mark(t.Elem(), depth+1)
	case *types.Array:
		x.mark(t.Elem(), depth+1)
	case *types.Chan:
		x.mark(t.Elem(), depth+1)
	case *types.Map:
		x.mark(t.Elem(), depth+1)
	case *types.Signature:
		for v := range t.Results().Variables() {
			x.mark(v.Type(), depth+1)
		}
	case *types.Struct:
		for v := range t.Fields() {
			if v.Exported() || v.Embedded() {
				x.mark(v.Type(), depth+1)
			}
		}
	case *types.Named:
		obj := t.Origin().Obj()
		if obj.Pkg() != x.pkg || x.whole[obj] {
			return
		}
		x.whole[obj] = true
		for m := range t.Origin().Methods() {
			if m.Exported() {
				x.results(m)
			}
		}
		x.mark(t.Origin().Underlying(), depth+1)
	}
}

// conversions notes the values of fn that become interfaces which code outside
// can name.
func (x *exits) conversions(fn *ssa.Function) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			mi, ok := instr.(*ssa.MakeInterface)
			if !ok {
				continue
			}
			iface, ok := mi.Type().Underlying().(*types.Interface)
			from := typeName(mi.X.Type())
			if !ok || from == nil || from.Pkg() != x.pkg || iface.NumMethods() == 0 {
				continue
			}
			if to, ok := types.Unalias(mi.Type()).(*types.Named); ok && to.Obj().Pkg() == x.pkg && !to.Obj().Exported() {
				continue // the package shows who calls it
			}
			x.as[from] = append(x.as[from], iface)
		}
	}
}

func typeName(t types.Type) *types.TypeName {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Origin().Obj()
	}
	return nil
}

// method reports whether code outside can call the exported method m.
func (x *exits) method(m *types.Func) bool {
	recv := typeName(m.Signature().Recv().Type())
	if recv == nil {
		return true
	}
	if x.pkg.Name() != "main" && (recv.Exported() || x.whole[recv]) {
		return true
	}
	for _, iface := range x.as[recv] {
		for im := range iface.Methods() {
			if im.Name() == m.Name() {
				return true
			}
		}
	}
	return false
}

// entries marks the functions that the callers can call.
func (t *Theory) entries() {
	x := leavers(t.pkg)
	for _, f := range t.pkg.Funcs {
		switch {
		case f.Ctx.InitOnly || t.start(f):
		case f.Ctx.Root, t.keptValue(f), f.Is(role.Method) && f.Obj != nil && x.method(f.Obj):
			t.entry[f] = true
		}
	}
}

// keptValue reports whether the value of f is kept where it may be called at any
// time.
func (t *Theory) keptValue(f *infer.Func) bool {
	for _, s := range t.pkg.CallersOf(f) {
		if s.Call.Kind == summary.Escaped && !s.Call.Option {
			return true
		}
	}
	return false
}

// start reports whether f is where the program starts.
func (t *Theory) start(f *infer.Func) bool {
	return f.SSA.Name() == "main" && f.SSA.Parent() == nil && f.SSA.Signature.Recv() == nil && t.pkg.Types.Name() == "main"
}
