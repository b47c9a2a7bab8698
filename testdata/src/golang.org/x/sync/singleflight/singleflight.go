// Package singleflight has the names of the real one, for tests.
package singleflight

// A Group suppresses duplicate calls.
type Group struct{ _ int }

// Do calls fn, or waits for the call under way.
func (g *Group) Do(key string, fn func() (any, error)) (v any, err error, shared bool) {
	v, err = fn()
	return v, err, false
}
