// Package syncx stands in for go-zero's.
package syncx

// A SingleFlight runs a function for one caller at a time per key.
type SingleFlight interface {
	Do(key string, fn func() (any, error)) (any, error)
}
