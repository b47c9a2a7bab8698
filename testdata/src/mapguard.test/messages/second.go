package messages

import "sync"

// routes has a lock, which the lookup forgets.
type routes struct {
	mu sync.Mutex
	to map[string]string
}

// reset comes first in the file, and replaces the map: what the runtime stops a lookup at is another access.
func (r *routes) reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.to = make(map[string]string)
}

// forward writes to what a call gives, which may be another table each time.
func forward(from, to string, current func() *routes) {
	r := current()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.to[from] = to
}

func (r *routes) set(from, to string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.to[from] = to
}

func (r *routes) drop(from string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.to, from)
}

func (r *routes) lookup(from string) string { return r.to[from] } // reported
