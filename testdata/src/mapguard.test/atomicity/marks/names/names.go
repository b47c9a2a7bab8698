// Package names has locks that go by a name.
package names

import (
	"context"
	"sync"
)

var (
	mu   sync.Mutex
	busy = make(map[string]chan struct{})
)

// Release gives a name back.
type Release func()

// Take waits until no one else has a name, and returns what gives it back.
func Take(ctx context.Context, name string) (Release, error) {
	for {
		mu.Lock()
		over, taken := busy[name]
		if !taken {
			busy[name] = make(chan struct{})
			mu.Unlock()
			return func() {
				mu.Lock()
				defer mu.Unlock()
				if over, taken := busy[name]; taken {
					delete(busy, name)
					close(over)
				}
			}, nil
		}
		mu.Unlock()
		select {
		case <-over:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

var (
	lateMu sync.Mutex
	late   = make(map[string]bool)
)

// Borrow gives back what it has not taken, too: it keeps nothing out.
func Borrow(name string) func() {
	lateMu.Lock()
	if !late[name] {
		late[name] = true
	}
	lateMu.Unlock()
	return func() {
		lateMu.Lock()
		delete(late, name)
		lateMu.Unlock()
	}
}
