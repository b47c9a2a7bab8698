// Package clerk does what others ask for, in goroutines of its own.
package clerk

import (
	"context"
	"errors"
	"sync"
)

var errClosed = errors.New("closed")

type ticket struct {
	done chan struct{}
	mu   sync.Mutex
	err  error
	gone bool
}

func (t *ticket) over() <-chan struct{} { return t.done }

func (t *ticket) outcome() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}

// drop reports whether what is asked for will never be done.
func (t *ticket) drop() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.gone {
		return false
	}
	t.gone = true
	close(t.done)
	return true
}

func (t *ticket) finish(err error) {
	t.mu.Lock()
	t.err = err
	t.mu.Unlock()
	close(t.done)
}

// A Clerk does one thing after the other, as long as there is room.
type Clerk struct{ asked chan func() }

// New starts a clerk.
func New() *Clerk {
	c := &Clerk{asked: make(chan func(), 8)}
	go func() {
		for f := range c.asked {
			f()
		}
	}()
	return c
}

func (c *Clerk) put(f func() error) *ticket {
	t := &ticket{done: make(chan struct{})}
	if c == nil {
		t.finish(errClosed)
		return t
	}
	run := func() { t.finish(f()) }
	select {
	case c.asked <- run:
	default:
		go run()
	}
	return t
}

func await[T any](ctx context.Context, t *ticket, out *T) (T, error) {
	var zero T
	given := func() (T, error) {
		if err := t.outcome(); err != nil {
			return zero, err
		}
		return *out, nil
	}
	select {
	case <-t.over():
		return given()
	case <-ctx.Done():
		if t.drop() {
			return zero, ctx.Err()
		}
		<-t.over()
		return given()
	}
}

// Ask has something done, and gives what comes of it.
func Ask[T any](ctx context.Context, c *Clerk, f func() (T, error)) (T, error) {
	var out T
	t := c.put(func() error {
		var err error
		out, err = f()
		return err
	})
	return await(ctx, t, &out)
}

// Sum has something counted, and gives the count.
func (c *Clerk) Sum(f func() int) (int, error) {
	n := 0
	t := c.put(func() error {
		n = f()
		return nil
	})
	<-t.over()
	if err := t.outcome(); err != nil {
		return 0, err
	}
	return n, nil
}

// Try has something counted, and gives up where that takes long.
func (c *Clerk) Try(f func() int, giveUp <-chan struct{}) (int, error) {
	n := 0
	t := c.put(func() error {
		n = f()
		return nil
	})
	select {
	case <-t.over():
		return n, nil
	case <-giveUp:
		return 0, nil
	}
}

// Leave has something done beside; it waits for room alone.
func (c *Clerk) Leave(f func() error, room <-chan struct{}) error {
	<-room
	c.put(func() error { return f() })
	return nil
}
