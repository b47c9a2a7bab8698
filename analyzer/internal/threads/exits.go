package threads

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// An exits knows which types' values leave the package, so that code outside can
// call their exported methods. That code can write down an interface does not give
// it a value: it must get one as a result, from a variable or a field, or as an
// argument of something that the package calls.
type exits struct {
	pkg *infer.Package
	// whole are the types whose values leave as they are, by name; of an
	// interface, all that are converted to it.
	whole map[*types.TypeName]bool
	// flows are the interfaces to which values of a type are converted.
	flows map[*types.TypeName][]types.Type
	// filled are the fields of an interface type that the package sets.
	filled map[*types.Var]bool
	// passed are the types of what the package passes to code that it does not
	// show.
	passed []types.Type
	// called are the methods that code outside can call through interfaces.
	called map[*types.Func]bool
	// given: only what the package has made counts, not what code outside makes of a type that it can name.
	given bool
}

// leavers finds the types whose values leave: as a result or a field that code
// outside can name, or as an interface that gets there.
func leavers(pkg *infer.Package, given bool) *exits {
	x := &exits{
		given: given,
		pkg:   pkg, whole: make(map[*types.TypeName]bool),
		flows: make(map[*types.TypeName][]types.Type), called: make(map[*types.Func]bool),
		filled: make(map[*types.Var]bool),
	}
	for _, f := range pkg.Funcs {
		x.body(f.SSA)
	}
	for _, t := range x.passed {
		if x.give(t, 0); given {
			x.mark(t, 0)
		}
	}
	if pkg.Types.Name() != "main" {
		x.scope()
	}
	for n := -1; n != len(x.whole)+len(x.called); {
		n = len(x.whole) + len(x.called)
		for from := range x.flows {
			x.settle(from)
		}
	}
	return x
}

// scope marks what the package's exported names lead to.
func (x *exits) scope() {
	scope := x.pkg.Types.Scope()
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
			switch {
			case types.IsInterface(obj.Type()):
			case x.given:
				x.named(obj)
			default:
				x.mark(obj.Type(), 0)
			}
		}
	}
}

// named marks what code outside gets by an object that it makes of a type which it can name.
func (x *exits) named(obj *types.TypeName) {
	if n, ok := types.Unalias(obj.Type()).(*types.Named); ok {
		for m := range n.Methods() {
			if m.Exported() {
				x.results(m)
			}
		}
	}
	x.mark(obj.Type().Underlying(), 1)
}

// results marks what a function gives to its callers: its results, and what it
// puts into what they pass.
func (x *exits) results(fn *types.Func) {
	for v := range fn.Signature().Results().Variables() {
		x.mark(v.Type(), 0)
	}
	for v := range fn.Signature().Params().Variables() {
		if _, named := types.Unalias(v.Type()).(*types.Named); !named {
			x.give(v.Type(), 0)
		}
		if x.given {
			x.slots(v.Type())
		}
	}
}

// slots marks what a function can put into the slots of what its callers pass.
func (x *exits) slots(t types.Type) {
	in, ok := types.Unalias(t).(interface{ Elem() types.Type })
	if !ok {
		return
	}
	_, pointer := in.(*types.Pointer)
	if _, object := in.Elem().Underlying().(*types.Struct); !pointer || !object {
		x.mark(in.Elem(), 0)
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
	case interface{ Elem() types.Type }: // a pointer, slice, array, channel or map
		x.mark(t.Elem(), depth+1)
	case *types.Tuple:
		for v := range t.Variables() {
			x.mark(v.Type(), depth+1)
		}
	case *types.Signature:
		for v := range t.Results().Variables() {
			x.mark(v.Type(), depth+1)
		}
	case *types.Struct:
		for v := range t.Fields() {
			if (v.Exported() || v.Embedded()) && (x.filled[v.Origin()] || !types.IsInterface(v.Type())) {
				x.mark(v.Type(), depth+1) // else it holds what code outside has put in
			}
		}
	case *types.Interface:
		for m := range t.Methods() {
			x.results(m)
		}
	case *types.Named:
		x.markNamed(t, depth)
	}
}

func (x *exits) markNamed(t *types.Named, depth int) {
	for arg := range t.TypeArgs().Types() {
		x.mark(arg, depth+1)
	}
	obj := t.Origin().Obj()
	if obj.Pkg() != x.pkg.Types || x.whole[obj] {
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

// give marks the interfaces in the type of something that code outside gets.
func (x *exits) give(t types.Type, depth int) {
	if depth > maxType {
		return
	}
	switch t := types.Unalias(t).(type) {
	case interface{ Elem() types.Type }: // a pointer, slice, array, channel or map
		x.give(t.Elem(), depth+1)
	case *types.Signature:
		for v := range t.Results().Variables() {
			x.give(v.Type(), depth+1)
		}
		if x.given { // called with it
			x.mark(t.Params(), depth+1)
		}
	case *types.Named:
		for arg := range t.TypeArgs().Types() {
			x.give(arg, depth+1)
		}
		if types.IsInterface(t) {
			x.mark(t, depth+1)
		}
	}
}

// body notes which values fn converts to interfaces, and which it passes to code
// outside.
func (x *exits) body(fn *ssa.Function) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.MakeInterface:
				if !runHere(instr) {
					x.flow(instr.X.Type(), instr.Type())
					if x.given && typeName(instr.Type()) == nil {
						x.passed = append(x.passed, instr.X.Type()) // who gets it can ask for its type
					}
				}
			case *ssa.ChangeInterface:
				x.flow(instr.X.Type(), instr.Type())
			case *ssa.TypeAssert:
				x.flow(instr.X.Type(), instr.AssertedType)
			case *ssa.MakeClosure:
				if recv, m := ssautil.BoundMethod(instr); m != nil {
					x.passed = append(x.passed, recv.Type())
				}
			case *ssa.FieldAddr:
				x.field(instr)
			case ssa.CallInstruction:
				x.call(instr.Common())
			}
		}
	}
}

// runHere reports whether a value only goes, as an interface, to functions of which it is known
// which methods they call before they return: these calls are followed.
func runHere(iface *ssa.MakeInterface) bool {
	for _, r := range *iface.Referrers() {
		if _, debug := r.(*ssa.DebugRef); debug {
			continue
		}
		call, ok := r.(*ssa.Call)
		if !ok || call.Call.StaticCallee() == nil || !runsMethods(call.Call.StaticCallee()) {
			return false
		}
	}
	return true
}

func runsMethods(fn *ssa.Function) bool {
	obj, ok := fn.Object().(*types.Func)
	return ok && len(model.Methods(obj)) > 0
}

func (x *exits) flow(from, to types.Type) {
	name := typeName(from)
	iface, ok := to.Underlying().(*types.Interface)
	if ok && iface.NumMethods() > 0 && name != nil && name.Pkg() == x.pkg.Types {
		x.flows[name] = append(x.flows[name], to)
	}
}

// call notes what a call passes to code that the package does not show.
func (x *exits) call(call *ssa.CallCommon) {
	if _, ok := call.Value.(*ssa.Builtin); ok || ssautil.Literal(call.Value) != nil {
		return
	}
	if fn := call.StaticCallee(); fn != nil && fn.Pkg != nil && fn.Pkg.Pkg == x.pkg.Types {
		return
	}
	for _, arg := range call.Args {
		x.passed = append(x.passed, arg.Type())
	}
}

// field notes a field of an interface type that is set, or whose address goes
// elsewhere.
func (x *exits) field(addr *ssa.FieldAddr) {
	field := ssautil.FieldOf(addr)
	if !types.IsInterface(field.Type()) {
		return
	}
	for _, r := range *addr.Referrers() {
		switch r.(type) {
		case *ssa.UnOp, *ssa.DebugRef: // only read
		default:
			x.filled[field.Origin()] = true
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

// settle notes the methods of a type that code outside calls through interfaces,
// and those that the package calls in a way that is not followed.
func (x *exits) settle(from *types.TypeName) {
	if types.IsInterface(from.Type()) {
		return // what is converted to it counts
	}
	seen := make(map[types.Type]bool)
	work := x.flows[from]
	for len(work) > 0 {
		to := work[0]
		work = work[1:]
		if seen[to] {
			continue
		}
		if seen[to] = true; x.given && x.leaves(to) {
			x.mark(from.Type(), 0)
		}
		for m := range to.Underlying().(*types.Interface).Methods() {
			if x.leaves(to) {
				x.results(m)
			} else if x.pkg.Follows(m) {
				continue
			}
			x.callable(from, m)
		}
		if name := typeName(to); name != nil {
			work = append(work[:len(work):len(work)], x.flows[name]...)
		}
	}
}

// leaves reports whether code outside gets values of an interface type.
func (x *exits) leaves(iface types.Type) bool {
	name := typeName(iface)
	return name == nil || name.Pkg() != x.pkg.Types || x.whole[name]
}

// callable notes that an interface's method may be called on values of a type.
func (x *exits) callable(from *types.TypeName, m *types.Func) {
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(from.Type()), true, m.Pkg(), m.Name())
	fn, ok := obj.(*types.Func)
	if !ok || x.called[fn.Origin()] {
		return
	}
	x.called[fn.Origin()] = true
	if recv := fn.Signature().Recv().Type(); types.IsInterface(recv) {
		x.mark(recv, 0) // an embedded one
	}
}

// method reports whether code outside can call the exported method m.
func (x *exits) method(m *types.Func) bool {
	recv := typeName(m.Signature().Recv().Type())
	if recv == nil || x.called[m] {
		return true
	}
	return x.pkg.Types.Name() != "main" && (recv.Exported() && !x.given || x.whole[recv])
}

// OnOwn reports whether code outside can call a method on a struct with a field only on objects that it makes itself, of a type that
// it can name: it gets none that the package has made.
func (t *Theory) OnOwn(f *infer.Func, field *types.Var) bool {
	if f.Obj == nil || f.Obj.Signature().Recv() == nil || !holds(ssautil.Pointee(f.Obj.Signature().Recv().Type()), field) {
		return false
	}
	if t.given == nil {
		t.given = leavers(t.pkg, true)
	}
	return !t.given.method(f.Obj)
}
