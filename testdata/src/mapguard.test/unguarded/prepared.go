package unguarded

import "sync"

// The lock is held for other things where the map is looked at, and only what brings the device into
// service fills it.
type device struct {
	mu    sync.Mutex
	state int
	moves map[int]func() error
}

func (d *device) Initialize() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.moves = map[int]func() error{1: d.stop}
	d.state = 1
}

func (d *device) stop() error { return nil }

func (d *device) knows(next int) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, ok := d.moves[next]
	return ok && next > d.state
}

func (d *device) applyOk(next int) error {
	if move, ok := d.moves[next]; ok {
		return move()
	}
	return nil
}

// This one is filled later as well.
type motor struct {
	mu    sync.Mutex
	state int
	moves map[int]func() error
}

func (m *motor) Initialize() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.moves = map[int]func() error{1: m.stop}
	m.state = 1
}

func (m *motor) stop() error { return nil }

func (m *motor) learn(next int, move func() error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.moves[next] = move
}

func (m *motor) applyBad(next int) error {
	if move, ok := m.moves[next]; ok { // want `unguarded-access: m\.moves is read without mu`
		return move()
	}
	return nil
}
