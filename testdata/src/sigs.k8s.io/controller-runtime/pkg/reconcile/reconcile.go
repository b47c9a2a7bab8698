// Package reconcile stands in for controller-runtime's.
package reconcile

// A Request names an object.
type Request struct{ Name string }

// A Result says when to come back.
type Result struct{ Requeue bool }
