package guards

import "sync"

// A period has a map and a lock of its own.
type period struct {
	mu    sync.Mutex
	items map[string]int // guarded by mu
}

func (p *period) touch(key string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.items[key]++
}

func (p *period) drop(key string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.items, key)
}

// The lock is that of the period which is walked. The other one is new.
func rotateBad(cur *period) *period {
	next := &period{items: make(map[string]int)}
	for k, n := range cur.items { // want `unguarded-access: .*without mu`
		if n > 1 {
			next.items[k] = n
		}
	}
	return next
}

// The receiver has no lock in it, and the parameter's is taken.
func (t *tree) countBad(p *period) int {
	return p.items[t.name] // want `unguarded-access: .*without mu`
}
