// Package goesback has objects of a sync.Map that go back to it, where they may have been deleted.
package goesback

import (
	"errors"
	"sync"
)

type session struct{ seen int }

type sessions struct{ open sync.Map }

var last *session

func (s *sessions) of(k string) (*session, error) {
	v, ok := s.open.Load(k)
	if !ok {
		return nil, errors.New("no session")
	}
	return v.(*session), nil
}

func (s *sessions) touch(k string) {
	v, ok := s.open.Load(k)
	if !ok {
		return
	}
	found := v.(*session)
	found.seen++
	s.open.Store(k, found) // want `sync-map: .*comes back.*`
}

func (s *sessions) touchFound(k string, main bool) error {
	found, err := s.of(k)
	if err != nil {
		return err
	}
	found.seen++
	if main {
		last = found
	} else {
		s.open.Store(k, found) // want `sync-map: .*comes back.*`
	}
	return nil
}

func (s *sessions) logout(k string) {
	s.open.Delete(k)
}
