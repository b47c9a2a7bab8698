package sharing

import "sync"

// shelf is set up, then read.
type shelf struct {
	labels map[string]*sync.Mutex
}

// GuardedOk wraps a function (one for each label, see pkg.Options.Do) to be threadsafe. It panics where the label has one.
func GuardedOk(s *shelf, label string, do func()) func() {
	if _, ok := s.labels[label]; ok {
		panic("it has one")
	}
	m := new(sync.Mutex)
	s.labels[label] = m
	return func() {
		m.Lock()
		defer m.Unlock()
		do()
	}
}

// rack is the same, with a claim of the function itself.
type rack struct {
	labels map[string]*sync.Mutex
}

// GuardedBad wraps a function to be threadsafe. GuardedBad may be called concurrently.
func GuardedBad(r *rack, label string, do func()) func() {
	if _, ok := r.labels[label]; ok { // want `check-then-act: r\.labels is read here`
		panic("it has one")
	}
	m := new(sync.Mutex)
	r.labels[label] = m
	return func() {
		m.Lock()
		defer m.Unlock()
		do()
	}
}
