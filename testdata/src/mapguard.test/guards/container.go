package guards

import (
	"maps"
	"sync"
)

// A part has a lock of its own, and those who change it hold that of the store around it, too.
type part struct {
	own sync.Mutex
	m   map[string]int // guarded by own
}

type store struct {
	mu    sync.RWMutex
	parts map[string]*part
}

func (p *part) putOk(k string) {
	p.own.Lock()
	defer p.own.Unlock()
	p.m[k]++
}

func (p *part) copyOk() map[string]int { return maps.Clone(p.m) }

func (s *store) Put(name, k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.parts[name]; p != nil {
		s.change(p, k)
	}
}

func (s *store) change(p *part, k string) { p.putOk(k) }

func (s *store) Copies() (out []map[string]int) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, p := range s.parts {
		out = append(out, p.copyOk())
	}
	return out
}

// One who changes it does without the lock of the store.
type loosePart struct {
	own sync.Mutex
	m   map[string]int // guarded by own
}

type looseStore struct {
	mu    sync.RWMutex
	parts map[string]*loosePart
}

func (p *loosePart) put(k string) {
	p.own.Lock()
	defer p.own.Unlock()
	p.m[k]++
}

func (p *loosePart) copyBad() map[string]int {
	return maps.Clone(p.m) // want `unguarded-access: p.m is .* without own`
}

func (s *looseStore) part(name string) *loosePart {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.parts[name]
}

func (s *looseStore) Put(name, k string) { s.part(name).put(k) }

func (s *looseStore) Copies() (out []map[string]int) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, p := range s.parts {
		out = append(out, p.copyBad())
	}
	return out
}

// All hold it for reading.
type readPart struct {
	own sync.Mutex
	m   map[string]int // guarded by own
}

type readStore struct {
	mu    sync.RWMutex
	parts map[string]*readPart
}

func (p *readPart) put(k string) {
	p.own.Lock()
	defer p.own.Unlock()
	p.m[k]++
}

func (p *readPart) copyBad() map[string]int {
	return maps.Clone(p.m) // want `unguarded-access: p.m is .* without own`
}

func (s *readStore) Put(name, k string) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	s.parts[name].put(k)
}

func (s *readStore) Copies() (out []map[string]int) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, p := range s.parts {
		out = append(out, p.copyBad())
	}
	return out
}
