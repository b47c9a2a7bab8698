package lockstates

// begin returns with the lock held if it returns true.
func (s *store) begin() bool {
	s.mu.Lock()
	if s.busy {
		s.mu.Unlock()
		return false
	}
	return true
}

// enter returns with the lock held if it returns no error.
func (s *store) enter() error {
	s.mu.Lock()
	if s.busy {
		s.mu.Unlock()
		return errBusy
	}
	return nil
}

// find returns with the lock held if it returns an item.
func (s *store) find(k string) *item {
	s.mu.Lock()
	if it, ok := s.m[k]; ok && it != nil {
		return it
	}
	s.mu.Unlock()
	return nil
}

// both tells in its second result whether it holds the lock.
func (s *store) both(k string) (n int, ok bool) {
	if !s.mu.TryLock() {
		return 0, false
	}
	return len(s.m), true
}

func (s *store) ifBegunOk(k string) {
	if !s.begin() {
		return
	}
	defer s.mu.Unlock()
	if s.m[k] == nil {
		s.m[k] = &item{}
	}
}

func (s *store) ifNotBegunBad(k string) {
	if s.begin() {
		s.mu.Unlock()
		return
	}
	if s.m[k] == nil { // want `check-then-act: .*s\.m`
		s.m[k] = &item{}
	}
}

func (s *store) ifEnteredOk(k string) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.mu.Unlock()
	if s.m[k] == nil {
		s.m[k] = &item{}
	}
	return nil
}

func (s *store) ifNotEnteredBad(k string) error {
	err := s.enter()
	if err == nil {
		s.mu.Unlock()
		return nil
	}
	if s.m[k] == nil { // want `check-then-act: .*s\.m`
		s.m[k] = &item{}
	}
	return err
}

func (s *store) ifFoundOk(k string) {
	it := s.find(k)
	if it == nil {
		return
	}
	if s.m[k] == it {
		delete(s.m, k)
	}
	s.mu.Unlock()
}

func (s *store) ifNotFoundBad(k string) {
	if it := s.find(k); it != nil { // want `check-then-act: .*s\.m`
		s.mu.Unlock()
		return
	}
	if s.m[k] == nil {
		s.m[k] = &item{}
	}
}

func (s *store) secondResultOk(k string) {
	if n, ok := s.both(k); ok {
		if n == 0 {
			s.m[k] = &item{}
		}
		s.mu.Unlock()
	}
}

func (s *store) secondResultBad(k string) {
	n, ok := s.both(k) // want `check-then-act: .*s\.m`
	if ok {
		s.mu.Unlock()
	}
	if n == 0 {
		s.m[k] = &item{}
	}
}

// beginFor passes on what begin says.
func (s *store) beginFor(k string) bool {
	if k == "" {
		return false
	}
	return s.begin()
}

func (s *store) passedOnOk(k string) {
	if ok := s.beginFor(k); !ok {
		return
	}
	if s.m[k] == nil {
		s.m[k] = &item{}
	}
	s.mu.Unlock()
}

// checkAndKeep looks, and returns with the lock held: the caller's act is in
// the section of the look.
func (s *store) checkAndKeep(k string) bool {
	s.mu.Lock()
	return s.m[k] != nil
}

func (s *store) keptFromCalleeOk(k string) {
	if !s.checkAndKeep(k) {
		s.m[k] = &item{}
	}
	s.mu.Unlock()
}

func (s *store) keptTwiceBad(k string) {
	there := s.checkAndKeep(k)
	s.mu.Unlock()
	s.mu.Lock()
	if !there {
		s.m[k] = &item{} // want `split-lock: .*s\.m`
	}
	s.mu.Unlock()
}
