// Package workqueue stands in for client-go's.
package workqueue

// A TypedInterface is a queue.
type TypedInterface[T comparable] interface {
	Add(item T)
	Get() (item T, shutdown bool)
	Done(item T)
}

// An Interface is a queue of anything.
type Interface = TypedInterface[any]
