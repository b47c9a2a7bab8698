package model

import "go/types"

// keyedNames are the methods of interfaces that have a lock for each key, and their other halves.
var keyedNames = map[string]struct {
	kind  Kind
	other string
}{
	"Lock": {Lock, "Unlock"}, "Unlock": {Unlock, "Lock"},
	"LockKey": {Lock, "UnlockKey"}, "UnlockKey": {Unlock, "LockKey"},
}

// KeyedLock returns whether a method of an interface takes the lock of its one argument, or gives it back, as that of
// k8s.io/utils/keymutex does: both halves are there, for keys of the same type, and the lock is taken without a result that
// could say that it is not.
func KeyedLock(fn *types.Func) Kind {
	row, ok := keyedNames[fn.Name()]
	if !ok || !types.IsInterface(fn.Signature().Recv().Type()) {
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

// HasKeyedLock reports whether t is an interface with such methods.
func HasKeyedLock(t types.Type) bool {
	iface, ok := t.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for m := range iface.Methods() {
		if KeyedLock(m) != None {
			return true
		}
	}
	return false
}

// soleKey returns the type of the one parameter of a method, if it can be a key: a context, say, is none.
func soleKey(fn *types.Func) types.Type {
	params := fn.Signature().Params()
	if params.Len() != 1 || fn.Signature().Variadic() {
		return nil
	}
	t := params.At(0).Type()
	if types.IsInterface(t) || !types.Comparable(t) {
		return nil
	}
	return t
}
