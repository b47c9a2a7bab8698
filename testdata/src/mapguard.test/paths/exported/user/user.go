// Package user reaches the exported variables and fields of lib.
package user

import "mapguard.test/paths/exported/lib"

func globalBad(k string) {
	if _, ok := lib.Names[k]; !ok { // want `check-then-act: .*lib\.Names`
		lib.Names[k] = 1
	}
}

func globalOk(k string) {
	lib.Mu.Lock()
	defer lib.Mu.Unlock()
	if _, ok := lib.Names[k]; !ok {
		lib.Names[k] = 1
	}
}

func fieldBad(s *lib.Store, k string) {
	if _, ok := s.Items[k]; !ok { // want `check-then-act: .*s\.Items`
		s.Items[k] = &lib.Item{}
	}
}

func fieldOk(s *lib.Store, k string) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if _, ok := s.Items[k]; !ok {
		s.Items[k] = &lib.Item{}
	}
}

func fieldOfGlobalBad(k string) {
	if _, ok := lib.Default.Items[k]; !ok { // want `check-then-act: .*lib\.Default\.Items`
		lib.Default.Items[k] = &lib.Item{}
	}
}

func upgradedBad(s *lib.Store, k string) {
	s.Mu.RLock()
	_, ok := s.Items[k]
	s.Mu.RUnlock()
	if !ok {
		s.Mu.Lock()
		defer s.Mu.Unlock()
		s.Items[k] = &lib.Item{} // want `split-lock: .*s\.Items`
	}
}

// An extended embeds the other package's type.
type extended struct{ lib.Store }

func (e *extended) embeddedBad(k string) {
	if _, ok := e.Items[k]; !ok { // want `check-then-act: .*Items`
		e.Items[k] = &lib.Item{}
	}
}

func (e *extended) embeddedOk(k string) {
	e.Mu.Lock()
	defer e.Mu.Unlock()
	if _, ok := e.Items[k]; !ok {
		e.Items[k] = &lib.Item{}
	}
}
