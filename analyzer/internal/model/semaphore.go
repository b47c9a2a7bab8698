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
