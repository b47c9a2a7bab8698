package lockstates

import "sync"

// A hub takes its lock and hands it to the goroutine that goes on with the work, which
// lets it go.
type hub struct {
	mu      sync.Mutex
	members map[string]int
}

func (h *hub) Join(k string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.members[k]++
}

func (h *hub) Count(k string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.members[k]
}

func (h *hub) SubscribeOk(k string, later bool, gone chan struct{}) {
	h.mu.Lock()
	go func() {
		<-gone
		h.mu.Lock()
		defer h.mu.Unlock()
		h.removeOk(k)
	}()
	if !later {
		defer h.mu.Unlock()
		h.addOk(k)
		return
	}
	go func() {
		defer h.mu.Unlock()
		for range h.members[k] {
			h.addOk(k)
		}
	}()
}

func (h *hub) addOk(k string) {
	if _, ok := h.members[k]; !ok {
		h.members[k] = 1
	}
}

func (h *hub) removeOk(k string) { delete(h.members, k) }

// A port lets its lock go itself, or the goroutine does before it is done with the map.
type port struct {
	mu    sync.Mutex
	ships map[string]int
}

func (p *port) Enter(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ships[k]++
}

func (p *port) Ships(k string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ships[k]
}

func (p *port) All() (out []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for k := range p.ships {
		out = append(out, k)
	}
	for k := range p.ships {
		p.ships[k] = 0
	}
	return out
}

func (p *port) Drop(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.ships, k)
}

func (p *port) Empty() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.ships) == 0
}

func (p *port) LeaveBad(k string) {
	p.mu.Lock()
	go func() {
		p.ships[k] = 0 // want `ships`
	}()
	p.mu.Unlock()
}

func (p *port) LateBad(k string) {
	p.mu.Lock()
	go func() {
		p.mu.Unlock()
		delete(p.ships, k) // want `ships`
	}()
}

// What is handed over on one path is unlocked by the starter on another, before its last
// access.
func (p *port) EitherBad(k string, later bool) {
	p.mu.Lock()
	go func() {
		delete(p.ships, k) // want `ships`
		p.mu.Unlock()
	}()
	if later {
		p.mu.Unlock()
	}
}
