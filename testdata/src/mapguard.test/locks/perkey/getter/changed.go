package getter

import (
	"sync"

	"mapguard.test/locks/perkey"
)

// What else the package does with the map of the locks counts, too.

// Dropped deletes the lock that others may wait for.
type Dropped struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
}

func NewDropped() *Dropped {
	return &Dropped{locks: perkey.NewStore[string, *sync.Mutex](), items: perkey.NewStore[string, *int]()}
}

func (x *Dropped) lock(id string) *sync.Mutex {
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

func (x *Dropped) OpenBad(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int)) // want `split-lock: `
	}
}

func (x *Dropped) Drop(id string) {
	x.create.Lock()
	defer x.create.Unlock()
	x.locks.Del(id)
}

// Replaced gets a new map of locks.
type Replaced struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
}

func NewReplaced() *Replaced {
	return &Replaced{locks: perkey.NewStore[string, *sync.Mutex](), items: perkey.NewStore[string, *int]()}
}

func (x *Replaced) lock(id string) *sync.Mutex {
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

func (x *Replaced) OpenBad(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int)) // want `split-lock: `
	}
}

func (x *Replaced) Reset() {
	x.create.Lock()
	defer x.create.Unlock()
	x.locks = newMutexes()
}

// Known has a map of locks that others have as well.
type Known struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
}

func NewKnown(locks *mutexes) *Known {
	return &Known{locks: locks, items: perkey.NewStore[string, *int]()}
}

func (x *Known) lock(id string) *sync.Mutex {
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

func (x *Known) OpenBad(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int)) // want `split-lock: `
	}
}

// Passed passes the map of locks on.
type Passed struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
}

func NewPassed() *Passed {
	return &Passed{locks: perkey.NewStore[string, *sync.Mutex](), items: perkey.NewStore[string, *int]()}
}

func (x *Passed) lock(id string) *sync.Mutex {
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

func (x *Passed) OpenBad(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int)) // want `split-lock: `
	}
}

func drop(m *mutexes, id string) { m.Del(id) }

func (x *Passed) Drop(id string) { drop(x.locks, id) }

// Named has a field that others can name.
type Named struct {
	Locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
}

func NewNamed() *Named {
	return &Named{Locks: perkey.NewStore[string, *sync.Mutex](), items: perkey.NewStore[string, *int]()}
}

func (x *Named) lock(id string) *sync.Mutex {
	if mu, ok := x.Locks.Get(id); ok {
		return mu
	}
	x.create.Lock()
	defer x.create.Unlock()
	if mu, ok := x.Locks.Get(id); ok {
		return mu
	}
	mu := new(sync.Mutex)
	x.Locks.Set(id, mu)
	return mu
}

func (x *Named) OpenBad(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int)) // want `split-lock: `
	}
}
