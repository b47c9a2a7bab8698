package refused

import "sync"

type sheets struct {
	mu sync.Mutex
	m  map[string]int
}

func (s *sheets) get() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.m
}

func (s *sheets) put(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[k]++
}

func (s *sheets) drop(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.m, k)
}

type binder struct{ of *sheets }

func (b *binder) all() map[string]int { return b.of.get() }

func (b *binder) sumBad() (n int) {
	for _, c := range b.all() { // want `unguarded-access: .*`
		n += c
	}
	return n
}

// Another caller changes what it gets on the way.
func (b *binder) clearBad(k string) {
	m := b.all()
	m[k] = 0 // want `unguarded-access: .*`
}
