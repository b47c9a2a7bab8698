// Package errgroup has the names of the real one, for tests.
package errgroup

// A Group is a group of goroutines.
type Group struct{ _ int }

// Go runs f in a goroutine.
func (g *Group) Go(f func() error) { go f() }

// Wait waits for all.
func (g *Group) Wait() error { return nil }
