package initialisation

import (
	"sync"
	"sync/atomic"
)

// A flag beside the map that does not seal it.

// Here it is looked at without.
type plainRaced struct {
	mu     sync.Mutex
	sealed bool
	m      map[string]int
}

func (p *plainRaced) putOk(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.sealed {
		return
	}
	p.m[k] = 1
	p.sealed = true
}

func (p *plainRaced) findBad(k string) int {
	if !p.sealed {
		return 0
	}
	return p.m[k] // want `unguarded-access: .*p\.m`
}

// A plain store orders nothing for an atomic look.
type halfAtomic struct {
	mu   sync.Mutex
	done uint32
	m    map[string]int
}

func (h *halfAtomic) putOk(k string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.done == 1 {
		return
	}
	h.m[k] = 1
	h.done = 1
}

func (h *halfAtomic) findBad(k string) int {
	if atomic.LoadUint32(&h.done) == 0 {
		return 0
	}
	return h.m[k] // want `unguarded-access: .*h\.m`
}

// Another function changes the map whatever the flag says.
type lateWriter struct {
	mu   sync.Mutex
	done atomic.Bool
	m    map[string]int
}

func (l *lateWriter) fillOk() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.done.Load() {
		return
	}
	l.m = map[string]int{"a": 1}
	l.done.Store(true)
}

func (l *lateWriter) addOk(k string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.m[k]++
}

func (l *lateWriter) findBad(k string) int {
	if !l.done.Load() {
		return 0
	}
	return l.m[k] // want `unguarded-access: .*l\.m`
}

// The flag is set before the last change.
type tooEarly struct {
	mu   sync.Mutex
	done atomic.Bool
	m    map[string]int
}

func (e *tooEarly) fillOk() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.done.Load() {
		return
	}
	e.m = map[string]int{"a": 1}
	e.done.Store(true)
	e.m["b"] = 2
}

func (e *tooEarly) findBad(k string) int {
	if !e.done.Load() {
		return 0
	}
	return e.m[k] // want `unguarded-access: .*e\.m`
}

// The flag is set back.
type setBack struct {
	mu   sync.Mutex
	done atomic.Bool
	m    map[string]int
}

func (s *setBack) fillOk() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done.Load() {
		return
	}
	s.m = map[string]int{"a": 1}
	s.done.Store(true)
}

func (s *setBack) invalidate() {
	s.mu.Lock()
	s.done.Store(false)
	s.mu.Unlock()
}

func (s *setBack) findBad(k string) int {
	if !s.done.Load() {
		return 0
	}
	return s.m[k] // want `unguarded-access: .*s\.m`
}

// The flag is set without the lock: a change that has found it unset may be under way.
type setBare struct {
	mu   sync.Mutex
	done atomic.Bool
	m    map[string]int
}

func (s *setBare) putOk(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done.Load() {
		return
	}
	s.m[k] = 1
}

func (s *setBare) seal() { s.done.Store(true) }

func (s *setBare) findBad(k string) int {
	if !s.done.Load() {
		return 0
	}
	return s.m[k] // want `unguarded-access: .*s\.m`
}

// It is looked at in another section than that of the change.
type twoSections struct {
	mu   sync.Mutex
	done atomic.Bool
	m    map[string]int
}

func (s *twoSections) putOk(k string) {
	s.mu.Lock()
	if s.done.Load() {
		s.mu.Unlock()
		return
	}
	s.mu.Unlock()
	work()
	s.mu.Lock()
	s.m[k] = 1
	s.mu.Unlock()
}

func (s *twoSections) seal() {
	s.mu.Lock()
	s.done.Store(true)
	s.mu.Unlock()
}

func (s *twoSections) findBad(k string) int {
	if !s.done.Load() {
		return 0
	}
	return s.m[k] // want `unguarded-access: .*s\.m`
}

// Between look and change, the lock is let go in a wait.
type waitsBetween struct {
	mu   sync.Mutex
	cond *sync.Cond
	done atomic.Bool
	m    map[string]int
}

func newWaits() *waitsBetween {
	w := &waitsBetween{m: make(map[string]int)}
	w.cond = sync.NewCond(&w.mu)
	return w
}

func (w *waitsBetween) putOk(k string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.done.Load() {
		return
	}
	w.cond.Wait()
	w.m[k] = 1
}

func (w *waitsBetween) seal() {
	w.mu.Lock()
	w.done.Store(true)
	w.mu.Unlock()
}

func (w *waitsBetween) findBad(k string) int {
	if !w.done.Load() {
		return 0
	}
	return w.m[k] // want `unguarded-access: .*w\.m`
}

// Here a helper does.
type relocks struct {
	mu   sync.Mutex
	done atomic.Bool
	m    map[string]int
}

func (w *relocks) relock() {
	w.mu.Unlock()
	work()
	w.mu.Lock()
}

func (w *relocks) putOk(k string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.done.Load() {
		return
	}
	w.relock()
	w.m[k] = 1
}

func (w *relocks) seal() {
	w.mu.Lock()
	w.done.Store(true)
	w.mu.Unlock()
}

func (w *relocks) findBad(k string) int {
	if !w.done.Load() {
		return 0
	}
	return w.m[k] // want `unguarded-access: .*w\.m`
}

// One way to the read has not seen the flag.
type someWays struct {
	mu   sync.Mutex
	done atomic.Bool
	m    map[string]int
}

func (s *someWays) fillOk(force bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done.Load() || !force {
		return
	}
	s.m = map[string]int{"a": 1}
	s.done.Store(true)
}

func (s *someWays) findBad(k string, force bool) int {
	if !s.done.Load() {
		s.fillOk(force)
	}
	return s.m[k] // want `unguarded-access: .*s\.m`
}
