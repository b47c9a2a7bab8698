// Package freed has objects that free their key by their state and then delete
// their entry by it.
package freed

import (
	"errors"
	"sync"
	"sync/atomic"
)

var errTaken = errors.New("taken")

type lease struct {
	id     string
	active atomic.Bool
}

type leases struct {
	mu   sync.Mutex
	byID map[string]*lease
}

// take gives an identifier to one holder at a time; one that is given back can be
// taken again at once.
func (l *leases) take(id string) (*lease, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if old, ok := l.byID[id]; ok && old.active.Load() {
		return nil, errTaken
	}
	n := &lease{id: id}
	n.active.Store(true)
	l.byID[id] = n
	return n, nil
}

func (l *leases) giveBackBad(n *lease) {
	n.active.Store(false)
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.byID, n.id) // want `split-lock: the entry of l.byID is deleted here, but n.active is set to false at line 38 before: leases.take can have replaced it in between .*medium`
}

func (l *leases) giveBackByHelperBad(n *lease) {
	if n.active.Swap(false) {
		l.drop(n.id) // want `split-lock: the entry of l.byID is deleted here, but n.active is set to false at line 45 before: another goroutine can have replaced it .*medium`
	}
}

func (l *leases) drop(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.byID, id)
}

// In one section no other comes in between.
func (l *leases) giveBackLockedOk(n *lease) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n.active.Store(false)
	delete(l.byID, n.id)
}

// It deletes before it says that the identifier is free.
func (l *leases) giveBackLastOk(n *lease) {
	l.mu.Lock()
	delete(l.byID, n.id)
	l.mu.Unlock()
	n.active.Store(false)
}

// It looks whether the entry is still its own.
func (l *leases) giveBackOwnOk(n *lease) {
	n.active.Store(false)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byID[n.id] == n {
		delete(l.byID, n.id)
	}
}

// In this state none is replaced.
func (l *leases) activeOk(n *lease) {
	n.active.Store(true)
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.byID, n.id)
}

// Nothing of the kind replaces an entry here: one that is there stays, whatever its
// state, until it is deleted.

type job struct {
	name string
	done bool
}

type jobs struct {
	mu sync.Mutex
	m  map[string]*job
}

func (j *jobs) start(name string) (*job, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, ok := j.m[name]; ok {
		return nil, errTaken
	}
	n := &job{name: name}
	j.m[name] = n
	return n, nil
}

func (j *jobs) finishOk(n *job) {
	n.done = true
	j.mu.Lock()
	defer j.mu.Unlock()
	delete(j.m, n.name)
}

// The state is a number under a lock of the object, and the lock is package-level.

const (
	open = iota
	draining
	closed
)

type pool struct {
	mu    sync.Mutex
	state int
	addr  string
}

var (
	poolsMu sync.Mutex
	pools   = map[string]*pool{}
)

func dial(addr string) *pool {
	poolsMu.Lock()
	defer poolsMu.Unlock()
	p := pools[addr]
	if p != nil && p.state != closed {
		return p
	}
	p = &pool{addr: addr}
	pools[addr] = p
	return p
}

func (p *pool) closeBad() {
	p.mu.Lock()
	p.state = closed
	p.mu.Unlock()
	poolsMu.Lock()
	delete(pools, p.addr) // want `split-lock: the entry of pools is deleted here, but p.state is set to 2 at line 154 before: dial can have replaced it in between .*medium`
	poolsMu.Unlock()
}

// Its own lock is held throughout; what dials does not take it.
func (p *pool) closeLockedBad() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state = closed
	poolsMu.Lock()
	delete(pools, p.addr) // want `split-lock: the entry of pools is deleted here, but p.state is set to 2 .*medium`
	poolsMu.Unlock()
}

// Those that drain stay where they are.
func (p *pool) drainOk() {
	p.mu.Lock()
	p.state = draining
	p.mu.Unlock()
	poolsMu.Lock()
	delete(pools, p.addr)
	poolsMu.Unlock()
}
