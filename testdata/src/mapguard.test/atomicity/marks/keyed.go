package marks

import (
	"context"
	"sync"

	"k8s.io/utils/keymutex"
)

// keyShelf has a lock for each key in a library.
type keyShelf struct {
	keys  keymutex.KeyMutex
	mu    sync.Mutex
	tapes map[string]*tape
}

func newKeyShelf() *keyShelf { return &keyShelf{keys: keymutex.NewHashed(0)} }

func (s *keyShelf) find(label string) *tape {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tapes[label]
}

// LoadOk is alone with its key.
func (s *keyShelf) LoadOk(label string) *tape {
	s.keys.LockKey(label)
	defer s.keys.UnlockKey(label)
	if t := s.find(label); t != nil {
		return t
	}
	t := open(label)
	s.mu.Lock()
	s.tapes[label] = t
	s.mu.Unlock()
	return t
}

// EjectOk is so, too.
func (s *keyShelf) EjectOk(label string) *tape {
	s.keys.LockKey(label)
	defer s.keys.UnlockKey(label)
	t := s.find(label)
	if t != nil {
		s.mu.Lock()
		delete(s.tapes, label)
		s.mu.Unlock()
	}
	return t
}

// A locker has a lock for each key.
type locker interface {
	Lock(key string)
	Unlock(key string)
}

// ownShelf has a lock for each key by an interface of its own.
type ownShelf struct {
	keys  locker
	mu    sync.Mutex
	tapes map[string]*tape
}

// LoadOk is alone with its key.
func (s *ownShelf) LoadOk(label string) {
	s.keys.Lock(label)
	defer s.keys.Unlock(label)
	s.mu.Lock()
	_, there := s.tapes[label]
	s.mu.Unlock()
	if there {
		return
	}
	t := open(label)
	s.mu.Lock()
	s.tapes[label] = t
	s.mu.Unlock()
}

// strayShelf has a writer that takes no key.
type strayShelf struct {
	keys  keymutex.KeyMutex
	mu    sync.Mutex
	tapes map[string]*tape
}

// LoadBad comes with another.
func (s *strayShelf) LoadBad(label string) {
	s.keys.LockKey(label)
	defer s.keys.UnlockKey(label)
	s.mu.Lock()
	_, there := s.tapes[label]
	s.mu.Unlock()
	if there {
		return
	}
	t := open(label)
	s.mu.Lock()
	s.tapes[label] = t // want `split-lock`
	s.mu.Unlock()
}

// Put takes no key.
func (s *strayShelf) Put(label string) {
	t := open(label)
	s.mu.Lock()
	s.tapes[label] = t
	s.mu.Unlock()
}

// crossShelf takes one key, and acts on another.
type crossShelf struct {
	keys  keymutex.KeyMutex
	mu    sync.Mutex
	tapes map[string]*tape
}

// LoadBad is alone with another key.
func (s *crossShelf) LoadBad(label, title string) {
	s.keys.LockKey(title)
	defer s.keys.UnlockKey(title)
	s.mu.Lock()
	_, there := s.tapes[label]
	s.mu.Unlock()
	if there {
		return
	}
	t := open(label)
	s.mu.Lock()
	s.tapes[label] = t // want `split-lock`
	s.mu.Unlock()
}

// earlyShelf gives the key back before it acts.
type earlyShelf struct {
	keys  keymutex.KeyMutex
	mu    sync.Mutex
	tapes map[string]*tape
}

// LoadBad is no more alone when it acts.
func (s *earlyShelf) LoadBad(label string) {
	s.keys.LockKey(label)
	s.mu.Lock()
	_, there := s.tapes[label]
	s.mu.Unlock()
	s.keys.UnlockKey(label)
	if there {
		return
	}
	t := open(label)
	s.mu.Lock()
	s.tapes[label] = t // want `split-lock`
	s.mu.Unlock()
}

// A failer may give no lock, and says so.
type failer interface {
	Lock(key string) bool
	Unlock(key string)
}

// failShelf does not ask whether it has the lock.
type failShelf struct {
	keys  failer
	mu    sync.Mutex
	tapes map[string]*tape
}

// LoadBad may not be alone.
func (s *failShelf) LoadBad(label string) {
	s.keys.Lock(label)
	defer s.keys.Unlock(label)
	s.mu.Lock()
	_, there := s.tapes[label]
	s.mu.Unlock()
	if there {
		return
	}
	t := open(label)
	s.mu.Lock()
	s.tapes[label] = t // want `split-lock`
	s.mu.Unlock()
}

// A canceller locks nothing but a context.
type canceller interface {
	Lock(ctx context.Context)
	Unlock(ctx context.Context)
}

// ctxShelf has no lock for a key.
type ctxShelf struct {
	keys  canceller
	mu    sync.Mutex
	tapes map[string]*tape
}

// LoadBad may not be alone.
func (s *ctxShelf) LoadBad(ctx context.Context, label string) {
	s.keys.Lock(ctx)
	defer s.keys.Unlock(ctx)
	s.mu.Lock()
	_, there := s.tapes[label]
	s.mu.Unlock()
	if there {
		return
	}
	t := open(label)
	s.mu.Lock()
	s.tapes[label] = t // want `split-lock`
	s.mu.Unlock()
}

// halfShelf has a lock for each key, and no way to give it back: nothing tells that it is one.
type halfShelf struct {
	keys  interface{ Lock(key string) }
	mu    sync.Mutex
	tapes map[string]*tape
}

// LoadBad may not be alone.
func (s *halfShelf) LoadBad(label string) {
	s.keys.Lock(label)
	s.mu.Lock()
	_, there := s.tapes[label]
	s.mu.Unlock()
	if there {
		return
	}
	t := open(label)
	s.mu.Lock()
	s.tapes[label] = t // want `split-lock`
	s.mu.Unlock()
}
