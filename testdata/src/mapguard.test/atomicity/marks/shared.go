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

// The flag is in a copy.
type copied struct {
	mu    *sync.Mutex
	busy  bool
	wares map[string]*ware
}

func (c copied) registerBad(name string) bool {
	c.mu.Lock()
	if c.busy {
		c.mu.Unlock()
		return false
	}
	c.busy = true
	_, taken := c.wares[name]
	c.mu.Unlock()
	if taken {
		return false
	}
	w := &ware{name}
	c.mu.Lock()
	c.wares[name] = w // want `split-lock: c\.wares`
	c.busy = false
	c.mu.Unlock()
	return true
}

// A writer runs once, and that late.
type onceLate struct {
	mu    sync.Mutex
	once  sync.Once
	busy  bool
	wares map[string]*ware
}

func (o *onceLate) begin() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.busy {
		return false
	}
	o.busy = true
	return true
}

func (o *onceLate) end() {
	o.mu.Lock()
	o.busy = false
	o.mu.Unlock()
}

func (o *onceLate) registerBad(name string) bool {
	if !o.begin() {
		return false
	}
	defer o.end()
	o.mu.Lock()
	_, taken := o.wares[name]
	o.mu.Unlock()
	if taken {
		return false
	}
	w := &ware{name}
	o.mu.Lock()
	o.wares[name] = w // want `split-lock: o\.wares`
	o.mu.Unlock()
	return true
}

func (o *onceLate) extend(name string) {
	o.once.Do(func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.wares[name] = &ware{name}
	})
}

// The names of an interface's methods are those of a lock, and one takes it for good.
type accounts interface {
	Lock(user string)
	Unlock(user string)
}

type admin struct {
	acc  accounts
	mu   sync.Mutex
	seen map[string]*ware
}

func (a *admin) block(user string) { a.acc.Lock(user) }

func (a *admin) visitBad(user string) bool {
	a.acc.Lock(user)
	defer a.acc.Unlock(user)
	a.mu.Lock()
	_, known := a.seen[user]
	a.mu.Unlock()
	if known {
		return false
	}
	w := &ware{user}
	a.mu.Lock()
	a.seen[user] = w // want `split-lock: a\.seen`
	a.mu.Unlock()
	return true
}

// The key is set while the mark is held.
type named struct{ name string }

type renamed struct {
	mu    sync.Mutex
	busy  map[string]bool
	wares map[string]*ware
}

func (r *renamed) begin(name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.busy[name] {
		return false
	}
	r.busy[name] = true
	return true
}

func (r *renamed) end(name string) {
	r.mu.Lock()
	delete(r.busy, name)
	r.mu.Unlock()
}

func (r *renamed) renameBad(n *named, to string) bool {
	if !r.begin(n.name) {
		return false
	}
	defer r.end(n.name)
	n.name = to
	r.mu.Lock()
	_, taken := r.wares[n.name]
	r.mu.Unlock()
	if taken {
		return false
	}
	w := &ware{n.name}
	r.mu.Lock()
	r.wares[n.name] = w // want `split-lock: r\.wares`
	r.mu.Unlock()
	return true
}
