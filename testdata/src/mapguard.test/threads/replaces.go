package threads

import "sync"

// Who replaces an entry that he has found makes no absent entry present. So one
// goroutine alone inserts here.
type slots struct {
	mu   sync.Mutex
	used map[int]string
}

func (s *slots) claimOk(k int, name string) bool {
	s.mu.Lock()
	_, ok := s.used[k]
	s.mu.Unlock()
	if ok {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used[k] = name
	return true
}

func (s *slots) rename(k int, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.used[k]; ok {
		s.used[k] = name
	}
}

func OneClaims() {
	s := &slots{used: make(map[int]string)}
	go s.claimOk(1, "a")
	go s.rename(1, "b")
}

// Who looks at another entry can insert.
type otherSlots struct {
	mu   sync.Mutex
	used map[int]string
}

func (s *otherSlots) claimBad(k int, name string) bool {
	s.mu.Lock()
	_, ok := s.used[k]
	s.mu.Unlock()
	if ok {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used[k] = name // want `split-lock: `
	return true
}

func (s *otherSlots) copyTo(k, to int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if name, ok := s.used[k]; ok {
		s.used[to] = name
	}
}

func OneClaimsOneCopies() {
	s := &otherSlots{used: make(map[int]string)}
	go s.claimBad(1, "a")
	go s.copyTo(2, 1)
}
