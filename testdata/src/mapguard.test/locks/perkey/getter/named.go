package getter

import (
	"sync"

	"mapguard.test/locks/perkey"
)

// The map that is looked at may be known by another name, and its steps be out of sight.

// Filled has who fills it by another field.
type Filled struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
}

func NewFilled() *Filled {
	return &Filled{locks: perkey.NewStore[string, *sync.Mutex](), items: perkey.NewStore[string, *int]()}
}

func (x *Filled) lock(id string) *sync.Mutex {
	x.create.Lock()
	defer x.create.Unlock()
	if mu, ok := x.locks.Get(id); ok {
		return mu
	}
	mu := new(sync.Mutex)
	x.locks.Set(id, mu)
	return mu
}

func (x *Filled) OpenBad(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int)) // want `split-lock: `
	}
}

type filler struct{ to *perkey.Store[string, *int] }

func (f *filler) Fill(id string) { f.to.Set(id, nil) }

func (x *Filled) Filler() *filler { return &filler{x.items} }

// Handed hands a method out.
type Handed struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
}

func NewHanded() *Handed {
	return &Handed{locks: perkey.NewStore[string, *sync.Mutex](), items: perkey.NewStore[string, *int]()}
}

func (x *Handed) lock(id string) *sync.Mutex {
	x.create.Lock()
	defer x.create.Unlock()
	if mu, ok := x.locks.Get(id); ok {
		return mu
	}
	mu := new(sync.Mutex)
	x.locks.Set(id, mu)
	return mu
}

func (x *Handed) OpenBad(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int)) // want `split-lock: `
	}
}

func (x *Handed) Setter() func(string, *int) { return x.items.Set }

// Renamed fills an entry under the lock of another one.
type Renamed struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
}

func NewRenamed() *Renamed {
	return &Renamed{locks: perkey.NewStore[string, *sync.Mutex](), items: perkey.NewStore[string, *int]()}
}

func (x *Renamed) lock(id string) *sync.Mutex {
	x.create.Lock()
	defer x.create.Unlock()
	if mu, ok := x.locks.Get(id); ok {
		return mu
	}
	mu := new(sync.Mutex)
	x.locks.Set(id, mu)
	return mu
}

func (x *Renamed) OpenBad(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int)) // want `split-lock: `
	}
}

func (x *Renamed) Fill(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	id += "x"
	x.items.Set(id, new(int))
}

// Emptied has all who change it hold the lock.
type Emptied struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
}

func NewEmptied() *Emptied {
	return &Emptied{locks: perkey.NewStore[string, *sync.Mutex](), items: perkey.NewStore[string, *int]()}
}

func (x *Emptied) lock(id string) *sync.Mutex {
	x.create.Lock()
	defer x.create.Unlock()
	if mu, ok := x.locks.Get(id); ok {
		return mu
	}
	mu := new(sync.Mutex)
	x.locks.Set(id, mu)
	return mu
}

func (x *Emptied) OpenOk(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int))
	}
}

func (x *Emptied) Drop(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	x.items.Del(id)
}
