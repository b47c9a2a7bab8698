// Package app calls what lib exports, one after the other.
package app

import (
	"errors"
	"sync"

	"mapguard.test/atomicity/helpers/lib"
)

const limit = 100

type server struct {
	sessions *lib.Sessions
}

func (s *server) hasThenSetBad(id string) {
	if !s.sessions.Has(id) {
		s.sessions.Set(id, &lib.Session{}) // want `split-lock: `
	}
}

func (s *server) getThenSetBad(id string) *lib.Session {
	v := s.sessions.Get(id)
	if v != nil {
		return v
	}
	v = &lib.Session{User: id}
	s.sessions.Set(id, v) // want `split-lock: `
	return v
}

func (s *server) findThenSetBad(id string) (*lib.Session, error) {
	v, err := s.sessions.Find(id)
	switch {
	case err == nil:
		return v, nil
	case !errors.Is(err, lib.ErrNone):
		return nil, err
	}
	v = &lib.Session{User: id}
	s.sessions.Set(id, v) // want `split-lock: `
	return v, nil
}

func (s *server) lenThenSetBad(id string) error {
	if s.sessions.Len() >= limit {
		return errors.New("too many")
	}
	s.sessions.Set(id, &lib.Session{}) // want `split-lock: `
	return nil
}

func (s *server) getThenRemoveBad(id string) {
	if v := s.sessions.Get(id); v != nil && !v.Live {
		s.sessions.Remove(id) // want `split-lock: .*, low`
	}
}

func (s *server) setNXOk(id string) bool {
	return s.sessions.Get(id) == nil && s.sessions.SetNX(id, &lib.Session{})
}

func (s *server) otherSessionOk(from, id string) {
	if v := s.sessions.Get(from); v != nil && from != id {
		s.sessions.Set(id, &lib.Session{User: v.User})
	}
}

func flagBad(k string) {
	if lib.Flag(k) == nil {
		lib.SetFlag(k, &lib.Session{}) // want `split-lock: `
	}
}

// A wrapper of the wrapper.

func (s *server) known(id string) bool { return s.sessions.Has(id) }

func (s *server) open(id string) { s.sessions.Set(id, &lib.Session{User: id}) }

func (s *server) wrappedTwiceBad(id string) {
	if !s.known(id) {
		s.open(id) // want `split-lock: `
	}
}

// A guarded server has the sessions to itself, behind a lock of its own.
type guarded struct {
	mu       sync.Mutex
	sessions *lib.Sessions
}

func newGuarded() *guarded { return &guarded{sessions: lib.New()} }

func (g *guarded) EnsureOk(id string) *lib.Session {
	g.mu.Lock()
	defer g.mu.Unlock()
	v := g.sessions.Get(id)
	if v == nil {
		v = &lib.Session{User: id}
		g.sessions.Set(id, v)
	}
	return v
}

func (g *guarded) DropOk(id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.sessions.Remove(id)
}
