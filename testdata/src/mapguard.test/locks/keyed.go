package locks

import "sync"

// Types with a mutex for each key, or for some keys each.
type keyMutexes struct {
	mu sync.Mutex
	m  map[string]*sync.Mutex
}

func (l *keyMutexes) Lock(k string) {
	l.mu.Lock()
	e, ok := l.m[k]
	if !ok {
		e = new(sync.Mutex)
		l.m[k] = e
	}
	l.mu.Unlock()
	e.Lock()
}

func (l *keyMutexes) Unlock(k string) {
	l.mu.Lock()
	e := l.m[k]
	l.mu.Unlock()
	e.Unlock()
}

type syncMutexes struct{ m sync.Map }

func (l *syncMutexes) Lock(k string) {
	n := &sync.Mutex{}
	v, _ := l.m.LoadOrStore(k, n)
	n = v.(*sync.Mutex)
	n.Lock()
}

func (l *syncMutexes) Unlock(k string) {
	v, _ := l.m.Load(k)
	n := v.(*sync.Mutex)
	n.Unlock()
}

type stripes struct{ s [16]sync.Mutex }

func stripeOf(k string) uint32 { return uint32(len(k)) }

func (l *stripes) Lock(k string) { l.s[stripeOf(k)%16].Lock() }

func (l *stripes) Unlock(k string) { l.s[stripeOf(k)%16].Unlock() }

type countedMutexes struct {
	mu sync.Mutex
	m  map[string]*countedMutex
}

type countedMutex struct {
	mu sync.Mutex
	n  int
}

func (l *countedMutexes) Lock(k string) {
	l.mu.Lock()
	r := l.m[k]
	if r == nil {
		r = &countedMutex{}
		l.m[k] = r
	}
	r.n++
	l.mu.Unlock()
	r.mu.Lock()
}

func (l *countedMutexes) Unlock(k string) {
	l.mu.Lock()
	r := l.m[k]
	r.n--
	if r.n == 0 {
		delete(l.m, k)
	}
	l.mu.Unlock()
	r.mu.Unlock()
}

type depot struct {
	a     keyMutexes
	b     syncMutexes
	c     stripes
	d     countedMutexes
	mu    sync.Mutex
	items map[string]*int // guarded by mu
}

func (s *depot) get(k string) *int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.items[k]
}

func (s *depot) put(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items[k] = new(int)
}

func (s *depot) EnsureOk(k string) {
	s.a.Lock(k)
	defer s.a.Unlock(k)
	if s.get(k) == nil {
		s.put(k)
	}
}

func (s *depot) EnsureInSyncMapOk(k string) {
	s.b.Lock(k)
	defer s.b.Unlock(k)
	if s.get(k) == nil {
		s.put(k)
	}
}

func (s *depot) EnsureStripedOk(k string) {
	s.c.Lock(k)
	defer s.c.Unlock(k)
	if s.get(k) == nil {
		s.put(k)
	}
}

func (s *depot) EnsureCountedOk(k string) {
	s.d.Lock(k)
	defer s.d.Unlock(k)
	if s.get(k) == nil {
		s.put(k)
	}
}

func (s *depot) EnsureUnderOtherBad(k, o string) {
	s.a.Lock(o)
	defer s.a.Unlock(o)
	if s.get(k) == nil {
		s.put(k) // want `split-lock`
	}
}

func (s *depot) EnsureOneByOneOk(k string) {
	s.a.Lock("x")
	defer s.a.Unlock("x")
	if s.get(k) == nil {
		s.put(k)
	}
}

func (s *depot) EnsureUnderMoreBad(k, o string) {
	s.a.Lock(k + o)
	defer s.a.Unlock(k + o)
	if s.get(k) == nil {
		s.put(k) // want `split-lock`
	}
}

func (s *depot) EnsurePrefixedOk(k string) {
	s.a.Lock("p/" + k)
	defer s.a.Unlock("p/" + k)
	if s.get(k) == nil {
		s.put(k)
	}
}

func (s *depot) EnsureOtherStripeBad(k, o string) {
	s.c.Lock(o)
	defer s.c.Unlock(o)
	if s.get(k) == nil {
		s.put(k) // want `split-lock`
	}
}

func (s *depot) EnsureReleasedBad(k string) {
	s.a.Lock(k)
	v := s.get(k)
	s.a.Unlock(k)
	if v == nil {
		s.put(k) // want `split-lock`
	}
}

type lentMutexes struct {
	mu sync.Mutex
	m  map[string]*countedMutex
}

// The literal that gives the lock back captures the variable, which so is no value of its own.
func (l *lentMutexes) Lock(k string) (unlock func()) {
	l.mu.Lock()
	r, ok := l.m[k]
	if !ok {
		r = &countedMutex{}
		l.m[k] = r
	}
	r.n++
	l.mu.Unlock()
	r.mu.Lock()
	return func() {
		r.mu.Unlock()
		l.mu.Lock()
		r.n--
		if r.n == 0 {
			delete(l.m, k)
		}
		l.mu.Unlock()
	}
}

type lending struct {
	locks lentMutexes
	mu    sync.Mutex
	items map[string]*int // guarded by mu
}

func (s *lending) get(k string) *int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.items[k]
}

func (s *lending) put(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items[k] = new(int)
}

func (s *lending) EnsureLentOk(k string) {
	unlock := s.locks.Lock(k)
	defer unlock()
	if s.get(k) == nil {
		s.put(k)
	}
}

func (s *lending) EnsureLentOtherBad(k, o string) {
	defer s.locks.Lock(o)()
	if s.get(k) == nil {
		s.put(k) // want `split-lock`
	}
}
