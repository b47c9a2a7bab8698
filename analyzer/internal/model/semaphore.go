package model

import "go/types"

// IsSemaphore reports whether t is a weighted semaphore or a pointer to one.
func IsSemaphore(t types.Type) bool {
	return isNamed(pointee(t), semaphores, "Weighted")
}

const semaphores = "golang.org/x/sync/semaphore"

// MakesSemaphore reports whether fn makes a weighted semaphore of the size that it
// gets.
func MakesSemaphore(fn *types.Func) bool {
	return fn != nil && fn.FullName() == semaphores+".NewWeighted"
}

// IsToken reports whether values of type t say nothing by themselves, as the elements of a channel do that is a lock.
func IsToken(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Struct:
		return t.NumFields() == 0
	case *types.Basic:
		return t.Info()&types.IsBoolean != 0
	}
	return false
}
