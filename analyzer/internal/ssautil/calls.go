package ssautil

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Callee returns the declared function that call names, or nil, and the
// arguments with the receiver first.
func Callee(call *ssa.CallCommon) (*types.Func, []ssa.Value) {
	if call.IsInvoke() {
		return call.Method, append([]ssa.Value{call.Value}, call.Args...)
	}
	fn := call.StaticCallee()
	if fn == nil {
		return nil, call.Args
	}
	if recv, m := BoundMethod(call.Value); m != nil {
		return m, append([]ssa.Value{recv}, call.Args...)
	}
	obj, _ := fn.Object().(*types.Func)
	return obj, call.Args
}

// BoundMethod takes apart a method value x.M.
func BoundMethod(v ssa.Value) (ssa.Value, *types.Func) {
	mc, ok := v.(*ssa.MakeClosure)
	if !ok || len(mc.Bindings) != 1 {
		return nil, nil
	}
	fn, ok := mc.Fn.(*ssa.Function)
	if !ok || !strings.HasPrefix(fn.Synthetic, "bound method") {
		return nil, nil
	}
	m, _ := fn.Object().(*types.Func)
	return mc.Bindings[0], m
}

// Expression returns the method that a method expression T.M names, nil if v is none.
func Expression(v ssa.Value) *types.Func {
	fn, ok := v.(*ssa.Function)
	if !ok || !strings.HasPrefix(fn.Synthetic, "thunk for") {
		return nil
	}
	m, _ := fn.Object().(*types.Func)
	return m
}

// Function returns the function that a value names or closes over, nil if it is not known.
func Function(v ssa.Value) *ssa.Function {
	switch v := v.(type) {
	case *ssa.Function:
		return v
	case *ssa.MakeClosure:
		return Function(v.Fn)
	case *ssa.ChangeType:
		return Function(v.X)
	}
	return nil
}

// Literal returns the function literal that v is, or nil.
func Literal(v ssa.Value) *ssa.Function {
	switch v := v.(type) {
	case *ssa.MakeClosure:
		if fn, ok := v.Fn.(*ssa.Function); ok && fn.Object() == nil {
			return fn
		}
	case *ssa.Function:
		if v.Object() == nil && v.Parent() != nil {
			return v
		}
	case *ssa.ChangeType:
		return Literal(v.X)
	}
	return nil
}

// PassedTo returns the calls that get the literal fn as an argument.
func PassedTo(fn *ssa.Function) []*ssa.Call {
	var lit ssa.Value = fn
	if mc := MakerOf(fn); mc != nil {
		lit = mc
	}
	refs := lit.Referrers()
	if refs == nil {
		return nil
	}
	var out []*ssa.Call
	for _, r := range *refs {
		if c, ok := r.(*ssa.Call); ok && c.Call.Value != lit {
			out = append(out, c)
		}
	}
	return out
}

// HandedOver returns all values that a goroutine gets: arguments, and what
// literals among them capture.
func HandedOver(call *ssa.CallCommon) []ssa.Value {
	vals := append([]ssa.Value{call.Value}, call.Args...)
	for _, v := range vals {
		if mc, ok := Unwrap(v).(*ssa.MakeClosure); ok {
			vals = append(vals, mc.Bindings...)
		}
	}
	return vals
}

// Binding returns what a literal's maker binds to the captured variable v, nil
// if that cannot be told.
func Binding(v *ssa.FreeVar) ssa.Value {
	mc := MakerOf(v.Parent())
	if mc == nil {
		return nil
	}
	for i, fv := range v.Parent().FreeVars {
		if fv == v && i < len(mc.Bindings) {
			return mc.Bindings[i]
		}
	}
	return nil
}

// MakerOf returns the instruction that makes the closure fn, if there is
// exactly one.
func MakerOf(fn *ssa.Function) *ssa.MakeClosure {
	var found *ssa.MakeClosure
	refs := fn.Referrers()
	if refs == nil {
		return nil
	}
	for _, r := range *refs {
		if mc, ok := r.(*ssa.MakeClosure); ok {
			if found != nil {
				return nil
			}
			found = mc
		}
	}
	return found
}

// Name writes fn as messages do: T.Method or Func, closures after the declared
// function that they stand in.
func Name(fn *ssa.Function) string {
	if outer := fn.Parent(); outer != nil {
		for outer.Parent() != nil {
			outer = outer.Parent()
		}
		return Name(outer) + " (func literal)"
	}
	if recv := fn.Signature.Recv(); recv != nil {
		t := recv.Type()
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok {
			return n.Obj().Name() + "." + fn.Name()
		}
	}
	return fn.Name()
}

// LenOf returns what a value is the length of, if it is what len gives.
func LenOf(v ssa.Value) (of ssa.Value, ok bool) {
	args, ok := BuiltinCall(v, "len")
	if !ok || len(args) != 1 {
		return nil, false
	}
	return args[0], true
}

// BuiltinCall returns the arguments of a value that is the call of a builtin function; false if it is none of that name.
func BuiltinCall(v ssa.Value, name string) (args []ssa.Value, ok bool) {
	c, ok := v.(*ssa.Call)
	if !ok {
		return nil, false
	}
	b, ok := c.Call.Value.(*ssa.Builtin)
	return c.Call.Args, ok && b.Name() == name
}

// CallsValue reports whether a call is that of a function which the code has got as a value.
func CallsValue(call *ssa.CallCommon) bool {
	if call.IsInvoke() || call.StaticCallee() != nil {
		return false
	}
	_, builtin := call.Value.(*ssa.Builtin)
	return !builtin
}

// IsLenOfSlice reports whether a call asks for the length of a slice.
func IsLenOfSlice(c *ssa.Call) bool {
	of, ok := LenOf(c)
	if !ok {
		return false
	}
	_, slice := of.Type().Underlying().(*types.Slice)
	return slice
}

// PosOf returns where a call stands. That of an iterator by a loop has no position
// of its own: it stands where the iterator comes from.
func PosOf(call ssa.CallInstruction) token.Pos {
	if p := call.Pos(); p.IsValid() {
		return p
	}
	return call.Common().Value.Pos()
}

// CallAt returns the call of a function that stands at a place, nil if none does. Complexity: linear in
// the function's instructions.
func CallAt(fn *ssa.Function, at token.Pos) ssa.CallInstruction {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok && PosOf(call) == at {
				return call
			}
		}
	}
	return nil
}

// GivenBy returns the call of one of some functions, by their full names, that gives a value, and
// which one it is; nil if another one does.
func GivenBy(v ssa.Value, names ...string) (call *ssa.Call, args []ssa.Value, name string) {
	if call = CallOf(Unwrap(v)); call == nil || call.Call.IsInvoke() {
		return nil, nil, ""
	}
	fn, args := Callee(&call.Call)
	if fn == nil || !slices.Contains(names, fn.FullName()) {
		return nil, nil, ""
	}
	return call, args, fn.FullName()
}

// PanicStmt reports whether a block ends with a call of panic that is written there: none that stands
// for a function which never returns, or for an iterator that breaks the rules.
func PanicStmt(b *ssa.BasicBlock) bool {
	if len(b.Instrs) == 0 {
		return false
	}
	end, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Panic)
	return ok && end.Pos().IsValid() && !slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
		call, ok := instr.(*ssa.Call)
		return ok && call.Pos() == end.Pos()
	})
}

// Recovers reports whether a function calls recover itself, as what is deferred does to end a
// panic. Complexity: linear in its instructions.
func Recovers(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			if builtin, ok := call.Call.Value.(*ssa.Builtin); ok && builtin.Name() == "recover" {
				return true
			}
		}
	}
	return false
}

// MayRecover reports whether a function may return in spite of a panic: something that it defers recovers, or is not known.
// What the standard library does there, as to close a file, recovers nothing. Complexity: linear in its instructions, and in
// those of what it defers.
func MayRecover(fn *ssa.Function) bool {
	for call := range Calls(fn) {
		if _, ok := call.(*ssa.Defer); !ok {
			continue
		}
		if _, builtin := call.Common().Value.(*ssa.Builtin); builtin {
			continue
		}
		if lib, _ := Callee(call.Common()); lib != nil && lib.Pkg() != nil && IsStandard(lib.Pkg()) && fn.Pkg != nil && !SameRoot(fn.Pkg.Pkg, lib.Pkg()) {
			continue
		}
		if of := Function(call.Common().Value); of == nil || len(of.Blocks) == 0 || Recovers(of) {
			return true
		}
	}
	return false
}

// SameRoot reports whether the paths of two packages have the same first element: they may be of one module, whatever its
// name is.
func SameRoot(p, q *types.Package) bool {
	first, _, _ := strings.Cut(p.Path(), "/")
	other, _, _ := strings.Cut(q.Path(), "/")
	return first == other
}

// Captured reports whether a literal captures a variable.
func Captured(v *ssa.Alloc) bool {
	return slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		_, lit := r.(*ssa.MakeClosure)
		return lit
	})
}

// Arguments returns what a list of further arguments holds, nil if v is none.
func Arguments(v *ssa.Alloc) []ssa.Value {
	if v.Comment != "varargs" {
		return nil
	}
	var out []ssa.Value
	for _, r := range *v.Referrers() {
		at, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, u := range *at.Referrers() {
			if st, ok := u.(*ssa.Store); ok {
				out = append(out, Unwrap(st.Val))
			}
		}
	}
	return out
}

// IsMain reports whether fn is the main function of a program.
func IsMain(fn *ssa.Function) bool {
	if fn == nil || fn.Pkg == nil || fn.Pkg.Pkg.Name() != "main" {
		return false
	}
	return fn.Name() == "main" && fn.Parent() == nil && fn.Signature.Recv() == nil
}
