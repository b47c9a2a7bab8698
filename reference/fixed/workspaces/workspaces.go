// Package workspaces holds what this process has of the plans that it carries:
// who carries each, its folder, and how often a phase was begun.
package workspaces

import (
	"errors"
	"fmt"
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

// Claim enters who carries a plan, and reports whether it did: of two that claim
// one plan, one is refused.
func (s *Set) Claim(planID, carrier string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.carriers[planID]; ok {
		return false
	}
	s.carriers[planID] = carrier
	return true
}

// Folder returns the folder of a plan, the same to all callers. It is made without
// the lock; the second of two that make one removes it and takes the other.
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
	folder, kept := s.keep(planID, made)
	if !kept {
		if err := made.Close(); err != nil {
			return nil, fmt.Errorf("remove second folder: %w", err)
		}
	}
	return folder, nil
}

// keep keeps a folder, unless another goroutine was faster. It returns the folder
// that is kept, and reports whether it is made.
func (s *Set) keep(planID string, made *workspace.Folder) (*workspace.Folder, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if first, ok := s.folders[planID]; ok {
		return first, false
	}
	s.folders[planID] = made
	return made, true
}

// Remove removes the folder of a plan. No one gets it from the moment when it is
// taken out, which is before it is removed.
func (s *Set) Remove(planID string) error {
	s.mu.Lock()
	folder, ok := s.folders[planID]
	delete(s.folders, planID)
	s.mu.Unlock()
	if !ok {
		return nil
	}
	return folder.Close()
}

// Begin counts a phase that is begun, and returns how many were.
func (s *Set) Begin(planID string) int {
	s.begunMu.Lock()
	defer s.begunMu.Unlock()
	count := s.begun[planID] + 1
	s.begun[planID] = count
	return count
}

// Leave takes out who carries a plan, if that is carrier.
func (s *Set) Leave(planID, carrier string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.carriers[planID] == carrier {
		delete(s.carriers, planID)
	}
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
