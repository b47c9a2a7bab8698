// Package goesback has objects of a sync.Map that go back to it, where they may have been deleted.
package goesback

import "sync"

type session struct{ seen int }

type sessions struct{ open sync.Map }

func (s *sessions) touch(k string) {
	v, ok := s.open.Load(k)
	if !ok {
		return
	}
	found := v.(*session)
	found.seen++
	s.open.Store(k, found) // want `sync-map: .*comes back.*`
}

func (s *sessions) touchIf(k string) {
	if v, ok := s.open.Load(k); ok {
		if found, ok := v.(*session); ok {
			found.seen++
			s.open.Store(k, found) // want `sync-map: .*comes back.*`
		}
	}
}

func (s *sessions) logout(k string) {
	s.open.Delete(k)
}
