package unguarded

import "sync"

type targets struct {
	mu sync.Mutex
	m  map[string]int // guarded by mu
}

func newTargets(keep bool) *targets {
	t := &targets{}
	if keep {
		t.m = make(map[string]int)
	}
	return t
}

// The variable keeps what it was made with: only the entries change.
func (t *targets) dropOk(k string) {
	if t.m != nil {
		t.mu.Lock()
		delete(t.m, k)
		t.mu.Unlock()
	}
}

func (t *targets) addOk(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.m[k]++
}

func (t *targets) hasBad(k string) bool {
	return t.m[k] > 0 // want `unguarded-access: t\.m is read without mu`
}

type closing struct {
	mu sync.Mutex
	m  map[string]int // guarded by mu
}

func (c *closing) closeOk() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.m = nil
}

func (c *closing) addOk(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.m[k]++
}

// It is taken away.
func (c *closing) closedBad() bool {
	return c.m == nil // want `unguarded-access: c\.m is compared with nil.*, low`
}
