package locks

import "runtime"

// A spin is a lock of another maker, known by its method set.
type spin struct{ state int32 }

func (s *spin) Lock()         { runtime.Gosched() }
func (s *spin) Unlock()       {}
func (s *spin) RLock()        {}
func (s *spin) RUnlock()      {}
func (s *spin) TryLock() bool { return s.state == 0 }

type spinning struct {
	mu spin
	m  map[string]*conn // guarded by mu
}

func (s *spinning) thirdPartyOk(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.m[k] == nil {
		s.m[k] = &conn{}
	}
}

func (s *spinning) thirdPartyBad(k string) {
	if s.m[k] == nil { // want `check-then-act: .*s\.m`
		s.mu.Lock()
		defer s.mu.Unlock()
		s.m[k] = &conn{}
	}
}

func (s *spinning) thirdPartyReadBad(k string) {
	s.mu.RLock()
	s.m[k] = &conn{} // want `rlock-write: .*s\.m`
	s.mu.RUnlock()
}

func (s *spinning) thirdPartyTryOk(k string) {
	if !s.mu.TryLock() {
		return
	}
	defer s.mu.Unlock()
	if s.m[k] == nil {
		s.m[k] = &conn{}
	}
}

// A door opens and locks, but has no Unlock: it is no mutex.
type door struct{ n int }

func (d *door) Lock() { d.n++ }
func (d *door) Open() { d.n-- }

type house struct {
	door door
	mu   spin
	m    map[string]*conn // guarded by mu
}

func (h *house) noMutexBad(k string) {
	h.door.Lock()
	defer h.door.Open()
	if h.m[k] == nil { // want `check-then-act: .*h\.m`
		h.m[k] = &conn{}
	}
}
