// Package singleflight has the names of the real one, for tests.
package singleflight

// A Group suppresses duplicate calls.
type Group struct{ _ int }

// Do calls fn, or waits for the call under way.
func (g *Group) Do(key string, fn func() (any, error)) (v any, err error, shared bool) {
	v, err = fn()
	return v, err, false
}

// A Result is what Do gives, over a channel.
type Result struct {
	Val    any
	Err    error
	Shared bool
}

// DoChan is Do in another goroutine.
func (g *Group) DoChan(key string, fn func() (any, error)) <-chan Result {
	ch := make(chan Result, 1)
	go func() {
		v, err := fn()
		ch <- Result{v, err, false}
	}()
	return ch
}
