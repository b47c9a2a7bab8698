package atomic

import "sync"

// A mark in the map keeps others out until the one that put it in takes it out.

type stopper struct {
	mu       sync.Mutex
	stopping map[string]chan struct{}
	running  map[string]int
}

// The rest of the function is for the one that found no mark.
func (s *stopper) stopOk(k string) {
	s.mu.Lock()
	ch, ok := s.stopping[k]
	if !ok {
		ch = make(chan struct{})
		s.stopping[k] = ch
	}
	s.mu.Unlock()
	if ok {
		<-ch
		return
	}
	work()
	s.mu.Lock()
	delete(s.running, k)
	close(ch)
	delete(s.stopping, k)
	s.mu.Unlock()
}

// Here it is for some that found it, too.
func (s *stopper) stopBad(k string, force bool) {
	s.mu.Lock()
	ch, ok := s.stopping[k]
	if !ok {
		ch = make(chan struct{})
		s.stopping[k] = ch
	}
	s.mu.Unlock()
	if ok && !force {
		<-ch
		return
	}
	work()
	s.mu.Lock()
	delete(s.running, k)
	close(ch)
	delete(s.stopping, k) // want `split-lock: .*, low`
	s.mu.Unlock()
}

func work() {}
