package getter

import (
	"sync"

	"mapguard.test/locks/perkey"
)

// Where a lock lets only deletions come in between, no update is lost: what was deleted comes back.

type Marks struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	counts *perkey.Store[string, int]
}

func NewMarks() *Marks {
	return &Marks{locks: perkey.NewStore[string, *sync.Mutex](), counts: perkey.NewStore[string, int]()}
}

func (x *Marks) lock(id string) *sync.Mutex {
	x.create.Lock()
	defer x.create.Unlock()
	if mu, ok := x.locks.Get(id); ok {
		return mu
	}
	mu := new(sync.Mutex)
	x.locks.Set(id, mu)
	return mu
}

func (x *Marks) RaiseBad(id string, n int) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	old, _ := x.counts.Get(id)
	x.counts.Set(id, max(old, n)) // want `split-lock: .*what another goroutine deleted comes back`
}

func (x *Marks) Drop(id string) { x.counts.Del(id) }

// Strays has who raises a count under the lock of another key.
type Strays struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	counts *perkey.Store[string, int]
}

func NewStrays() *Strays {
	return &Strays{locks: perkey.NewStore[string, *sync.Mutex](), counts: perkey.NewStore[string, int]()}
}

func (x *Strays) lock(id string) *sync.Mutex {
	x.create.Lock()
	defer x.create.Unlock()
	if mu, ok := x.locks.Get(id); ok {
		return mu
	}
	mu := new(sync.Mutex)
	x.locks.Set(id, mu)
	return mu
}

func (x *Strays) RaiseBad(id string, n int) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	old, _ := x.counts.Get(id)
	x.counts.Set(id, max(old, n)) // want `split-lock: `
}

// Under the lock of another key, who raises this one comes in between.
func (x *Strays) RaiseOtherBad(id, other string, n int) {
	mu := x.lock(other)
	mu.Lock()
	defer mu.Unlock()
	old, _ := x.counts.Get(id)
	x.counts.Set(id, max(old, n)) // want `split-lock: `
}

func (x *Strays) Drop(id string) { x.counts.Del(id) }

// Turns lets one goroutine at a time raise a count.
type Turns struct {
	turn   sync.Mutex
	mu     sync.Mutex // protects counts
	counts map[string]int
}

func (x *Turns) RaiseBad(id string, n int) {
	x.turn.Lock()
	defer x.turn.Unlock()
	x.mu.Lock()
	old := x.counts[id]
	x.mu.Unlock()
	x.mu.Lock()
	x.counts[id] = max(old, n) // want `split-lock: .*what another goroutine deleted comes back`
	x.mu.Unlock()
}

func (x *Turns) Drop(id string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.counts, id)
}

// Others has who puts something in out of turn.
type Others struct {
	turn   sync.Mutex
	mu     sync.Mutex // protects counts
	counts map[string]int
}

func (x *Others) RaiseBad(id string, n int) {
	x.turn.Lock()
	defer x.turn.Unlock()
	x.mu.Lock()
	old := x.counts[id]
	x.mu.Unlock()
	x.mu.Lock()
	x.counts[id] = max(old, n) // want `split-lock: .*(is lost|overwritten|out of date)`
	x.mu.Unlock()
}

func (x *Others) Begin(id string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.counts[id] = 1
}

func (x *Others) Drop(id string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.counts, id)
}
