package splitlock

import (
	"errors"
	"sync"
)

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

// What was taken goes out by way of another literal.
type desk struct {
	mu   sync.Mutex
	left map[string]*note
}

type note struct{ text string }

func (d *desk) locked(do func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	do()
}

func (d *desk) put(k string, n *note) { d.locked(func() { d.left[k] = n }) }

func (d *desk) takeBad(k string) (got *note) {
	var n *note
	var ok bool
	d.locked(func() { n, ok = d.left[k] })
	if !ok {
		return nil
	}
	d.locked(func() {
		delete(d.left, k) // want `split-lock: `
		got = n
	})
	return got
}

// An error says what was found, more than that there is something.
func (d *desk) readable(k, text string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if n := d.left[k]; n == nil || n.text != text {
		return errWrong
	}
	return nil
}

func (d *desk) dropReadableBad(k, text string) bool {
	if err := d.readable(k, text); err != nil {
		return false
	}
	d.mu.Lock()
	delete(d.left, k) // want `split-lock: `
	d.mu.Unlock()
	return true
}

var errWrong = errors.New("another note")

// How many there are is counted in a helper that walks.
func long(d *desk) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := 0
	for _, x := range d.left {
		n += len(x.text)
	}
	return n
}

func add(d *desk, k string, x *note) {
	d.mu.Lock()
	d.left[k] = x
	d.mu.Unlock()
}

func (d *desk) fitBad(k string, x *note) bool {
	if long(d) > 100 {
		return false
	}
	add(d, k, x) // want `split-lock: `
	return true
}
