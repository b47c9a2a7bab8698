package harm

import "sync"

// The section that puts an object in ends the one that is there by then: of two that find
// none, the second one stays, and nothing is left open.

type line struct {
	in   chan string
	open bool
}

func dialSession(addr string) *line { return &line{in: make(chan string), open: addr != ""} }

func (s *line) Close() { s.open = false }

type lines struct {
	mu   sync.Mutex
	byID map[string]*line
}

func (s *lines) Ensure(id string) {
	s.mu.Lock()
	_, ok := s.byID[id]
	s.mu.Unlock()
	if ok {
		return
	}
	made := dialSession(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.byID[id]; old != nil {
		old.Close()
	}
	s.byID[id] = made // want `split-lock: .*byID.*, low`
}

// It is put in by a helper, which ends the old one when the lock is given up.
func (s *lines) EnsureByHelper(id string) {
	s.mu.Lock()
	_, ok := s.byID[id]
	s.mu.Unlock()
	if !ok {
		s.install(id, dialSession(id)) // want `split-lock: .*byID.*, low`
	}
}

func (s *lines) install(id string, made *line) {
	s.mu.Lock()
	old := s.byID[id]
	s.byID[id] = made
	s.mu.Unlock()
	if old != nil {
		old.Close()
	}
}

// It ends another one.
func (s *lines) EnsureOtherBad(id, other string) {
	s.mu.Lock()
	_, ok := s.byID[id]
	s.mu.Unlock()
	if ok {
		return
	}
	made := dialSession(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.byID[other]; old != nil {
		old.Close()
	}
	s.byID[id] = made // want `split-lock: .*byID.*high`
}

// It ends the old one in a section of its own.
func (s *lines) EnsureEarlierBad(id string) {
	s.mu.Lock()
	old, ok := s.byID[id]
	s.mu.Unlock()
	if ok && old.open {
		return
	}
	if ok {
		old.Close()
	}
	made := dialSession(id)
	s.mu.Lock()
	s.byID[id] = made // want `split-lock: .*byID.*, low`
	s.mu.Unlock()
}

// Who made the first one goes on with it.
func (s *lines) GetBad(id string) *line {
	s.mu.Lock()
	found, ok := s.byID[id]
	s.mu.Unlock()
	if ok {
		return found
	}
	made := dialSession(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.byID[id]; old != nil {
		old.Close()
	}
	s.byID[id] = made // want `split-lock: .*byID.*high`
	return made
}
