package splitlock

import "sync"

// boxes says in which box something lies. It is safe for concurrent use.
type boxes struct {
	mu sync.Mutex
	m  map[string]string
}

func (b *boxes) get(id string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.m[id]
}

// set forgets it where there is no box.
func (b *boxes) set(id, box string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if box != "" {
		b.m[id] = box
	} else {
		delete(b.m, id)
	}
}

// Where it calls set, there is a box: it deletes nothing.
func (b *boxes) moveOk(id, from, box string) {
	if b.get(id) == from && box != "" {
		b.set(id, box)
	}
}

// There is none.
func (b *boxes) forgetBad(id, from, box string) bool {
	if box != "" || b.get(id) != from {
		return false
	}
	println(from)
	b.set(id, box) // want `split-lock: b\.m is read at line \d+ and deleted`
	return true
}
