package helpers

import "sync"

// A lock that the caller takes, and the callee drops and takes again: the
// caller's section has a hole in it.
type server struct {
	mu   sync.Mutex
	cond *sync.Cond
	busy bool             // guarded by mu
	m    map[string]*conn // guarded by mu
}

// openBadLocked gives mu up while it dials.
func (s *server) openBadLocked(k string) *conn {
	if c := s.m[k]; c != nil {
		return c
	}
	s.mu.Unlock()
	c := dial(k)
	s.mu.Lock()
	s.m[k] = c // want `split-lock: `
	return c
}

func (s *server) openOk(k string) *conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.openBadLocked(k)
}

// openAgainOkLocked looks again when it has mu back.
func (s *server) openAgainOkLocked(k string) *conn {
	if c := s.m[k]; c != nil {
		return c
	}
	s.mu.Unlock()
	fresh := dial(k)
	s.mu.Lock()
	if c := s.m[k]; c != nil {
		return c
	}
	s.m[k] = fresh
	return fresh
}

func (s *server) openAgainOk(k string) *conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.openAgainOkLocked(k)
}

// dialUnlocked is called with s.mu held, and gives it up in between.
func (s *server) dialUnlocked(k string) *conn {
	s.mu.Unlock()
	defer s.mu.Lock()
	return dial(k)
}

func (s *server) checkBeforeTheHoleBad(k string) *conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.m[k]
	if c == nil {
		c = s.dialUnlocked(k)
		s.m[k] = c // want `split-lock: `
	}
	return c
}

func (s *server) checkAfterTheHoleOk(k string) *conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.m[k]; c != nil {
		return c
	}
	fresh := s.dialUnlocked(k)
	if c := s.m[k]; c != nil {
		return c
	}
	s.m[k] = fresh
	return fresh
}

// Through two levels.
func (s *server) prepareLocked(k string) *conn { return s.dialUnlocked(k) }

func (s *server) holeTwoLevelsDownBad(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.m[k] == nil {
		s.m[k] = s.prepareLocked(k) // want `split-lock: `
	}
}

// A function literal makes the hole.
func (s *server) holeInLiteralBad(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.m[k] != nil {
		return
	}
	var c *conn
	func() {
		s.mu.Unlock()
		defer s.mu.Lock()
		c = dial(k)
	}()
	s.m[k] = c // want `split-lock: `
}

// Wait gives the lock up, too, which is not known of it.
// It would take a Wait that begins another section of the lock that the Cond
// was made with, found through its L.
func (s *server) FN_waitBad(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.m[k]
	for s.busy {
		s.cond.Wait()
	}
	if c == nil {
		s.m[k] = dial(k)
	}
}

func (s *server) waitOk(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.busy || len(s.m) >= limit {
		s.cond.Wait()
	}
	if s.m[k] == nil {
		s.m[k] = dial(k)
	}
}

// A hole on the path that does not come back is none.
func (s *server) failsOk(k string) bool {
	s.mu.Lock()
	if s.m[k] != nil {
		s.mu.Unlock()
		return false
	}
	s.m[k] = dial(k)
	s.mu.Unlock()
	return true
}
