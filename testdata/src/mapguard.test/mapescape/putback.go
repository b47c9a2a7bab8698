package mapescape

import "sync"

type switches struct {
	setting     sync.Mutex
	statesMutex sync.RWMutex
	states      map[string]bool
}

func (s *switches) all() map[string]bool {
	s.statesMutex.RLock()
	defer s.statesMutex.RUnlock()
	return s.states
}

func (s *switches) set(states map[string]bool) {
	s.statesMutex.Lock()
	defer s.statesMutex.Unlock()
	s.states = states
}

// What goes back to its own field goes nowhere.
func (s *switches) SwitchOk(name string) {
	s.setting.Lock()
	defer s.setting.Unlock()
	states := s.all()
	states[name] = true
	s.set(states)
}

// Here it goes to another object.
func (s *switches) copyBad(to *switches) {
	to.set(s.all()) // want `map-escape: s.states is passed on itself in switches.set`
}

func (s *switches) IsOn(name string) bool {
	return s.all()[name]
}

func (s *switches) Names() []string {
	var out []string
	for name := range s.all() {
		out = append(out, name)
	}
	return out
}
