package refused

import "sync"

// Each type has a helper of which there is no variant without the lock.

// cellar's helper does more than its section.
type cellar struct {
	mu   sync.Mutex
	m    map[string]int // guarded by mu
	seen chan string
}

func (c *cellar) has(k string) bool {
	c.seen <- k
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.m[k]
	return ok
}

func (c *cellar) put(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.m[k] = 1
}

func (c *cellar) claimBad(k string) bool {
	if c.has(k) {
		return false
	}
	c.put(k) // want `split-lock: .*`
	return true
}

// attic's helper waits after it has released the lock.
type attic struct {
	mu   sync.Mutex
	m    map[string]int // guarded by mu
	seen chan string
}

func (a *attic) has(k string) bool {
	a.mu.Lock()
	_, ok := a.m[k]
	a.mu.Unlock()
	a.seen <- k
	return ok
}

func (a *attic) put(k string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.m[k] = 1
}

func (a *attic) claimBad(k string) bool {
	if a.has(k) {
		return false
	}
	a.put(k) // want `split-lock: .*`
	return true
}

// pantry has something else of the variant's name.
type pantry struct {
	mu        sync.Mutex
	m         map[string]int // guarded by mu
	hasLocked bool
}

func (p *pantry) has(k string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, ok := p.m[k]
	return ok
}

func (p *pantry) put(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hasLocked = true
	p.m[k] = 1
}

func (p *pantry) claimBad(k string) bool {
	if p.has(k) {
		return false
	}
	p.put(k) // want `split-lock: .*`
	return true
}

// loft's helper looks under the read lock, and so does what it calls: under the
// write lock that would wait for itself.
type loft struct {
	mu sync.RWMutex
	m  map[string]int // guarded by mu
}

func (l *loft) size() int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return len(l.m)
}

func (l *loft) full() bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.size() > 9
}

func (l *loft) put(k string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.m[k] = 1
}

func (l *loft) addBad(k string) bool {
	if l.full() {
		return false
	}
	l.put(k) // want `split-lock: .*`
	return true
}

// shed's function takes the lock of another shed in between.
type shed struct {
	mu sync.Mutex
	m  map[string]int // guarded by mu
}

func (s *shed) has(k string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.m[k]
	return ok
}

func (s *shed) put(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[k] = 1
}

func (s *shed) moveBad(o *shed, k string) bool {
	if s.has(k) {
		return false
	}
	o.put("moved")
	s.put(k) // want `split-lock: .*`
	return true
}

// Between the steps something runs that may wait.
func (s *shed) askBad(ask func(string) bool, k string) bool {
	if s.has(k) || !ask(k) {
		return false
	}
	s.put(k) // want `split-lock: .*`
	return true
}

// unnamed parameters cannot be handed on.
type crypt struct {
	mu sync.Mutex
	m  map[string]int // guarded by mu
}

func (c *crypt) has(k string, _ int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.m[k]
	return ok
}

func (c *crypt) put(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.m[k] = 1
}

func (c *crypt) claimBad(k string) bool {
	if c.has(k, 1) {
		return false
	}
	c.put(k) // want `split-lock: .*`
	return true
}
