// Package rlockwrite pins the rule rlock-write: every kind of write while the
// guard is held only for reading.
package rlockwrite

import (
	"maps"
	"sync"
)

type conn struct{ id int }

type lists map[string][]int

func (l lists) add(k string, v int) { l[k] = append(l[k], v) }

type pool struct {
	mu sync.RWMutex
	m  map[string]*conn          // guarded by mu
	n  map[string]int            // guarded by mu
	l  lists                     // guarded by mu
	in map[string]map[string]int // guarded by mu
}

func (p *pool) insertBad(k string) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	p.m[k] = &conn{} // want `rlock-write: p\.m is written under the read lock of p\.mu`
}

func (p *pool) checkThenInsertBad(k string) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if p.m[k] == nil {
		p.m[k] = &conn{} // want `rlock-write: p\.m`
	}
}

func (p *pool) incrementBad(k string) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	p.n[k]++ // want `rlock-write: p\.n`
}

func (p *pool) appendBad(k string) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	p.l[k] = append(p.l[k], 1) // want `rlock-write: p\.l`
}

func (p *pool) deleteBad(k string) {
	p.mu.RLock()
	delete(p.m, k) // want `rlock-write: p\.m`
	p.mu.RUnlock()
}

func (p *pool) clearBad() {
	p.mu.RLock()
	defer p.mu.RUnlock()
	clear(p.m) // want `rlock-write: p\.m`
}

func (p *pool) copyBad(src map[string]*conn) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	maps.Copy(p.m, src) // want `rlock-write: p\.m`
}

func (p *pool) deleteFuncBad() {
	p.mu.RLock()
	defer p.mu.RUnlock()
	maps.DeleteFunc(p.m, func(string, *conn) bool { return true }) // want `rlock-write: p\.m`
}

func (p *pool) assignBad() {
	p.mu.RLock()
	defer p.mu.RUnlock()
	p.m = map[string]*conn{} // want `rlock-write: p\.m`
}

func (p *pool) innerMapBad(a, b string) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	p.in[a][b] = 1 // want `rlock-write: p\.in`
}

// One write lock in place of the read lock does for both maps.
func (p *pool) twoMapsBad(k string) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	p.m[k] = &conn{} // want `rlock-write: p\.m is written`
	p.n[k] = 1
}

// Nor is the inner map a finding of its own.
func (p *pool) innerAndOuterBad(a, b string) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	inner, ok := p.in[a]
	if !ok {
		inner = make(map[string]int)
		p.in[a] = inner // want `rlock-write: p\.in is written`
	}
	inner[b] = 1
}

// Two locks are two changes.
func (p *pool) twoObjectsBad(q *pool, k string) {
	p.mu.RLock()
	p.m[k] = &conn{} // want `rlock-write: p\.m is written`
	p.mu.RUnlock()
	q.mu.RLock()
	q.n[k] = 1 // want `rlock-write: q\.n is written`
	q.mu.RUnlock()
}

// The map's method does not know of the lock.
func (p *pool) ownMethodBad(k string) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	p.l.add(k, 1) // want `rlock-write: p\.l`
}

// touch writes; two calls of three are right.
func (p *pool) touch(k string) { p.n[k] = 1 }

func (p *pool) helperUnderReadLockBad(k string) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	p.touch(k) // want `rlock-write: p\.n .*touch`
}

// touchIf writes only if it is told to.
func (p *pool) touchIf(k string, create bool) bool {
	_, ok := p.n[k]
	if !ok && create {
		p.n[k] = 1
	}
	return ok
}

func (p *pool) toldNotToOk(k string) bool {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.touchIf(k, false)
}

func (p *pool) toldToBad(k string) bool {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.touchIf(k, true) // want `rlock-write: p\.n .*touchIf`
}

func (p *pool) toldToOk(k string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.touchIf(k, true)
}

func (p *pool) toldNotToAsWellOk(k string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.touchIf(k, false)
}

// Two levels down.
func (p *pool) touchDeep(k string) { p.touch(k) }

func (p *pool) deepUnderReadLockBad(k string) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	p.touchDeep(k) // want `rlock-write: p\.n`
}

func (p *pool) deepOk(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.touchDeep(k)
}

func (p *pool) helperUnderWriteLockOk(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.touch(k)
}

func (p *pool) helperUnderWriteLockTooOk(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.touch(k)
}

func (p *pool) runnerBad(k string) {
	p.read(func() {
		p.n[k] = 2 // want `rlock-write: p\.n`
	})
}

// read runs f under the read lock.
func (p *pool) read(f func()) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	f()
}

// One branch reads, the other one writes.
func (p *pool) eitherBad(k string, write bool) {
	if write {
		p.mu.Lock()
		defer p.mu.Unlock()
	} else {
		p.mu.RLock()
		defer p.mu.RUnlock()
	}
	p.n[k] = 3 // want `rlock-write: p\.n`
}

func (p *pool) writeLockOk(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.m[k] = &conn{}
	p.n[k]++
	p.l.add(k, 1)
	p.in[k]["a"] = 1
}

func (p *pool) readOk(k string) int {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.n[k] + len(p.m) + p.in[k]["a"]
}

// A second lock, held for writing, covers the write.
type stacked struct {
	mu    sync.RWMutex
	inner sync.Mutex
	m     map[string]int
}

func (s *stacked) innerLockOk(k string) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	s.inner.Lock()
	defer s.inner.Unlock()
	s.m[k]++
}

// The write lock of an element covers the element's map, under the read lock
// of the whole.
type shard struct {
	mu sync.Mutex
	m  map[string]int // guarded by mu
}

type sharded struct {
	mu     sync.RWMutex
	shards map[string]*shard // guarded by mu
}

func (s *sharded) shardLockOk(name, k string) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	sh := s.shards[name]
	sh.mu.Lock()
	defer sh.mu.Unlock()
	sh.m[k]++
}

// A read lock of something else says nothing of this map.
func (p *pool) fieldOfElementOk(k string) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	p.m[k].id = 3
}

// Nothing else uses the map: the lock beside it says that others do.
type alone struct {
	mu sync.RWMutex
	m  map[string]int
}

func (a *alone) onlyReadLockedBad(k string) int {
	a.mu.RLock()
	defer a.mu.RUnlock()
	if n, ok := a.m[k]; ok {
		return n
	}
	a.m[k] = len(k) // want `rlock-write: a\.m .*high`
	return len(k)
}

// A variable that a literal gives what it has looked up is no field.
type shelves struct {
	mu    sync.RWMutex
	books map[string]map[string]int
}

func (s *shelves) FindOk(shelf, title string) (int, bool) {
	var books map[string]int
	var ok bool
	find := func() bool {
		s.mu.RLock()
		defer s.mu.RUnlock()
		books, ok = s.books[shelf]
		return ok && books[title] > 0
	}
	if !find() {
		return 0, false
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	n, ok := books[title]
	return n, ok
}

func (s *shelves) PutOk(shelf, title string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.books[shelf] == nil {
		s.books[shelf] = make(map[string]int)
	}
	s.books[shelf][title]++
}

// Two can draw at one time.
type chart struct {
	mu   sync.RWMutex
	seen map[string]int
}

func (c *chart) Add(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen[k]++
}

func (c *chart) Draw() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	c.cutBad()
	return len(c.seen)
}

func (c *chart) cutBad() {
	if len(c.seen) > 10 {
		delete(c.seen, "") // want `rlock-write: .*high`
	}
}

// A score keeps what it has worked out, for many.
type score struct {
	mu   sync.RWMutex
	best map[string]int
}

func (s *score) Forget(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.best, k)
}

func (s *score) BestBad(k string) int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	n, ok := s.best[k]
	if !ok {
		n = len(k)
		s.best[k] = n // want `rlock-write: .*high`
	}
	return n
}
