package harm

import "sync"

// room holds who is in it. Those who come make one where there is none, and go in
// under its own lock.
type room struct {
	mu     sync.Mutex
	guests map[string]bool
	name   string
}

type hotel struct {
	mu    sync.Mutex
	rooms map[string]*room // guarded by mu
}

func (h *hotel) open(k string) *room {
	h.mu.Lock()
	defer h.mu.Unlock()
	r, ok := h.rooms[k]
	if !ok {
		r = &room{guests: map[string]bool{}, name: k}
		h.rooms[k] = r
	}
	return r
}

func (r *room) enter(who string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.guests[who] = true
}

func (r *room) empty() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.guests) == 0
}

func (h *hotel) clearBad(k string) {
	h.mu.Lock()
	r := h.rooms[k]
	h.mu.Unlock()
	if r != nil && r.empty() {
		h.mu.Lock()
		delete(h.rooms, k) // want `split-lock: h\.rooms is read at line \d+ and deleted here .*: what another goroutine added since is lost .*medium`
		h.mu.Unlock()
	}
}

func (h *hotel) clearOk(k string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if r := h.rooms[k]; r != nil && r.empty() {
		delete(h.rooms, k)
	}
}

// What the room is called does not change while it is looked at.
func (h *hotel) closeNamelessBad(k string) {
	h.mu.Lock()
	r := h.rooms[k]
	h.mu.Unlock()
	if r != nil && len(r.name) == 0 {
		h.mu.Lock()
		delete(h.rooms, k) // want `split-lock: .*, low`
		h.mu.Unlock()
	}
}
