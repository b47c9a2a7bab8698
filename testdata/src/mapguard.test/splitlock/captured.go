package splitlock

import "sync"

// A variable that a literal captures later has what it was given last: the new entry is
// not computed from the look.

type stream struct {
	in    chan string
	ended chan bool
	key   string
}

type streams struct {
	mu  sync.RWMutex
	all map[string]*stream
}

func (s *streams) PutBad(key, msg string) {
	s.mu.RLock()
	st, ok := s.all[key]
	s.mu.RUnlock()
	if !ok {
		st = &stream{in: make(chan string, 1), ended: make(chan bool), key: key}
		s.mu.Lock()
		s.all[key] = st // want `two goroutines can both add it`
		s.mu.Unlock()
		go func() {
			<-st.ended
			s.mu.Lock()
			delete(s.all, st.key)
			s.mu.Unlock()
		}()
	}
	st.in <- msg
}

// What a literal has captured before, it can set.
type renewed struct {
	mu  sync.RWMutex
	all map[string]*stream
}

func (s *renewed) PutBad(key, msg string) {
	s.mu.RLock()
	st, ok := s.all[key]
	s.mu.RUnlock()
	renew := func() { st = &stream{in: st.in, ended: make(chan bool), key: key} }
	if ok {
		renew()
		s.mu.Lock()
		s.all[key] = st // want `an update by another goroutine is lost`
		s.mu.Unlock()
		st.in <- msg
	}
}
