package initialisation

import "sync"

// A method that brings its object into service may put an entry of its caller's choice in a map that it has
// just made for the object: a request would take the entries of all others away.
type switchboard struct {
	mu     sync.Mutex
	lines  map[string]int
	owner  string
	rented map[string]bool
}

func (s *switchboard) InitializeOk(owner string) {
	s.lines = make(map[string]int)
	s.rented = map[string]bool{}
	s.owner = owner
	s.lines[owner] = 1
	s.rented[owner] = true
}

func (s *switchboard) plug(who string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines[who]++
	s.rented[who] = false
}

func (s *switchboard) pull(who string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.lines, who)
	delete(s.rented, who)
}

func (s *switchboard) lit() (out []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for who := range s.lines {
		out = append(out, who)
	}
	for who := range s.rented {
		out = append(out, who)
	}
	return out
}

// The map was there before, so the entry is one of many.
type exchange struct {
	mu    sync.Mutex
	lines map[string]int
}

func (e *exchange) InitBad(owner string) {
	e.lines[owner] = 1 // want `unguarded-access: e\.lines`
}

func (e *exchange) plug(who string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.lines[who]++
}

func (e *exchange) pull(who string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.lines, who)
}

func (e *exchange) lit() (out []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for who := range e.lines {
		out = append(out, who)
	}
	return out
}

// It is made only where there is none: each request may come first.
type centre struct {
	mu    sync.Mutex
	lines map[string]int
}

func (c *centre) SetupBad(owner string) {
	if c.lines == nil {
		c.lines = make(map[string]int)
	}
	c.lines[owner] = 1 // want `unguarded-access: c\.lines`
}

func (c *centre) plug(who string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lines[who]++
}

func (c *centre) pull(who string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.lines, who)
}

func (c *centre) lit() (out []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for who := range c.lines {
		out = append(out, who)
	}
	return out
}

// It is made on some ways only.
type relay struct {
	mu    sync.Mutex
	lines map[string]int
}

func (r *relay) ConfigureBad(owner string, anew bool) {
	if anew {
		r.lines = make(map[string]int)
	}
	r.lines[owner] = 1 // want `unguarded-access: r\.lines`
}

func (r *relay) plug(who string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines[who]++
}

func (r *relay) pull(who string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.lines, who)
}

func (r *relay) lit() (out []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for who := range r.lines {
		out = append(out, who)
	}
	return out
}

// What makes the map anew by another name may run at any time.
type bank struct {
	mu    sync.Mutex
	lines map[string]int
}

func (b *bank) RestartBad(owner string) {
	b.lines = make(map[string]int)
	b.lines[owner] = 1 // want `unguarded-access: b\.lines`
}

func (b *bank) plug(who string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lines[who]++
}

func (b *bank) pull(who string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.lines, who)
}

func (b *bank) lit() (out []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for who := range b.lines {
		out = append(out, who)
	}
	return out
}

// A goroutine that comes to the new map has begun before the entry is put in.
type station struct {
	mu    sync.Mutex
	lines map[string]int
}

func (s *station) InitializeBad(owner string) {
	s.lines = make(map[string]int)
	go s.plug(owner)
	s.lines[owner] = 1 // want `unguarded-access: s\.lines`
}

func (s *station) plug(who string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines[who]++
}

func (s *station) pull(who string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.lines, who)
}
