package splitlock

import "sync"

// What a literal found is left in a variable of the function around it. It says
// what was found as a result would.

type seats struct {
	mu    sync.Mutex
	taken map[string]string
}

func (s *seats) locked(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
}

// Nothing takes an entry out: one that was there still is.
func (s *seats) renameOk(k, name string) bool {
	var there bool
	s.locked(func() { _, there = s.taken[k] })
	if !there {
		return false
	}
	s.locked(func() { s.taken[k] = name })
	return true
}

func (s *seats) renameByBranchOk(k, name string) bool {
	there := false
	s.locked(func() {
		if _, ok := s.taken[k]; ok {
			there = true
		}
	})
	if there {
		s.locked(func() { s.taken[k] = name })
	}
	return there
}

func (s *seats) takeBad(k, name string) bool {
	var free bool
	s.locked(func() {
		_, ok := s.taken[k]
		free = !ok
	})
	if !free {
		return false
	}
	s.locked(func() { s.taken[k] = name }) // want `split-lock: `
	return true
}

// More than presence decides: an update in between makes it out of date.
func (s *seats) handOverBad(k, from, to string) bool {
	var mine bool
	s.locked(func() {
		name, ok := s.taken[k]
		mine = ok && name == from
	})
	if !mine {
		return false
	}
	s.locked(func() { s.taken[k] = to }) // want `split-lock: `
	return true
}

// The variable is set elsewhere, too: it does not tell presence.
func (s *seats) twoWritersBad(k, name string, force bool) bool {
	var there bool
	s.locked(func() { _, there = s.taken[k] })
	func() { there = there != force }()
	if !there {
		return false
	}
	s.locked(func() { s.taken[k] = name }) // want `split-lock: `
	return true
}

type leftSeats struct {
	mu    sync.Mutex
	taken map[string]string
}

func (s *leftSeats) locked(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
}

func (s *leftSeats) renameBad(k, name string) bool {
	var there bool
	s.locked(func() { _, there = s.taken[k] })
	if !there {
		return false
	}
	s.locked(func() { s.taken[k] = name }) // want `split-lock: `
	return true
}

func (s *leftSeats) leave(k string) {
	s.locked(func() { delete(s.taken, k) })
}
