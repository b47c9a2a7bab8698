package refused

import "sync"

type keyed interface{ Key() string }

type keyring struct {
	mu sync.Mutex
	m  map[string]*keyedItem // guarded by mu
	n  map[string]int        // guarded by mu
}

type keyedItem struct{ n int }

func (s *keyedItem) run(string) {}

func (s *keyring) put(k string, e *keyedItem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[k] = e
	s.n[k]++
}

// The key is not evaluated in any case.
func (s *keyring) perhapsBad(k keyed) bool {
	return k != nil && s.m[k.Key()] != nil // want `unguarded-access: .*`
}

// What is called before may change what the key is.
func (s *keyring) behindBad(k, l keyed) (string, *keyedItem) {
	a, b := l.Key(), s.m[k.Key()] // want `unguarded-access: .*`
	l.Key()
	return a, b
}

// So may what is received before.
func (s *keyring) receivedBad(k keyed, ch chan string) (string, *keyedItem) {
	a, b := <-ch, s.m[k.Key()] // want `unguarded-access: .*`
	k.Key()
	return a, b
}

// There is an access in the key.
func (s *keyring) innerBad(k func(int) string) *keyedItem {
	e := s.m[k(s.n[""])] // want `unguarded-access: .*`
	k(1)
	return e
}

// The value takes long, too.
func (s *keyring) bothBad(k keyed) {
	s.n[k.Key()] = len(k.Key()) // want `unguarded-access: .*`
	k.Key()
}
