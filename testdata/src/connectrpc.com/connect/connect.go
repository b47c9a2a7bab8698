// Package connect stands in for the library.
package connect

// A Request has a message.
type Request[T any] struct{ Msg *T }

// A Response has one.
type Response[T any] struct{ Msg *T }
