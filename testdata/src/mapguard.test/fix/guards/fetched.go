package guards

import "sync"

// Sessions has its map behind a pointer, which is set to another one under the lock.
type Sessions struct {
	mu   sync.RWMutex
	live *map[string]int
}

// Add adds one.
func (s *Sessions) Add(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := *s.live
	m[id] = len(m)
	s.live = &m
}

// DropAll forgets all.
func (s *Sessions) DropAll() {
	m := map[string]int{}
	s.mu.Lock()
	s.live = &m
	s.mu.Unlock()
}

// HighestBad reads the pointer first.
func (s *Sessions) HighestBad() int {
	m := s.live
	top := 0
	for _, n := range *m { // want `unguarded-access: s.live is ranged over without mu`
		top = max(top, n)
	}
	return top
}

// NumberBad does, too, and goes on without the map.
func (s *Sessions) NumberBad(id string, tell chan<- int) {
	live := *s.live
	n, ok := live[id] // want `unguarded-access: s.live is read without mu`
	if ok {
		tell <- n
	}
}

// Peers has its map in a field that is assigned under the lock.
type Peers struct {
	mu    sync.Mutex
	known map[string]bool
}

// Reset forgets all.
func (p *Peers) Reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.known = map[string]bool{}
}

// Add adds one.
func (p *Peers) Add(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.known[name] = true
}

// HasBad reads the field first.
func (p *Peers) HasBad(name string, tell chan<- bool) {
	known := p.known
	ok := known[name] // want `unguarded-access: p.known is read without mu`
	tell <- ok
}

// Routes has its map from the start on: where it is read from the field does not matter.
type Routes struct {
	mu sync.Mutex
	to map[string]string
}

// NewRoutes makes them.
func NewRoutes() *Routes { return &Routes{to: map[string]string{}} }

// Add adds one.
func (r *Routes) Add(from, to string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.to[from] = to
}

// Remove takes one away.
func (r *Routes) Remove(from string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.to, from)
}

// ToBad reads the field first.
func (r *Routes) ToBad(from string, tell chan<- string) {
	routes := r.to
	println(from)
	to := routes[from] // want `unguarded-access: r.to is read without mu`
	tell <- to
}

// FillBad fills in a loop that ends the function, and parses what may not be well-formed: the release is
// deferred, so that a panic leaves nothing locked.
func (r *Routes) FillBad(lines []string) {
	for _, l := range lines {
		r.to[l] = after(l) // want `unguarded-access: r.to is written without mu`
	}
}

func after(l string) string { return l[1:] }

// AgainBad jumps back: a deferred release would come too late.
func (r *Routes) AgainBad(n int) {
top:
	n--
	r.to["x"] = after("xx") // want `unguarded-access: r.to is written without mu`
	if n > 0 {
		goto top
	}
}
