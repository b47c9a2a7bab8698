package user

import (
	"slices"

	"mapguard.test/callbacks/lib"
)

// What a loop runs, it runs under its own locks, whatever the iterator is.

func (s *Store) name(k string) string { return k }

func (s *Store) LoopOk(ks []string) {
	s.g.Mu.Lock()
	defer s.g.Mu.Unlock()
	for k := range lib.Map(slices.Values(ks), s.name) {
		s.m[k]++
	}
}

func (s *Store) LoopBad(ks []string) {
	for k := range lib.Map(slices.Values(ks), s.name) {
		s.m[k] = 1 // want `unguarded-access: .*s\.m`
	}
}
