package marks

import "sync"

// Each session has a flag, and all have one store.
type wareStore struct {
	mu    sync.Mutex
	wares map[string]*ware
}

type ware struct{ name string }

type session struct {
	mu   sync.Mutex
	busy bool
	st   *wareStore
}

func newSession(st *wareStore) *session { return &session{st: st} }

func (s *session) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy {
		return false
	}
	s.busy = true
	return true
}

func (s *session) end() {
	s.mu.Lock()
	s.busy = false
	s.mu.Unlock()
}

func (s *session) registerBad(name string) bool {
	if !s.begin() {
		return false
	}
	defer s.end()
	s.st.mu.Lock()
	_, taken := s.st.wares[name]
	s.st.mu.Unlock()
	if taken {
		return false
	}
	w := &ware{name}
	s.st.mu.Lock()
	s.st.wares[name] = w // want `split-lock: s\.st\.wares`
	s.st.mu.Unlock()
	return true
}

// Each has a map of marks.
type keyedStore struct {
	mu    sync.Mutex
	wares map[string]*ware
}

type keyedSession struct {
	mu   sync.Mutex
	busy map[string]bool
	st   *keyedStore
}

func newKeyedSession(st *keyedStore) *keyedSession {
	return &keyedSession{st: st, busy: make(map[string]bool)}
}

func (s *keyedSession) begin(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy[name] {
		return false
	}
	s.busy[name] = true
	return true
}

func (s *keyedSession) end(name string) {
	s.mu.Lock()
	delete(s.busy, name)
	s.mu.Unlock()
}

func (s *keyedSession) registerBad(name string) bool {
	if !s.begin(name) {
		return false
	}
	defer s.end(name)
	s.st.mu.Lock()
	_, taken := s.st.wares[name]
	s.st.mu.Unlock()
	if taken {
		return false
	}
	w := &ware{name}
	s.st.mu.Lock()
	s.st.wares[name] = w // want `split-lock: s\.st\.wares`
	s.st.mu.Unlock()
	return true
}

// Others write the map under another name.
type aliased struct {
	mu    sync.Mutex
	busy  bool
	wares map[string]*ware
	spare map[string]*ware
}

func (a *aliased) begin() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.busy {
		return false
	}
	a.busy = true
	return true
}

func (a *aliased) end() {
	a.mu.Lock()
	a.busy = false
	a.mu.Unlock()
}

func (a *aliased) registerBad(name string) bool {
	if !a.begin() {
		return false
	}
	defer a.end()
	a.mu.Lock()
	_, taken := a.wares[name]
	a.mu.Unlock()
	if taken {
		return false
	}
	w := &ware{name}
	a.mu.Lock()
	a.wares[name] = w // want `split-lock: a\.wares`
	a.mu.Unlock()
	return true
}

func (a *aliased) put(w *ware) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, m := range []map[string]*ware{a.wares, a.spare} {
		m[w.name] = w
	}
}

// A helper that one calls under the flag, and a stored literal without it.
type lateHelper struct {
	mu    sync.Mutex
	busy  bool
	wares map[string]*ware
	later []func()
}

func (l *lateHelper) begin() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.busy {
		return false
	}
	l.busy = true
	return true
}

func (l *lateHelper) end() {
	l.mu.Lock()
	l.busy = false
	l.mu.Unlock()
}

func (l *lateHelper) put(name string, w *ware) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wares[name] = w
}

func (l *lateHelper) registerBad(name string) bool {
	if !l.begin() {
		return false
	}
	defer l.end()
	l.mu.Lock()
	_, taken := l.wares[name]
	l.mu.Unlock()
	if taken {
		return false
	}
	l.put(name, &ware{name}) // want `split-lock: l\.wares`
	return true
}

func (l *lateHelper) defers(w *ware) { l.later = append(l.later, func() { l.put(w.name, w) }) }
