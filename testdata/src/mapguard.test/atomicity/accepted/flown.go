package accepted

import (
	"maps"
	"sync"
)

// One call at a time is under way for a key; those who find it wait for it.

type ride[V any] struct {
	wg  sync.WaitGroup
	got V
	err error
}

// fares are replaced as a whole, by what looks at none of them: nothing there is needed for good.
type fares[K comparable, V any] struct {
	mu    sync.Mutex
	known map[K]V
	rides map[K]*ride[V]
}

func (f *fares[K, V]) fareOk(k K, ask func() (V, error)) (V, error) {
	f.mu.Lock()
	if r, ok := f.rides[k]; ok {
		f.mu.Unlock()
		r.wg.Wait()
		return r.got, r.err
	}
	if v, ok := f.known[k]; ok {
		f.mu.Unlock()
		return v, nil
	}
	r := new(ride[V])
	r.wg.Add(1)
	f.rides[k] = r
	f.mu.Unlock()

	r.got, r.err = ask()
	f.mu.Lock()
	defer f.mu.Unlock()
	r.wg.Done()
	if r.err == nil {
		f.known[k] = r.got
	}
	if f.rides[k] == r {
		delete(f.rides, k)
	}
	return r.got, r.err
}

func (f *fares[K, V]) load(all map[K]V) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.known = maps.Clone(all)
}

// Who replaces the map ends what it held: an entry that comes in between is never ended.
type lines struct {
	mu    sync.Mutex
	known map[string]*tube
	rides map[string]*ride[*tube]
}

func (l *lines) lineBad(k string) *tube {
	l.mu.Lock()
	if r, ok := l.rides[k]; ok {
		l.mu.Unlock()
		r.wg.Wait()
		return r.got
	}
	if t, ok := l.known[k]; ok {
		l.mu.Unlock()
		return t
	}
	r := new(ride[*tube])
	r.wg.Add(1)
	l.rides[k] = r
	l.mu.Unlock()
	r.got, _ = open(k)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.known[k] = r.got // want `split-lock: `
	delete(l.rides, k)
	r.wg.Done()
	return r.got
}

func (l *lines) load(all map[string]*tube) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range l.known {
		t.open = false
	}
	l.known = all
}

// A copy with one entry more is put in the map's place.
type grown struct {
	mu    sync.Mutex
	known map[string]*tube
	rides map[string]bool
}

func (g *grown) openBad(k string) *tube {
	g.mu.Lock()
	if t, ok := g.known[k]; ok || g.rides[k] {
		g.mu.Unlock()
		return t
	}
	g.rides[k] = true
	g.mu.Unlock()
	t, _ := open(k)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.known[k] = t // want `split-lock: `
	delete(g.rides, k)
	return t
}

func (g *grown) add(k string, t *tube) {
	g.mu.Lock()
	defer g.mu.Unlock()
	next := maps.Clone(g.known)
	next[k] = t
	g.known = next
}

// What empties a map puts nothing in.
type emptied struct {
	mu    sync.Mutex
	known map[string]*tube
	rides map[string]bool
}

func (e *emptied) openOk(k string) *tube {
	e.mu.Lock()
	if t, ok := e.known[k]; ok || e.rides[k] {
		e.mu.Unlock()
		return t
	}
	e.rides[k] = true
	e.mu.Unlock()
	t, _ := open(k)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.known[k] = t
	delete(e.rides, k)
	return t
}

func (e *emptied) reset() {
	e.mu.Lock()
	defer e.mu.Unlock()
	clear(e.known)
}

// A helper does the work, for those alone that have put a mark in.
type staffed struct {
	mu    sync.RWMutex
	known map[string]*tube
	busy  map[string]chan struct{}
}

func (s *staffed) openOk(k string) *tube {
	for {
		s.mu.RLock()
		t := s.known[k]
		s.mu.RUnlock()
		if t != nil {
			return t
		}
		s.mu.Lock()
		if t = s.known[k]; t != nil {
			s.mu.Unlock()
			return t
		}
		done := s.busy[k]
		if done == nil {
			done = make(chan struct{})
			s.busy[k] = done
			s.mu.Unlock()
			return s.work(k, done)
		}
		s.mu.Unlock()
		<-done
	}
}

func (s *staffed) work(k string, done chan struct{}) *tube {
	t, err := open(k)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		s.known[k] = t
	}
	delete(s.busy, k)
	close(done)
	return t
}

// The mark is put in without a look at the map in that section.
type apart struct {
	mu    sync.Mutex
	known map[string]*tube
	busy  map[string]bool
}

func (a *apart) openBad(k string) *tube {
	a.mu.Lock()
	t := a.known[k]
	a.mu.Unlock()
	if t != nil {
		return t
	}
	a.mu.Lock()
	if a.busy[k] {
		a.mu.Unlock()
		return nil
	}
	a.busy[k] = true
	a.mu.Unlock()
	return a.work(k) // want `split-lock: `
}

func (a *apart) work(k string) *tube {
	t, _ := open(k)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.known[k] = t
	delete(a.busy, k)
	return t
}

// Another one that calls the helper has no mark.
type hired struct {
	mu    sync.Mutex
	known map[string]*tube
	busy  map[string]bool
}

func (h *hired) openBad(k string) *tube {
	h.mu.Lock()
	if t := h.known[k]; t != nil || h.busy[k] {
		h.mu.Unlock()
		return t
	}
	h.busy[k] = true
	h.mu.Unlock()
	t, _ := open(k)
	h.finish(k, t) // want `split-lock: `
	return t
}

func (h *hired) replace(k string) {
	t, _ := open(k)
	h.finish(k, t)
}

func (h *hired) finish(k string, t *tube) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.known[k] = t
	delete(h.busy, k)
}

// The helper takes the mark out before it puts the entry in.
type rash struct {
	mu    sync.Mutex
	known map[string]*tube
	busy  map[string]bool
}

func (r *rash) openBad(k string) *tube {
	r.mu.Lock()
	if t := r.known[k]; t != nil || r.busy[k] {
		r.mu.Unlock()
		return t
	}
	r.busy[k] = true
	r.mu.Unlock()
	return r.work(k) // want `split-lock: `
}

func (r *rash) work(k string) *tube {
	t, _ := open(k)
	r.mu.Lock()
	delete(r.busy, k)
	r.mu.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.known[k] = t
	return t
}

// What is deferred puts the entry in.
type late struct {
	mu    sync.Mutex
	known map[string]*tube
	busy  map[string]*ride[*tube]
}

func (l *late) openOk(k string) (*tube, error) {
	l.mu.Lock()
	if r, ok := l.busy[k]; ok {
		l.mu.Unlock()
		r.wg.Wait()
		return r.got, r.err
	}
	if t, ok := l.known[k]; ok {
		l.mu.Unlock()
		return t, nil
	}
	r := new(ride[*tube])
	r.wg.Add(1)
	l.busy[k] = r
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if r.err == nil {
			l.known[k] = r.got
		}
		delete(l.busy, k)
		r.wg.Done()
	}()
	r.got, r.err = open(k)
	return r.got, r.err
}

// Those who have found the mark come to what is deferred, too.
type anyone struct {
	mu    sync.Mutex
	known map[string]*tube
	busy  map[string]bool
}

func (a *anyone) openBad(k string) (t *tube) {
	a.mu.Lock()
	if t, ok := a.known[k]; ok {
		a.mu.Unlock()
		return t
	}
	defer func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.known[k] = t // want `split-lock: `
		delete(a.busy, k)
	}()
	if a.busy[k] {
		a.mu.Unlock()
		t, _ = open(k)
		return t
	}
	a.busy[k] = true
	a.mu.Unlock()
	t, _ = open(k)
	return t
}

// A goroutine does the work, and takes the mark out.
type sent struct {
	mu    sync.Mutex
	known map[string]*tube
	busy  map[string]chan struct{}
}

func (s *sent) openOk(k string) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.known[k]; ok {
		return nil
	}
	if done, ok := s.busy[k]; ok {
		return done
	}
	done := make(chan struct{})
	s.busy[k] = done
	go s.work(k, done)
	return done
}

func (s *sent) work(k string, done chan struct{}) {
	t, _ := open(k)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known[k] = t
	delete(s.busy, k)
	close(done)
}

// Who starts the goroutine takes the mark out.
type left struct {
	mu    sync.Mutex
	known map[string]*tube
	busy  map[string]bool
}

func (l *left) openBad(k string) {
	l.mu.Lock()
	if l.known[k] != nil || l.busy[k] {
		l.mu.Unlock()
		return
	}
	l.busy[k] = true
	l.mu.Unlock()
	go l.work(k) // want `split-lock: `
	l.mu.Lock()
	delete(l.busy, k)
	l.mu.Unlock()
}

func (l *left) work(k string) {
	t, _ := open(k)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.known[k] = t
}

// The mark is another key's.
type sides struct {
	mu    sync.Mutex
	known map[string]*tube
	busy  map[string]bool
}

func (s *sides) openBad(k, user string) *tube {
	s.mu.Lock()
	if t := s.known[k]; t != nil || s.busy[user] {
		s.mu.Unlock()
		return t
	}
	s.busy[user] = true
	s.mu.Unlock()
	t, _ := open(k)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known[k] = t // want `split-lock: `
	delete(s.busy, user)
	return t
}
