package lockstates

import (
	"context"
	"sync"
)

type marks struct {
	mu   sync.Mutex
	seen map[string]bool
}

type marksKey struct{}

// The lock is not held only where the object has just been made.
func markOk(ctx context.Context, k string) context.Context {
	m, ok := ctx.Value(marksKey{}).(*marks)
	if ok {
		m.mu.Lock()
		defer m.mu.Unlock()
	} else {
		m = &marks{seen: make(map[string]bool)}
		ctx = context.WithValue(ctx, marksKey{}, m)
	}
	if !m.seen[k] {
		m.seen[k] = true
	}
	return ctx
}

// Here the lock is another object's.
func markOtherBad(ctx context.Context, other *marks, k string) context.Context {
	m, ok := ctx.Value(marksKey{}).(*marks)
	if ok {
		other.mu.Lock()
		defer other.mu.Unlock()
	} else {
		m = &marks{seen: make(map[string]bool)}
		ctx = context.WithValue(ctx, marksKey{}, m)
	}
	if !m.seen[k] { // want `m.seen is read here, then written.*, low`
		m.seen[k] = true
	}
	return ctx
}

// Here the object of which the lock is not taken is there for others, too.
func markKnownBad(ctx context.Context, known *marks, k string) {
	m, ok := ctx.Value(marksKey{}).(*marks)
	if ok {
		m.mu.Lock()
		defer m.mu.Unlock()
	} else {
		m = known
	}
	if !m.seen[k] { // want `m.seen is read here, then written.*, low`
		m.seen[k] = true
	}
}

func (m *marks) Mark(k string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seen[k] = true
}

func (m *marks) Seen(k string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.seen[k]
}

// Marks are the marks of all.
var Marks = &marks{seen: make(map[string]bool)}

// MarkAll marks in all ways.
func MarkAll(ctx context.Context, k string) {
	markKnownBad(markOtherBad(markOk(ctx, k), Marks, k), Marks, k)
}
