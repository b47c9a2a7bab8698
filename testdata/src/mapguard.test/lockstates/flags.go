package lockstates

import "sync"

// size locks if it is told to.
func (s *store) size(lock bool) int {
	if lock {
		s.mu.RLock()
		defer s.mu.RUnlock()
	}
	return len(s.m)
}

func (s *store) sizeUnderLockOk(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.size(false) == 0 {
		s.m[k] = &item{}
	}
}

func (s *store) sizeThenLockBad(k string) {
	n := s.size(true)
	s.mu.Lock()
	defer s.mu.Unlock()
	if n == 0 {
		s.m[k] = &item{} // want `split-lock: .*s\.m`
	}
}

// A length is one word.
func (s *store) sizeWithoutLockOk() int {
	return s.size(false)
}

func (s *store) item(k string, lock bool) *item {
	if lock {
		s.mu.RLock()
		defer s.mu.RUnlock()
	}
	return s.m[k]
}

func (s *store) itemWithLockOk(k string) *item { return s.item(k, true) }

func (s *store) itemWithoutLockBad(k string) *item {
	return s.item(k, false) // want `unguarded-access: store\.item needs mu for s\.m`
}

// A local flag remembers whether the lock is held.
func (s *store) localFlagOk(k string, fast bool) {
	locked := false
	if !fast {
		s.mu.Lock()
		locked = true
	}
	if !locked {
		s.mu.Lock()
		locked = true
	}
	if s.m[k] == nil {
		s.m[k] = &item{}
	}
	if locked {
		s.mu.Unlock()
	}
}

// The flag is what the deferred function asks.
func (s *store) flagInDeferOk(k string) {
	s.mu.Lock()
	locked := true
	defer func() {
		if locked {
			s.mu.Unlock()
		}
	}()
	if s.m[k] == nil {
		s.m[k] = &item{}
		return
	}
	s.mu.Unlock()
	locked = false
	println(k)
}

func (s *store) unlockedWhereFlagIsSetBad(k string, early bool) {
	s.mu.Lock()
	it := s.m[k] // want `check-then-act: .*s\.m`
	if early {
		s.mu.Unlock()
	}
	if it == nil {
		s.m[k] = &item{}
	}
	if !early {
		s.mu.Unlock()
	}
}

func (s *store) correlatedOk(k string, shared bool) {
	if shared {
		s.mu.Lock()
	}
	if shared {
		if s.m[k] == nil {
			s.m[k] = &item{}
		}
		s.mu.Unlock()
	}
}

// Six locks on which six parameters decide are more cases than are kept apart.
// What is held in any case is known all the same.
type many struct {
	a, b, c, d, e store
	store
}

func (x *many) tooManyCasesOk(k string, a, b, c, d, e bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if a {
		x.a.mu.Lock()
	}
	if b {
		x.b.mu.Lock()
	}
	if c {
		x.c.mu.Lock()
	}
	if d {
		x.d.mu.Lock()
	}
	if e {
		x.e.mu.Lock()
	}
	if x.m[k] == nil {
		x.m[k] = &item{}
	}
}

// No other function shows that the lock is the map's.
type tray struct {
	mu   sync.Mutex
	cups map[string]int
}

func (t *tray) takeWith(k string, lock bool) {
	if lock {
		t.mu.Lock()
		defer t.mu.Unlock()
	}
	delete(t.cups, k)
}

func (t *tray) takeBad(k string) {
	t.takeWith(k, false) // want `unguarded-access: tray\.takeWith needs mu for t\.cups`
}

func (t *tray) takeOk(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.takeWith(k, false)
}

func (t *tray) takeLockedOk(k string) { t.takeWith(k, true) }

// A function with a number for its first argument, which is no object.

var (
	platesMu sync.Mutex
	plates   = map[int]int{}
)

func plateWith(k int, lock bool) int {
	if lock {
		platesMu.Lock()
		defer platesMu.Unlock()
	}
	return plates[k]
}

func putPlateOk(k int) {
	platesMu.Lock()
	defer platesMu.Unlock()
	plates[k]++
}

func plateBad(k int) int {
	return plateWith(k, false) // want `unguarded-access: plateWith needs platesMu for plates`
}

// Nothing but the helper takes the lock.
type rack struct {
	mu    sync.Mutex
	coats map[string]int
}

func (r *rack) hangWith(k string, lock bool) {
	if lock {
		r.mu.Lock()
		defer r.mu.Unlock()
	}
	r.coats[k] = 1
}

func (r *rack) hangBad(k string) {
	r.hangWith(k, false) // want `unguarded-access: rack\.hangWith needs mu for r\.coats, which this call does not hold; it tells the callee not to take it`
}
