// Package keymutex stands in for k8s.io/utils/keymutex.
package keymutex

// A KeyMutex has a lock for each key.
type KeyMutex interface {
	LockKey(id string)
	UnlockKey(id string) error
}

// NewHashed returns one.
func NewHashed(n int) KeyMutex
