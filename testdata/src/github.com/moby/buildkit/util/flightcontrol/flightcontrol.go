// Package flightcontrol stands in for buildkit's.
package flightcontrol

import "context"

// A Group runs a function for one caller at a time per key.
type Group[T any] struct{}

// Do runs fn, or waits for one that runs.
func (g *Group[T]) Do(ctx context.Context, key string, fn func(ctx context.Context) (T, error)) (T, error)
