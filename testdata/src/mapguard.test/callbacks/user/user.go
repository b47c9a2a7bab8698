// Package user hands functions to another package.
package user

import "mapguard.test/callbacks/lib"

type Store struct {
	g lib.Guard
	m map[string]int // guarded by g.Mu
}

func (s *Store) DoOk(k string)   { s.g.Do(func() { s.m[k]++ }) }
func (s *Store) WrapOk(k string) { s.g.Wrap(func() { s.m[k]++ })() }

func (s *Store) WrapKeptOk(k string) func() { return s.g.Wrap(func() { s.m[k]++ }) }

func (s *Store) LaterOk(k string) { s.g.Later(func() { s.m[k]++ }) }

func (s *Store) PlainOk(k string) {
	s.g.Mu.Lock()
	defer s.g.Mu.Unlock()
	lib.Plain(func() { s.m[k]++ })
}

func (s *Store) PlainBad(k string) {
	lib.Plain(func() { s.m[k] = 1 }) // want `s\.m`
}

func (s *Store) ReadBad(k string) {
	s.g.Read(func() { s.m[k] = 1 }) // want `rlock-write: .*s\.m`
}

func (s *Store) StartBad(k string) {
	s.g.Mu.Lock()
	defer s.g.Mu.Unlock()
	s.g.Start(func() { s.m[k] = 1 }) // want `s\.m`
}
