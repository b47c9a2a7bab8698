package helpers

import (
	"errors"
	"sync"
)

// A look-up that fills itself: what one call of it found does not decide on what
// another one puts in. Its own look and act are a pair of their own.
type settings struct {
	mu      sync.RWMutex
	byOwner map[string]rule
	load    func(string) (rule, error)
}

type rule struct {
	strict bool
	keep   int
	shared *conn
}

func (s *settings) rule(owner string) (rule, error) {
	s.mu.RLock()
	r, ok := s.byOwner[owner]
	s.mu.RUnlock()
	if ok {
		return r, nil
	}
	r, err := s.load(owner)
	if err != nil {
		return rule{}, err
	}
	s.mu.Lock()
	s.byOwner[owner] = r
	s.mu.Unlock()
	return r, nil
}

func (s *settings) strict(owner string) (bool, error) {
	r, err := s.rule(owner)
	return r.strict, err
}

func (s *settings) keep(owner string) int {
	r, err := s.rule(owner)
	if err != nil {
		return 0
	}
	return r.keep
}

var errStrict = errors.New("strict")

func (s *settings) pruneOk(owner string, drop func(string)) error {
	if strict, err := s.strict(owner); err != nil || strict {
		return errStrict
	}
	if s.keep(owner) > 3 {
		drop(owner)
	}
	return nil
}

func (s *settings) twoLooksOk(owner string, out chan<- int) {
	if r, err := s.rule(owner); err == nil && r.strict {
		return
	}
	out <- s.keep(owner)
}

func (s *settings) has(owner string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, ok := s.byOwner[owner]
	return ok
}

// Here the first look alone decides on who is welcomed.
func (s *settings) welcomeBad(owner string, welcome chan<- string) {
	if s.has(owner) {
		return
	}
	s.rule(owner) // want `split-lock: `
	welcome <- owner
}

func (s *settings) set(owner string, r rule) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byOwner[owner] = r
}

// A setter looks at nothing: the look of the getter decides.
func (s *settings) loosenBad(owner string, out chan<- string) {
	r, err := s.rule(owner)
	if err != nil || !r.strict {
		return
	}
	s.set(owner, rule{keep: 1}) // want `split-lock: `
	out <- owner
}
