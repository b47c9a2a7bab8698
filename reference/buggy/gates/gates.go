// Package gates holds one gate for each project.
//
// This is the buggy form: a gate is looked up and stored in two steps, so two
// callers can get two gates of one project.
package gates

import (
	"sync"

	"github.com/mapguard/mapguard/reference/gate"
)

// Set is the gates of all projects. It is safe for concurrent use.
type Set struct {
	newGate func() *gate.Gate
	// byProject holds a *gate.Gate for each project. It only grows, and nearly
	// every call finds what it looks for: what sync.Map is made for.
	byProject sync.Map
}

// New returns a set of gates, each made by newGate when it is first asked for.
func New(newGate func() *gate.Gate) *Set {
	return &Set{newGate: newGate}
}

// Of returns the gate of a project. All callers get the same.
func (s *Set) Of(project string) *gate.Gate {
	if found, ok := s.byProject.Load(project); ok {
		return found.(*gate.Gate)
	}
	made := s.newGate()
	s.byProject.Store(project, made) // want:sync-map
	return made
}
