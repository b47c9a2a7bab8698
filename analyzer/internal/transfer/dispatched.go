package transfer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A lock that an object gives by a method of an interface is the object's own, whichever type that is, if all types of the
// package that have the interface give one of their own. A caller that knows the type knows which.

// dispatchedLock names the lock that a method of an interface gives: that of the one type which has the interface, or else
// what the method makes of its receiver. The unknown path if it gives something else.
func (a *Env) dispatchedLock(call *ssa.CallCommon, index int) accesspath.Path {
	results := call.Signature().Results()
	if results.Len() != 1 || !model.IsMutex(results.At(index).Type()) || len(call.Args) > 0 {
		return accesspath.Path{}
	}
	impls := a.implementing(call.Method, []ssa.Value{call.Value})
	if len(impls) == 0 || len(impls) < len(a.Implementers(call.Method)) {
		return accesspath.Path{}
	}
	for i := range impls {
		if !impls[i].ownResult(index) {
			return accesspath.Path{}
		}
	}
	of := a.Paths.Of(call.Value)
	if len(impls) > 1 || impls[0].promoted(call) {
		return a.Paths.Apply(of, call.Method.Origin(), accesspath.Path{})
	}
	return a.Paths.Rebase(impls[0].sum.Results[index].Path, a.Paths.ParamOf(impls[0].key, 0), of)
}

// ownResult reports whether a method gives what its receiver leads to.
func (t *target) ownResult(index int) bool {
	if index >= len(t.sum.Results) {
		return false
	}
	res := &t.sum.Results[index]
	r := res.Path.Root()
	return len(res.Apart) == 0 && r.Kind == accesspath.Param && r.Fn == t.key && r.Index == 0
}

// promoted reports whether types that have an interface may have a method of it by an embedded one: the function gets a
// part of the object then.
func (t *target) promoted(call *ssa.CallCommon) bool {
	fn, ok := t.key.(*types.Func)
	return !ok || !types.Implements(fn.Signature().Recv().Type(), call.Value.Type().Underlying().(*types.Interface))
}

// asDispatched names a lock of the callee, which a method of an interface gives that it got, as the argument's type tells; the
// unknown path if it is none.
func (a *Env) asDispatched(lock accesspath.Path, t target, at ssa.Instruction) accesspath.Path {
	first, r := firstStep(lock), lock.Root()
	m, ok := first.Computed().(*types.Func)
	if !ok || r.Index >= len(t.args) {
		return accesspath.Path{}
	}
	made, ok := t.args[r.Index].(*ssa.MakeInterface)
	if !ok {
		return accesspath.Path{}
	}
	obj, index, _ := types.LookupFieldOrMethod(made.X.Type(), true, m.Pkg(), m.Name())
	impl, ok := obj.(*types.Func)
	if !ok || types.IsInterface(impl.Signature().Recv().Type()) {
		return accesspath.Path{}
	}
	of := target{key: impl.Origin(), sum: a.Summary(impl.Origin())}
	if of.sum == nil || !of.ownResult(0) {
		return accesspath.Path{}
	}
	object := a.embedded(a.Paths.Of(made.X), made.X.Type(), index)
	own := a.Paths.Rebase(of.sum.Results[0].Path, a.Paths.ParamOf(of.key, 0), object)
	return a.Paths.Rebase(lock, first, own)
}

// embedded returns the part of an object from which it has a field or a method, to which the indices but the last lead.
func (a *Env) embedded(p accesspath.Path, t types.Type, index []int) accesspath.Path {
	for _, i := range index[:max(len(index)-1, 0)] {
		st, ok := ssautil.Pointee(t).Underlying().(*types.Struct)
		if !ok || i >= st.NumFields() {
			return p
		}
		p, t = a.Paths.Field(p, st.Field(i)), st.Field(i).Type()
	}
	return p
}
