// Package workspaces holds what this process has of the plans that it carries:
// who carries each, its folder, and how often a phase was begun.
//
// This is the buggy form: what is looked at and what is done about it are in two
// critical sections, in five ways.
package workspaces

import (
	"errors"
	"sync"

	"github.com/mapguard/mapguard/reference/workspace"
)

// Set is the workspaces of all plans. It is safe for concurrent use.
type Set struct {
	make func(planID string) (*workspace.Folder, error)

	// mu protects carriers and folders.
	mu       sync.Mutex
	carriers map[string]string
	folders  map[string]*workspace.Folder

	// begunMu protects begun.
	begunMu sync.Mutex
	begun   map[string]int
}

// New returns an empty set, whose folders are made by make.
func New(make func(planID string) (*workspace.Folder, error)) *Set {
	return &Set{
		make:     make,
		carriers: map[string]string{},
		folders:  map[string]*workspace.Folder{},
		begun:    map[string]int{},
	}
}

// Claim enters who carries a plan, and reports whether it did.
func (s *Set) Claim(planID, carrier string) bool {
	s.mu.Lock()
	_, ok := s.carriers[planID]
	s.mu.Unlock()
	if ok {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.carriers[planID] = carrier // want:split-lock
	return true
}

// Folder returns the folder of a plan, which is made without the lock.
func (s *Set) Folder(planID string) (*workspace.Folder, error) {
	s.mu.Lock()
	folder, ok := s.folders[planID]
	s.mu.Unlock()
	if ok {
		return folder, nil
	}
	made, err := s.make(planID)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.folders[planID]; !ok {
		s.folders[planID] = made // want:split-lock
	}
	return made, nil
}

// Remove removes the folder of a plan.
func (s *Set) Remove(planID string) error {
	s.mu.Lock()
	folder, ok := s.folders[planID]
	s.mu.Unlock()
	if !ok {
		return nil
	}
	err := folder.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.folders, planID) // want:split-lock
	return err
}

// Begin counts a phase that is begun, and returns how many were.
func (s *Set) Begin(planID string) int {
	s.mu.Lock()
	count := s.begun[planID] + 1
	s.mu.Unlock()
	s.begunMu.Lock()
	defer s.begunMu.Unlock()
	s.begun[planID] = count // want:split-lock
	return count
}

// Leave takes out who carries a plan, if that is carrier.
func (s *Set) Leave(planID, carrier string) {
	if s.carries(planID, carrier) {
		s.takeOut(planID) // want:split-lock
	}
}

// carries reports whether carrier carries a plan.
func (s *Set) carries(planID, carrier string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.carriers[planID] == carrier
}

// takeOut takes out who carries a plan.
func (s *Set) takeOut(planID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.carriers, planID)
}

// Close removes all folders.
func (s *Set) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, folder := range s.folders {
		errs = append(errs, folder.Close())
	}
	clear(s.folders)
	return errors.Join(errs...)
}
