package guards

import (
	"sync"
	"sync/atomic"
)

// The lock belongs to the object that holds the map's, or wraps a mutex.
type index struct{ terms map[string]int }

type library struct {
	mu  sync.RWMutex
	idx index
}

func (l *library) add(k string) { l.mu.Lock(); defer l.mu.Unlock(); l.idx.terms[k]++ }

func (l *library) drop(k string) { l.mu.Lock(); defer l.mu.Unlock(); delete(l.idx.terms, k) }

func (l *library) claimBad(k string) bool {
	if _, ok := l.idx.terms[k]; ok { // want `check-then-act: .*high`
		return false
	}
	l.idx.terms[k] = 1
	return true
}

func (l *library) claimOk(k string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.idx.terms[k]; ok {
		return false
	}
	l.idx.terms[k] = 1
	return true
}

// The part has a lock of its own, which is not used here.
type shelf struct {
	own   sync.Mutex
	books map[string]int
}

type room struct {
	mu    sync.Mutex
	shelf shelf
}

func (r *room) add(k string) { r.mu.Lock(); defer r.mu.Unlock(); r.shelf.books[k]++ }

func (s *shelf) putOk(k string) { s.own.Lock(); defer s.own.Unlock(); s.books[k] = 1 }

func (s *shelf) setOk(k string) { s.own.Lock(); defer s.own.Unlock(); s.books[k] = 2 }

type waiting struct {
	cond *sync.Cond
	jobs map[string]int
}

func newWaiting() *waiting {
	return &waiting{cond: sync.NewCond(new(sync.Mutex)), jobs: make(map[string]int)}
}

func (w *waiting) add(k string) {
	w.cond.L.Lock()
	defer w.cond.L.Unlock()
	w.jobs[k] = 1
	w.cond.Signal()
}

func (w *waiting) done(k string) { w.cond.L.Lock(); defer w.cond.L.Unlock(); delete(w.jobs, k) }

func (w *waiting) claimBad(k string) bool {
	if _, ok := w.jobs[k]; ok { // want `check-then-act: .*high`
		return false
	}
	w.jobs[k] = 1
	return true
}

// A mutex type of one's own that counts.
type counted struct {
	in    sync.Mutex
	taken atomic.Int64
}

func (c *counted) Lock() { c.in.Lock(); c.taken.Add(1) }

func (c *counted) Unlock() { c.in.Unlock() }

type tally struct {
	mu counted
	n  map[string]int
}

func (t *tally) add(k string) { t.mu.Lock(); defer t.mu.Unlock(); t.n[k] = 1 }

func (t *tally) drop(k string) { t.mu.Lock(); defer t.mu.Unlock(); delete(t.n, k) }

func (t *tally) addBad(k string) {
	t.n[k] = 1 // want `unguarded-access: .*high`
}
