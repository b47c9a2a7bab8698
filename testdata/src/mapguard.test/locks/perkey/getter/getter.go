// Package getter takes the lock that a method gives for a key: it keeps it in a map type of another package.
package getter

import (
	"sync"

	"mapguard.test/locks/perkey"
)

type mutexes = perkey.Store[string, *sync.Mutex]

func newMutexes() *mutexes { return perkey.NewStore[string, *sync.Mutex]() }

// Shop makes the lock of a key where there is none, in one section.
type Shop struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
}

func NewShop() *Shop {
	return &Shop{locks: perkey.NewStore[string, *sync.Mutex](), items: perkey.NewStore[string, *int]()}
}

func (x *Shop) lock(id string) *sync.Mutex {
	if mu, ok := x.locks.Get(id); ok {
		return mu
	}
	x.create.Lock()
	defer x.create.Unlock()
	if mu, ok := x.locks.Get(id); ok {
		return mu
	}
	mu := new(sync.Mutex)
	x.locks.Set(id, mu)
	return mu
}

func (x *Shop) OpenOk(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int))
	}
}

// Yard has a step without the lock of the key, and one under that of another key.
type Yard struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
}

func NewYard() *Yard {
	return &Yard{locks: perkey.NewStore[string, *sync.Mutex](), items: perkey.NewStore[string, *int]()}
}

func (x *Yard) lock(id string) *sync.Mutex {
	if mu, ok := x.locks.Get(id); ok {
		return mu
	}
	x.create.Lock()
	defer x.create.Unlock()
	if mu, ok := x.locks.Get(id); ok {
		return mu
	}
	mu := new(sync.Mutex)
	x.locks.Set(id, mu)
	return mu
}

func (x *Yard) OpenBad(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int)) // want `split-lock: .*what another goroutine just wrote is overwritten`
	}
}

func (x *Yard) OpenOtherBad(id, other string) {
	mu := x.lock(other)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int)) // want `split-lock: `
	}
}

func (x *Yard) FillBad(id string) {
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int)) // want `split-lock: `
	}
}

// Pair has two maps of locks.
type Pair struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
	doors  *perkey.Store[string, *sync.Mutex]
}

func NewPair() *Pair {
	return &Pair{locks: perkey.NewStore[string, *sync.Mutex](), doors: perkey.NewStore[string, *sync.Mutex](), items: perkey.NewStore[string, *int]()}
}

func (x *Pair) lock(id string) *sync.Mutex {
	if mu, ok := x.locks.Get(id); ok {
		return mu
	}
	x.create.Lock()
	defer x.create.Unlock()
	if mu, ok := x.locks.Get(id); ok {
		return mu
	}
	mu := new(sync.Mutex)
	x.locks.Set(id, mu)
	return mu
}

func (x *Pair) door(id string) *sync.Mutex {
	if mu, ok := x.doors.Get(id); ok {
		return mu
	}
	x.create.Lock()
	defer x.create.Unlock()
	if mu, ok := x.doors.Get(id); ok {
		return mu
	}
	mu := new(sync.Mutex)
	x.doors.Set(id, mu)
	return mu
}

func (x *Pair) OpenBad(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int)) // want `split-lock: `
	}
}

func (x *Pair) OpenDoorBad(id string) {
	mu := x.door(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int)) // want `split-lock: `
	}
}

// Renewed puts a new lock in each time.
type Renewed struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
}

func NewRenewed() *Renewed {
	return &Renewed{locks: perkey.NewStore[string, *sync.Mutex](), items: perkey.NewStore[string, *int]()}
}

func (x *Renewed) lock(id string) *sync.Mutex {
	x.create.Lock()
	defer x.create.Unlock()
	mu := new(sync.Mutex)
	x.locks.Set(id, mu)
	return mu
}

func (x *Renewed) OpenBad(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int)) // want `split-lock: `
	}
}

// Loose looks and puts in with no lock around both.
type Loose struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
}

func NewLoose() *Loose {
	return &Loose{locks: perkey.NewStore[string, *sync.Mutex](), items: perkey.NewStore[string, *int]()}
}

func (x *Loose) lock(id string) *sync.Mutex {
	if mu, ok := x.locks.Get(id); ok {
		return mu
	}
	mu := new(sync.Mutex)
	x.locks.Set(id, mu) // want `split-lock: `
	return mu
}

func (x *Loose) OpenBad(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int)) // want `split-lock: `
	}
}

// Reading only reads under the lock around both.
type Reading struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
	shared sync.RWMutex
}

func NewReading() *Reading {
	return &Reading{locks: perkey.NewStore[string, *sync.Mutex](), items: perkey.NewStore[string, *int]()}
}

func (x *Reading) lock(id string) *sync.Mutex {
	if mu, ok := x.locks.Get(id); ok {
		return mu
	}
	x.shared.RLock()
	defer x.shared.RUnlock()
	if mu, ok := x.locks.Get(id); ok {
		return mu
	}
	mu := new(sync.Mutex)
	x.locks.Set(id, mu)
	return mu
}

func (x *Reading) OpenBad(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int)) // want `split-lock: `
	}
}

// Split gives the lock up in between.
type Split struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
}

func NewSplit() *Split {
	return &Split{locks: perkey.NewStore[string, *sync.Mutex](), items: perkey.NewStore[string, *int]()}
}

func (x *Split) lock(id string) *sync.Mutex {
	x.create.Lock()
	mu, ok := x.locks.Get(id)
	x.create.Unlock()
	if ok {
		return mu
	}
	x.create.Lock()
	defer x.create.Unlock()
	mu = new(sync.Mutex)
	x.locks.Set(id, mu) // want `split-lock: `
	return mu
}

func (x *Split) OpenBad(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int)) // want `split-lock: `
	}
}

// Kept puts the lock in only if there is none by then, and gives it all the same.
type Kept struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
}

func NewKept() *Kept {
	return &Kept{locks: perkey.NewStore[string, *sync.Mutex](), items: perkey.NewStore[string, *int]()}
}

func (x *Kept) lock(id string) *sync.Mutex {
	if mu, ok := x.locks.Get(id); ok {
		return mu
	}
	x.create.Lock()
	defer x.create.Unlock()
	if mu, ok := x.locks.Get(id); ok {
		return mu
	}
	mu := new(sync.Mutex)
	x.locks.SetNew(id, mu)
	return mu
}

func (x *Kept) OpenBad(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int)) // want `split-lock: `
	}
}

// Elsewhere looks for the lock of another key.
type Elsewhere struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
}

func NewElsewhere() *Elsewhere {
	return &Elsewhere{locks: perkey.NewStore[string, *sync.Mutex](), items: perkey.NewStore[string, *int]()}
}

func (x *Elsewhere) lock(id string) *sync.Mutex {
	if mu, ok := x.locks.Get(id + "x"); ok {
		return mu
	}
	x.create.Lock()
	defer x.create.Unlock()
	if mu, ok := x.locks.Get(id + "x"); ok {
		return mu
	}
	mu := new(sync.Mutex)
	x.locks.Set(id, mu)
	return mu
}

func (x *Elsewhere) OpenBad(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int)) // want `split-lock: `
	}
}

// Flagged does not ask for the lock.
type Flagged struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
	fresh  bool
}

func NewFlagged() *Flagged {
	return &Flagged{locks: perkey.NewStore[string, *sync.Mutex](), items: perkey.NewStore[string, *int]()}
}

func (x *Flagged) lock(id string) *sync.Mutex {
	x.create.Lock()
	defer x.create.Unlock()
	if mu, ok := x.locks.Get(id); ok && !x.fresh {
		return mu
	}
	mu := new(sync.Mutex)
	x.locks.Set(id, mu)
	return mu
}

func (x *Flagged) OpenBad(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int)) // want `split-lock: `
	}
}
