package lockstates

// call gives up the caller's lock while it calls the hook, if there is one.
func (s *store) call() {
	if s.hook == nil {
		return
	}
	s.mu.Unlock()
	defer s.mu.Lock()
	s.hook()
}

// pause gives it up in any case.
func (s *store) pause() {
	s.mu.Unlock()
	s.mu.Lock()
}

func (s *store) callThenActOk(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.call()
	if s.m[k] == nil {
		s.m[k] = &item{}
	}
}

func (s *store) callBetweenBad(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	it := s.m[k]
	s.call()
	if it == nil {
		s.m[k] = &item{} // want `split-lock: .*s\.m`
	}
}

func (s *store) pauseBetweenBad(k string) {
	s.mu.Lock()
	it := s.m[k]
	s.pause()
	if it == nil {
		s.m[k] = &item{} // want `split-lock: .*s\.m`
	}
	s.mu.Unlock()
}

// Two calls are two sections, whichever callee makes them.
func (s *store) pauseTwiceBad(k string) {
	s.mu.Lock()
	s.pause()
	it := s.m[k]
	s.pause()
	if it == nil {
		s.m[k] = &item{} // want `split-lock: .*s\.m`
	}
	s.mu.Unlock()
}

// nested gives the lock up through another function.
func (s *store) nested() { s.call() }

func (s *store) nestedThenActOk(k string) {
	s.mu.Lock()
	s.nested()
	if s.m[k] == nil {
		s.m[k] = &item{}
	}
	s.mu.Unlock()
}

// drain calls itself, and gives the lock up on the way.
func (s *store) drain(n int) {
	if n == 0 {
		return
	}
	s.mu.Unlock()
	s.mu.Lock()
	s.drain(n - 1)
}

func (s *store) recursionOk(k string) {
	s.mu.Lock()
	s.drain(3)
	if s.m[k] == nil {
		s.m[k] = &item{}
	}
	s.mu.Unlock()
}
