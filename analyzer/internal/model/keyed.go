package model

import (
	"go/types"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// keyedNames are the methods of types that have a lock for each key, and their other halves.
var keyedNames = map[string]struct {
	kind  Kind
	other string
}{
	"Lock": {Lock, "Unlock"}, "Unlock": {Unlock, "Lock"},
	"LockKey": {Lock, "UnlockKey"}, "UnlockKey": {Unlock, "LockKey"},
}

// KeyedLock returns whether a method of which no body is known takes the lock of its one argument, or gives it back, as those of
// k8s.io/utils/keymutex and github.com/moby/locker do: both halves are there, for keys of the same type, and the lock is taken
// without a result that could say that it is not.
func KeyedLock(fn *types.Func) Kind {
	row, ok := keyedNames[fn.Name()]
	if !ok || fn.Signature().Recv() == nil {
		return None
	}
	obj, _, _ := types.LookupFieldOrMethod(fn.Signature().Recv().Type(), false, fn.Pkg(), row.other)
	other, ok := obj.(*types.Func)
	if !ok {
		return None
	}
	key, otherKey := soleKey(fn), soleKey(other)
	if key == nil || otherKey == nil || !types.Identical(key, otherKey) {
		return None
	}
	takes := fn
	if row.kind == Unlock {
		takes = other
	}
	if takes.Signature().Results().Len() > 0 {
		return None
	}
	return row.kind
}

// HasKeyedLock reports whether t is an interface with such methods, or a struct, or a pointer to one. What is a map or a list itself has the
// locks as its elements.
func HasKeyedLock(t types.Type) bool {
	switch ssautil.Pointee(t).Underlying().(type) {
	case *types.Interface, *types.Struct:
	default:
		return false
	}
	for name := range keyedNames {
		obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
		if m, ok := obj.(*types.Func); ok && KeyedLock(m) != None {
			return true
		}
	}
	return false
}

// soleKey returns the type of the one parameter of a method, if it can be a key: any value, but no context, say.
func soleKey(fn *types.Func) types.Type {
	params := fn.Signature().Params()
	if params.Len() != 1 || fn.Signature().Variadic() {
		return nil
	}
	t := params.At(0).Type()
	if iface, ok := t.Underlying().(*types.Interface); ok && !iface.Empty() || !types.Comparable(t) {
		return nil
	}
	return t
}
