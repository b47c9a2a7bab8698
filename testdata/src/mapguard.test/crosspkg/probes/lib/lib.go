// Package lib finds out what it has once, and gives the map away when it is complete. // want package:"seen by seenMu 3/4; states by statesMu 3/5 whole"
package lib

import "sync"

type State struct{ Fit bool }

var (
	statesMu sync.Mutex
	states   map[string]*State
	names    = []string{"a", "b"}
)

// States returns what was found out.
func States() map[string]*State { // want States:"returns states"
	statesMu.Lock()
	defer statesMu.Unlock()
	if states != nil {
		return states
	}
	states = make(map[string]*State)
	for _, n := range names {
		states[n] = &State{Fit: n > "a"}
	}
	return states
}

var (
	seenMu sync.Mutex
	seen   map[string]*State
)

// SeenBad gives the map away, and goes on filling it.
func SeenBad(name string) map[string]*State { // want SeenBad:"returns seen"
	seenMu.Lock()
	defer seenMu.Unlock()
	if seen == nil {
		seen = make(map[string]*State)
	}
	seen[name] = new(State)
	return seen // want `map-escape: seen is returned itself`
}
