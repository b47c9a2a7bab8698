package splitlock

import (
	"errors"
	"slices"
	"sync"
)

// A list under a key to which a function adds its own, and from which it takes that again when something fails, in a later section.

type pupil struct {
	class string
	ring  func()
}

type school struct {
	mu      sync.Mutex
	classes map[string][]*pupil
	gate    chan func() error
}

func (s *school) knock(op func() error) error {
	s.mu.Unlock()
	defer s.mu.Lock()
	select {
	case s.gate <- op:
		return nil
	default:
		return errors.New("busy")
	}
}

// What it takes out is its own, of what is there by then.
func (s *school) EnrolOk(class string, ring func()) (*pupil, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &pupil{class: class, ring: ring}
	others, known := s.classes[class]
	if !known {
		others = make([]*pupil, 0, 4)
	}
	s.classes[class] = append(others, p)
	leave := func() { s.expel(p) }
	if !known {
		if err := s.knock(func() error { return nil }); err != nil {
			leave()
			return nil, err
		}
	}
	return p, nil
}

func (s *school) expel(p *pupil) {
	s.classes[p.class] = slices.DeleteFunc(s.classes[p.class], func(o *pupil) bool { return o == p })
	if len(s.classes[p.class]) == 0 {
		delete(s.classes, p.class)
	}
}

func (s *school) ExpelOk(p *pupil) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expel(p)
}

func (s *school) RingOk(class string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.classes[class] {
		p.ring()
	}
}

// This one puts back what it has found at first: others that have come since are lost.
func (s *school) EnrolBad(class string, ring func()) (*pupil, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &pupil{class: class, ring: ring}
	others := s.classes[class]
	s.classes[class] = append(others, p)
	if err := s.knock(func() error { return nil }); err != nil {
		s.classes[class] = others // want `split-lock: s.classes`
		return nil, err
	}
	return p, nil
}

// This one adds its own only in the second section, where others may have begun the list, too.
func (s *school) BeginBad(class string, p *pupil) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.classes[class]; !known {
		if err := s.knock(func() error { return nil }); err != nil {
			return err
		}
		s.classes[class] = []*pupil{p} // want `split-lock: s.classes`
	}
	return nil
}
