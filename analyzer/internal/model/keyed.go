package model

import "go/types"

var keyedNames = map[string]Kind{
	"Lock": Lock, "Unlock": Unlock, "RLock": RLock, "RUnlock": RUnlock, "LockKey": Lock, "UnlockKey": Unlock,
}

// LockOfKey returns what a method does to the lock of the key that it gets, of those that its type has for
// each key: it takes the key alone, both halves of a pair are there, and only letting go may fail
// (github.com/moby/locker, k8s.io/utils/keymutex).
func LockOfKey(fn *types.Func) Kind {
	if fn == nil || fn.Signature().Recv() == nil {
		return None
	}
	kind, ok := keyedNames[fn.Name()]
	if !ok || !ofKey(fn, kind == Unlock || kind == RUnlock) {
		return None
	}
	lock, unlock := "Lock", "Unlock"
	switch fn.Name() {
	case "RLock", "RUnlock":
		lock, unlock = "RLock", "RUnlock"
	case "LockKey", "UnlockKey":
		lock, unlock = "LockKey", "UnlockKey"
	}
	if !hasOfKey(fn, lock, false) || !hasOfKey(fn, unlock, true) {
		return None
	}
	return kind
}

// hasOfKey reports whether the type of a method has such a method.
func hasOfKey(fn *types.Func, name string, fails bool) bool {
	obj, _, _ := types.LookupFieldOrMethod(fn.Signature().Recv().Type(), true, fn.Pkg(), name)
	m, ok := obj.(*types.Func)
	return ok && ofKey(m, fails)
}

// ofKey reports whether a method takes a key alone, and gives nothing but an error, if it may fail.
func ofKey(m *types.Func, fails bool) bool {
	sig := m.Signature()
	if sig.Params().Len() != 1 || sig.Variadic() {
		return false
	}
	switch t := sig.Params().At(0).Type().(type) {
	case *types.TypeParam:
	default:
		if b, ok := t.Underlying().(*types.Basic); !ok || b.Info()&types.IsBoolean != 0 {
			return false
		}
	}
	switch res := sig.Results(); res.Len() {
	case 0:
		return true
	case 1:
		return fails && types.Identical(res.At(0).Type(), types.Universe.Lookup("error").Type())
	}
	return false
}
