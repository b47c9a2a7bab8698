// Package perkey has locks that there are one for each key.
package perkey

import (
	"errors"
	"sync"
)

// A shelfLock is the lock of one shelf.
type shelfLock struct {
	mu    sync.RWMutex
	users int
}

var errNone = errors.New("no lock is left")

var spare sync.Pool

// spareLock may have none to give.
func spareLock() (any, error) {
	if l := spare.Get(); l != nil {
		return l, nil
	}
	return nil, errNone
}

// ShelfLocks makes a lock for a shelf, and has it before others can see it; who finds one waits for it.
type ShelfLocks[K comparable] struct {
	mu  sync.Mutex
	has map[K]*shelfLock
}

func (l *ShelfLocks[K]) Lock(shelf K) {
	l.mu.Lock()
	if s, ok := l.has[shelf]; ok {
		s.users++
		l.mu.Unlock()
		s.mu.Lock()
	} else {
		s := &shelfLock{users: 1}
		s.mu.Lock()
		l.has[shelf] = s
		l.mu.Unlock()
	}
}

func (l *ShelfLocks[K]) Unlock(shelf K) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s, ok := l.has[shelf]
	if !ok {
		return
	}
	if s.users--; s.users == 0 {
		delete(l.has, shelf)
	}
	s.mu.Unlock()
}

// RLock is for those who only read.
func (l *ShelfLocks[K]) RLock(shelf K) {
	l.mu.Lock()
	if s, ok := l.has[shelf]; ok {
		s.users++
		l.mu.Unlock()
		s.mu.RLock()
		return
	}
	s := &shelfLock{users: 1}
	s.mu.RLock()
	l.has[shelf] = s
	l.mu.Unlock()
}

func (l *ShelfLocks[K]) RUnlock(shelf K) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s, ok := l.has[shelf]; ok {
		if s.users--; s.users == 0 {
			delete(l.has, shelf)
		}
		s.mu.RUnlock()
	}
}

// PooledLocks gets its locks elsewhere, where there may be none.
type PooledLocks struct {
	mu  sync.Mutex
	has map[string]*shelfLock
}

func (l *PooledLocks) Lock(shelf string) {
	l.mu.Lock()
	s, ok := l.has[shelf]
	if ok {
		s.users++
		l.mu.Unlock()
		s.mu.Lock()
		return
	}
	got, err := spareLock()
	if err != nil {
		l.mu.Unlock()
		println(err.Error())
		return
	}
	fresh := got.(*shelfLock)
	fresh.users = 1
	l.has[shelf] = fresh
	fresh.mu.Lock()
	l.mu.Unlock()
}

func (l *PooledLocks) Unlock(shelf string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.has[shelf]; s != nil {
		if s.users--; s.users == 0 {
			delete(l.has, shelf)
			spare.Put(s)
		}
		s.mu.Unlock()
	}
}

type library struct {
	shelves ShelfLocks[string]
	pooled  PooledLocks
	books   sync.Map
}

func (l *library) OpenShelfOk(shelf string) any {
	l.shelves.Lock(shelf)
	defer l.shelves.Unlock(shelf)
	b, ok := l.books.Load(shelf)
	if !ok {
		b = new(int)
		l.books.Store(shelf, b)
	}
	return b
}

func (l *library) OpenPooledOk(shelf string) any {
	l.pooled.Lock(shelf)
	defer l.pooled.Unlock(shelf)
	b, ok := l.books.Load(shelf)
	if !ok {
		b = new(int)
		l.books.Store(shelf, b)
	}
	return b
}

func (l *library) OpenReadingBad(shelf string) any {
	l.shelves.RLock(shelf)
	defer l.shelves.RUnlock(shelf)
	b, ok := l.books.Load(shelf)
	if !ok {
		b = new(int)
		l.books.Store(shelf, b) // want `sync-map: Load`
	}
	return b
}

func (l *library) OpenOtherBad(shelf, other string) any {
	l.shelves.Lock(other)
	defer l.shelves.Unlock(other)
	b, ok := l.books.Load(shelf)
	if !ok {
		b = new(int)
		l.books.Store(shelf, b) // want `sync-map: Load`
	}
	return b
}

// What has no lock to give back is what no one has taken: Unlock always ends the section.
func (l *library) OpenAgainBad(shelf string) any {
	l.shelves.Lock(shelf)
	b, ok := l.books.Load(shelf)
	l.shelves.Unlock(shelf)
	l.shelves.Lock(shelf)
	defer l.shelves.Unlock(shelf)
	if !ok {
		b = new(int)
		l.books.Store(shelf, b) // want `sync-map: Load`
	}
	return b
}

func (l *library) OpenPooledAgainBad(shelf string) any {
	l.pooled.Lock(shelf)
	b, ok := l.books.Load(shelf)
	l.pooled.Unlock(shelf)
	l.pooled.Lock(shelf)
	defer l.pooled.Unlock(shelf)
	if !ok {
		b = new(int)
		l.books.Store(shelf, b) // want `sync-map: Load`
	}
	return b
}

// freshLocks puts a new lock in each time: no one waits.
type freshLocks struct {
	mu  sync.Mutex
	has map[string]*shelfLock
}

func (l *freshLocks) Lock(shelf string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := new(shelfLock)
	s.mu.Lock()
	l.has[shelf] = s
}

func (l *freshLocks) Unlock(shelf string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.has[shelf].mu.Unlock()
}

// GappedLocks looks in one section, and puts a lock in in the next one: two can do so.
type GappedLocks struct {
	mu  sync.Mutex
	has map[string]*shelfLock
}

func (l *GappedLocks) Lock(shelf string) {
	l.mu.Lock()
	s, ok := l.has[shelf]
	l.mu.Unlock()
	if ok {
		s.mu.Lock()
		return
	}
	s = new(shelfLock)
	s.mu.Lock()
	l.mu.Lock()
	l.has[shelf] = s // want `split-lock: `
	l.mu.Unlock()
}

func (l *GappedLocks) Unlock(shelf string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.has[shelf].mu.Unlock()
}

// PoliteLocks does not wait for who has the lock.
type PoliteLocks struct {
	mu  sync.Mutex
	has map[string]*shelfLock
}

func (l *PoliteLocks) Lock(shelf string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s, ok := l.has[shelf]; ok {
		s.users++
		return
	}
	s := &shelfLock{users: 1}
	s.mu.Lock()
	l.has[shelf] = s
}

func (l *PoliteLocks) Unlock(shelf string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.has[shelf]; s != nil {
		if s.users--; s.users == 0 {
			delete(l.has, shelf)
			s.mu.Unlock()
		}
	}
}

// refusingLocks returns without a lock where someone has it.
type refusingLocks struct {
	mu  sync.Mutex
	has map[string]*shelfLock
}

func (l *refusingLocks) claim(s *shelfLock) error {
	if s.users > 1 {
		return errNone
	}
	return nil
}

func (l *refusingLocks) Lock(shelf string) {
	l.mu.Lock()
	s, ok := l.has[shelf]
	if !ok {
		s = new(shelfLock)
		l.has[shelf] = s
	}
	s.users++
	err := l.claim(s)
	l.mu.Unlock()
	if err != nil {
		return
	}
	s.mu.Lock()
}

func (l *refusingLocks) Unlock(shelf string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.has[shelf].mu.Unlock()
}

type archive struct {
	fresh    freshLocks
	gapped   GappedLocks
	polite   PoliteLocks
	refusing refusingLocks
	a        sync.Map
	b        sync.Map
	c        sync.Map
	d        sync.Map
}

func (a *archive) FileFreshBad(shelf string) any {
	a.fresh.Lock(shelf)
	defer a.fresh.Unlock(shelf)
	b, ok := a.a.Load(shelf)
	if !ok {
		b = new(int)
		a.a.Store(shelf, b) // want `sync-map: Load`
	}
	return b
}

func (a *archive) FileGappedBad(shelf string) any {
	a.gapped.Lock(shelf)
	defer a.gapped.Unlock(shelf)
	b, ok := a.b.Load(shelf)
	if !ok {
		b = new(int)
		a.b.Store(shelf, b) // want `sync-map: Load`
	}
	return b
}

func (a *archive) FilePoliteBad(shelf string) any {
	a.polite.Lock(shelf)
	defer a.polite.Unlock(shelf)
	b, ok := a.c.Load(shelf)
	if !ok {
		b = new(int)
		a.c.Store(shelf, b) // want `sync-map: Load`
	}
	return b
}

func (a *archive) FileRefusedBad(shelf string) any {
	a.refusing.Lock(shelf)
	defer a.refusing.Unlock(shelf)
	b, ok := a.d.Load(shelf)
	if !ok {
		b = new(int)
		a.d.Store(shelf, b) // want `sync-map: Load`
	}
	return b
}

// DoorLocks makes the lock of a door when it is asked for first.
type DoorLocks struct {
	mu  sync.Mutex
	has map[string]*sync.Mutex
}

func (l *DoorLocks) Lock(door string) {
	l.mu.Lock()
	d, ok := l.has[door]
	if !ok {
		d = new(sync.Mutex)
		l.has[door] = d
	}
	l.mu.Unlock()
	d.Lock()
}

func (l *DoorLocks) Unlock(door string) {
	l.mu.Lock()
	d := l.has[door]
	l.mu.Unlock()
	d.Unlock()
}

// HallLocks has a lock for some halls each.
type HallLocks struct{ some [16]sync.Mutex }

func hallOf(hall string) uint { return uint(len(hall)) }

func (l *HallLocks) Lock(hall string)   { l.some[hallOf(hall)%16].Lock() }
func (l *HallLocks) Unlock(hall string) { l.some[hallOf(hall)%16].Unlock() }

// GateLocks notes who is at a gate, and others wait for that.
type GateLocks struct {
	mu    sync.Mutex
	freed *sync.Cond
	taken map[string]bool
}

func (l *GateLocks) Lock(gate string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.taken[gate] {
		l.freed.Wait()
	}
	l.taken[gate] = true
}

func (l *GateLocks) Unlock(gate string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.taken, gate)
	l.freed.Broadcast()
}

// SignLocks notes who is at a gate, and others pass all the same.
type SignLocks struct {
	mu    sync.Mutex
	taken map[string]bool
}

func (l *SignLocks) Lock(gate string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.taken[gate] {
		return
	}
	l.taken[gate] = true
}

func (l *SignLocks) Unlock(gate string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.taken, gate)
}

// OwnGateLocks lets others free a gate.
type OwnGateLocks struct {
	mu    sync.Mutex
	freed *sync.Cond
	taken map[string]bool
}

func (l *OwnGateLocks) Lock(gate string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.taken[gate] {
		l.freed.Wait()
	}
	l.taken[gate] = true
}

func (l *OwnGateLocks) Unlock(gate string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.taken, gate)
	l.freed.Broadcast()
}

// Evict frees a gate that someone else has taken.
func (l *OwnGateLocks) Evict(gate string) {
	l.mu.Lock()
	delete(l.taken, gate)
	l.mu.Unlock()
	l.freed.Broadcast()
}
