// Package gate lets one at a time into what must not be done by two: the apply
// phase of plans that share a project.
package gate

import "context"

// Gate lets one holder in at a time. Unlike a mutex it can be waited for with a
// context. It is safe for concurrent use.
type Gate struct {
	inside chan struct{}
}

// New returns a gate with no one inside.
func New() *Gate {
	return &Gate{inside: make(chan struct{}, 1)}
}

// Enter waits until no one is inside, and goes in. It gives up when ctx ends.
func (g *Gate) Enter(ctx context.Context) error {
	select {
	case g.inside <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// TryEnter goes in when no one is inside, and reports whether it did.
func (g *Gate) TryEnter() bool {
	select {
	case g.inside <- struct{}{}:
		return true
	default:
		return false
	}
}

// Leave lets the next one in. Only who went in may leave.
func (g *Gate) Leave() {
	<-g.inside
}
