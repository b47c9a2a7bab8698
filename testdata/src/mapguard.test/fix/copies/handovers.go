package copies

import "sync"

// What uses the map gets it from a function that gets it from the one with the lock.
type pages struct {
	mu sync.Mutex
	m  map[string]int
}

func (p *pages) get() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.m
}

func (p *pages) put(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.m[k]++
}

func (p *pages) drop(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.m, k)
}

type shelf struct{ of *pages }

func (s *shelf) pages() map[string]int { return s.of.get() }

func (s *shelf) all() map[string]int { return s.pages() }

func (s *shelf) sumBad() (n int) {
	for _, c := range s.all() { // want `unguarded-access: .*`
		n += c
	}
	return n
}
