package getter

import (
	"sync"

	"mapguard.test/locks/perkey"
)

// A method may give the map of the locks away, or have others change it.

// Selfish drops a lock by another name.
type Selfish struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
}

func NewSelfish() *Selfish {
	return &Selfish{locks: perkey.NewStore[string, *sync.Mutex](), items: perkey.NewStore[string, *int]()}
}

func (x *Selfish) lock(id string) *sync.Mutex {
	x.create.Lock()
	defer x.create.Unlock()
	if mu, ok := x.locks.Get(id); ok {
		return mu
	}
	mu := new(sync.Mutex)
	x.locks.Set(id, mu)
	return mu
}

func (x *Selfish) OpenBad(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int)) // want `split-lock: `
	}
}

func (x *Selfish) Drop(id string) { x.locks.Itself().Del(id) }

// Lent lends the map itself.
type Lent struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
}

func NewLent() *Lent {
	return &Lent{locks: perkey.NewStore[string, *sync.Mutex](), items: perkey.NewStore[string, *int]()}
}

func (x *Lent) lock(id string) *sync.Mutex {
	x.create.Lock()
	defer x.create.Unlock()
	if mu, ok := x.locks.Get(id); ok {
		return mu
	}
	mu := new(sync.Mutex)
	x.locks.Set(id, mu)
	return mu
}

func (x *Lent) OpenBad(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int)) // want `split-lock: `
	}
}

func (x *Lent) Drop(id string) {
	x.locks.With(func(m map[string]*sync.Mutex) { delete(m, id) })
}

// Counted only looks at the locks.
type Counted struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
}

func NewCounted() *Counted {
	return &Counted{locks: perkey.NewStore[string, *sync.Mutex](), items: perkey.NewStore[string, *int]()}
}

func (x *Counted) lock(id string) *sync.Mutex {
	x.create.Lock()
	defer x.create.Unlock()
	if mu, ok := x.locks.Get(id); ok {
		return mu
	}
	mu := new(sync.Mutex)
	x.locks.Set(id, mu)
	return mu
}

func (x *Counted) OpenOk(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int))
	}
}

func (x *Counted) Count() (n int) {
	x.locks.Each(func(string, *sync.Mutex) bool { n++; return true })
	return n
}

// Swept starts who drops locks.
type Swept struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
}

func NewSwept() *Swept {
	return &Swept{locks: perkey.NewStore[string, *sync.Mutex](), items: perkey.NewStore[string, *int]()}
}

func (x *Swept) lock(id string) *sync.Mutex {
	x.create.Lock()
	defer x.create.Unlock()
	if mu, ok := x.locks.Get(id); ok {
		return mu
	}
	mu := new(sync.Mutex)
	x.locks.Set(id, mu)
	return mu
}

func (x *Swept) OpenBad(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int)) // want `split-lock: `
	}
}

func (x *Swept) Sweep() { x.locks.Tend() }

// Single keeps no lock but the last.
type Single struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
}

func NewSingle() *Single {
	return &Single{locks: perkey.NewStore[string, *sync.Mutex](), items: perkey.NewStore[string, *int]()}
}

func (x *Single) lock(id string) *sync.Mutex {
	x.create.Lock()
	defer x.create.Unlock()
	if mu, ok := x.locks.Get(id); ok {
		return mu
	}
	mu := new(sync.Mutex)
	x.locks.SetOnly(id, mu)
	return mu
}

func (x *Single) OpenBad(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int)) // want `split-lock: `
	}
}

// Later drops one when all is done.
type Later struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
}

func NewLater() *Later {
	return &Later{locks: perkey.NewStore[string, *sync.Mutex](), items: perkey.NewStore[string, *int]()}
}

func (x *Later) lock(id string) *sync.Mutex {
	x.create.Lock()
	defer x.create.Unlock()
	if mu, ok := x.locks.Get(id); ok {
		return mu
	}
	mu := new(sync.Mutex)
	x.locks.Set(id, mu)
	return mu
}

func (x *Later) OpenBad(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int)) // want `split-lock: `
	}
}

func (x *Later) Drop(id string) { defer x.locks.Del(id) }

// A Desk is one of several at a counter, each with a lock of its own.
type Desk struct {
	create sync.Mutex
	at     *counter
}

type counter struct {
	locks *perkey.Store[string, *sync.Mutex]
	items *perkey.Store[string, *int]
}

func newCounter() *counter {
	return &counter{locks: perkey.NewStore[string, *sync.Mutex](), items: perkey.NewStore[string, *int]()}
}

func NewDesks() [2]*Desk {
	c := newCounter()
	return [2]*Desk{{at: c}, {at: c}}
}

func (x *Desk) lock(id string) *sync.Mutex {
	x.create.Lock()
	defer x.create.Unlock()
	if mu, ok := x.at.locks.Get(id); ok {
		return mu
	}
	mu := new(sync.Mutex)
	x.at.locks.Set(id, mu)
	return mu
}

func (x *Desk) OpenBad(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.at.items.Get(id); !ok {
		x.at.items.Set(id, new(int)) // want `split-lock: `
	}
}
