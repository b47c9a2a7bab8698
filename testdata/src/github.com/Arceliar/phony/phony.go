// Package phony has the names of the real one, for tests.
package phony

// An Inbox runs what it is given, one after the other.
type Inbox struct{ _ int }

// An Actor has an inbox.
type Actor interface {
	Act(Actor, func())
	restart()
}

// Act runs action later.
func (a *Inbox) Act(from Actor, action func()) { action() }

func (a *Inbox) restart() {}

// Block runs action in turn, and waits for its end.
func Block(actor Actor, action func()) { action() }
