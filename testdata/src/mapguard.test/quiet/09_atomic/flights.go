package atomic

import (
	"sync"

	"golang.org/x/sync/singleflight"
)

// A trip is one run for a key.
type trip struct {
	wg   sync.WaitGroup
	done chan struct{}
	c    *conn
}

// An agency runs one function at a time for each key.
type agency struct {
	mu    sync.Mutex
	trips map[string]*trip
}

func (a *agency) run(key string, fn func() *conn) *conn {
	a.mu.Lock()
	if a.trips == nil {
		a.trips = make(map[string]*trip)
	}
	if t, ok := a.trips[key]; ok {
		a.mu.Unlock()
		t.wg.Wait()
		return t.c
	}
	t := new(trip)
	t.wg.Add(1)
	a.trips[key] = t
	a.mu.Unlock()
	t.c = fn()
	t.wg.Done()
	a.mu.Lock()
	delete(a.trips, key)
	a.mu.Unlock()
	return t.c
}

func (a *agency) start(key string, fn func() *conn) {
	a.mu.Lock()
	t := a.trips[key]
	if t != nil {
		a.mu.Unlock()
		return
	}
	t = new(trip)
	t.wg.Add(1)
	a.trips[key] = t
	a.mu.Unlock()
	go a.travel(t, key, func() *conn { return fn() })
}

func (a *agency) travel(t *trip, key string, fn func() *conn) {
	defer func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.trips, key)
	}()
	t.c = fn()
}

func (a *agency) again(key string, fn func() *conn) *conn { return a.run(key, fn) }

type travels struct {
	agency
	group singleflight.Group
	mu    sync.Mutex
	m     map[string]*conn // guarded by mu
}

func (s *travels) get(k string) *conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.m[k]
}

func (s *travels) put(k string, c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[k] = c
}

func (s *travels) ensureOk(k string) *conn {
	return s.run(k, func() *conn {
		if c := s.get(k); c != nil {
			return c
		}
		c := dial(k)
		s.put(k, c)
		return c
	})
}

func (s *travels) ensureApartOk(k string) {
	s.start(k, func() *conn {
		if s.get(k) == nil {
			s.put(k, dial(k))
		}
		return nil
	})
}

func (s *travels) ensureThroughOk(k string) {
	s.again(k, func() *conn {
		if s.get(k) == nil {
			s.put(k, dial(k))
		}
		return nil
	})
}

func (s *travels) ensureByChanOk(k string) <-chan singleflight.Result {
	return s.group.DoChan("conn/"+k, func() (any, error) {
		if s.get(k) == nil {
			s.put(k, dial(k))
		}
		return nil, nil
	})
}

// The flight is another key's.
func (s *travels) ensureUnderOtherBad(k, user string) {
	s.run(user, func() *conn {
		if s.get(k) == nil {
			s.put(k, dial(k)) // want `split-lock`
		}
		return nil
	})
}

// Two users have two flights for one entry.
func (s *travels) ensureForUserBad(k, user string) {
	s.group.Do(user+"/"+k, func() (any, error) {
		if s.get(k) == nil {
			s.put(k, dial(k)) // want `split-lock`
		}
		return nil, nil
	})
}

// A hasty one takes the entry out before it runs what it gets.
type hasty struct {
	mu    sync.Mutex
	trips map[string]*trip
}

func (h *hasty) run(key string, fn func() *conn) {
	h.mu.Lock()
	if _, ok := h.trips[key]; ok {
		h.mu.Unlock()
		return
	}
	h.trips[key] = new(trip)
	h.mu.Unlock()
	h.mu.Lock()
	delete(h.trips, key)
	h.mu.Unlock()
	fn()
}

func (s *travels) ensureHastyBad(h *hasty, k string) {
	h.run(k, func() *conn {
		if s.get(k) == nil {
			s.put(k, dial(k)) // want `split-lock`
		}
		return nil
	})
}

// Others take entries out that are not theirs.
type leaky struct {
	mu    sync.Mutex
	trips map[string]*trip
}

func (l *leaky) run(key string, fn func() *conn) {
	l.mu.Lock()
	if _, ok := l.trips[key]; ok {
		l.mu.Unlock()
		return
	}
	l.trips[key] = new(trip)
	l.mu.Unlock()
	defer l.drop(key)
	fn()
}

func (l *leaky) drop(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.trips, key)
}

func (l *leaky) sweep(keys []string) {
	for _, k := range keys {
		l.drop(k)
	}
}

func (s *travels) ensureLeakyBad(l *leaky, k string) {
	go l.sweep([]string{k})
	l.run(k, func() *conn {
		if s.get(k) == nil {
			s.put(k, dial(k)) // want `split-lock`
		}
		return nil
	})
}

// A line keeps what it runs in the entry, which goes when that has ended.
type line struct {
	mu    sync.Mutex
	calls map[string]*lineCall
}

type lineCall struct {
	fn   func() *conn
	once sync.Once
	done chan struct{}
	c    *conn
}

func (l *line) run(key string, fn func() *conn) *conn {
	l.mu.Lock()
	if c, ok := l.calls[key]; ok {
		l.mu.Unlock()
		return c.wait()
	}
	c := &lineCall{fn: fn, done: make(chan struct{})}
	l.calls[key] = c
	go func() {
		<-c.done
		l.mu.Lock()
		delete(l.calls, key)
		l.mu.Unlock()
	}()
	l.mu.Unlock()
	return c.wait()
}

func (c *lineCall) work() {
	c.c = c.fn()
	close(c.done)
}

func (c *lineCall) wait() *conn {
	go c.once.Do(c.work)
	<-c.done
	return c.c
}

func (s *travels) ensureOnLineOk(l *line, k string) {
	l.run(k, func() *conn {
		if s.get(k) == nil {
			s.put(k, dial(k))
		}
		return nil
	})
}

// That one run at a time comes to a key does not tell that goroutines share the map.
type labelled struct {
	runs   agency
	labels map[string]string
}

func (l *labelled) fillOk(k string) {
	found := false
	l.runs.run(k, func() *conn {
		found = l.labels[k] != ""
		return nil
	})
	if !found {
		l.runs.run(k, func() *conn {
			l.labels[k] = "new"
			return nil
		})
	}
}
