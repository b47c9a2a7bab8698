package harm

import "sync"

// What tells callers whether the act was done may be what the look found, or
// what several acts have added up.

type seats struct {
	mu    sync.Mutex
	taken map[string]bool
}

func (s *seats) isTaken(k string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken[k]
}

func (s *seats) take(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken[k] = true
}

func (s *seats) free(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.taken, k)
}

func (s *seats) claimBad(k string) bool {
	was := s.isTaken(k)
	if !was {
		s.take(k) // want `split-lock: `
	}
	return !was
}

func (s *seats) wasTakenBad(k string) (was bool) {
	if was = s.isTaken(k); !was {
		s.take(k) // want `split-lock: `
	}
	return was
}

func (s *seats) releaseBad(k string) (ok bool) {
	s.mu.Lock()
	_, ok = s.taken[k]
	s.mu.Unlock()
	if ok {
		s.mu.Lock()
		delete(s.taken, k) // want `split-lock: `
		s.mu.Unlock()
	}
	return ok
}

// Nothing is told.
func (s *seats) makeSureOk(k string) {
	if was := s.isTaken(k); !was {
		s.take(k)
	}
}

func (s *seats) claimAllBad(ks []string) (mine []string) {
	for _, k := range ks {
		if s.isTaken(k) {
			continue
		}
		s.take(k) // want `split-lock: `
		mine = append(mine, k)
	}
	return mine
}

func (s *seats) claimCountBad(ks []string) int {
	n := 0
	for _, k := range ks {
		if !s.isTaken(k) {
			s.take(k) // want `split-lock: `
			n++
		}
	}
	return n
}

// The list has all of them, no matter what took them.
func (s *seats) ensureAllOk(ks []string) (all []string) {
	for _, k := range ks {
		if !s.isTaken(k) {
			s.take(k)
		}
		all = append(all, k)
	}
	return all
}

// How many are left is a report.
func (s *seats) sweepOk(ks []string) (n int) {
	for _, k := range ks {
		if s.isTaken(k) {
			s.free(k)
			n++
		}
	}
	return n
}

type names struct {
	mu sync.Mutex
	m  map[string]string
}

// Where a value comes from is told beside the value itself: any will do.
func (n *names) lookupOk(k string) (v string, hit bool) {
	n.mu.Lock()
	v, hit = n.m[k]
	n.mu.Unlock()
	if !hit {
		v = "name of " + k
		n.mu.Lock()
		n.m[k] = v
		n.mu.Unlock()
	}
	return v, hit
}
