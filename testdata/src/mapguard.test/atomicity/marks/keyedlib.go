package marks

import (
	"sync"

	moby "github.com/moby/locker"
)

// lockerDeck has a lock for each name in a library's type.
type lockerDeck struct {
	names *moby.Locker
	mu    sync.Mutex
	tapes map[string]*tape
}

func newLockerDeck() *lockerDeck { return &lockerDeck{names: moby.New()} }

func (s *lockerDeck) find(label string) *tape {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tapes[label]
}

// LoadOk is alone with its name.
func (s *lockerDeck) LoadOk(label string) *tape {
	s.names.Lock(label)
	defer s.names.Unlock(label)
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
func (s *lockerDeck) EjectOk(label string) *tape {
	s.names.Lock(label)
	defer func() { _ = s.names.Unlock(label) }()
	t := s.find(label)
	if t != nil {
		s.mu.Lock()
		delete(s.tapes, label)
		s.mu.Unlock()
	}
	return t
}

// straightDeck has a writer that takes no name.
type straightDeck struct {
	names moby.Locker
	mu    sync.Mutex
	tapes map[string]*tape
}

func (s *straightDeck) LoadBad(label string) {
	s.names.Lock(label)
	defer s.names.Unlock(label)
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

// Put takes no name.
func (s *straightDeck) Put(label string) {
	t := open(label)
	s.mu.Lock()
	s.tapes[label] = t
	s.mu.Unlock()
}

// shortDeck lets the name go before it acts.
type shortDeck struct {
	names moby.Locker
	mu    sync.Mutex
	tapes map[string]*tape
}

func (s *shortDeck) LoadBad(label string) {
	s.names.Lock(label)
	s.mu.Lock()
	_, there := s.tapes[label]
	s.mu.Unlock()
	s.names.Unlock(label)
	if there {
		return
	}
	t := open(label)
	s.names.Lock(label)
	s.mu.Lock()
	s.tapes[label] = t // want `split-lock`
	s.mu.Unlock()
	s.names.Unlock(label)
}

// leaseDeck does not ask whether it has the lock.
type leaseDeck struct {
	names moby.Leaser
	mu    sync.Mutex
	tapes map[string]*tape
}

func (s *leaseDeck) LoadBad(label string) {
	s.names.Lock(label)
	defer s.names.Unlock(label)
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

// A lister is of this module, and its body tells that it locks nothing.
type lister struct{ last string }

func (l *lister) LockKey(name string)   { l.last = name }
func (l *lister) UnlockKey(name string) { l.last = "" }

// listDeck has no lock for a name.
type listDeck struct {
	names lister
	mu    sync.Mutex
	tapes map[string]*tape
}

func (s *listDeck) LoadBad(label string) {
	s.names.LockKey(label)
	defer s.names.UnlockKey(label)
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
