package getter

import (
	"sync"

	"mapguard.test/locks/perkey"
)

// Where other objects know the map of the locks, it may lose one.

// Several have one map of locks.
type Several struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
}

func NewSeveral(n int) []*Several {
	var out []*Several
	locks, items := perkey.NewStore[string, *sync.Mutex](), perkey.NewStore[string, *int]()
	for range n {
		out = append(out, &Several{locks: locks, items: items})
	}
	return out
}

func (x *Several) lock(id string) *sync.Mutex {
	x.create.Lock()
	defer x.create.Unlock()
	if mu, ok := x.locks.Get(id); ok {
		return mu
	}
	mu := new(sync.Mutex)
	x.locks.Set(id, mu)
	return mu
}

func (x *Several) OpenBad(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int)) // want `split-lock: `
	}
}

// Refilled gets another map of locks when it is in use.
type Refilled struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
}

func NewRefilled() *Refilled {
	x := &Refilled{locks: perkey.NewStore[string, *sync.Mutex](), items: perkey.NewStore[string, *int]()}
	go x.OpenBad("first")
	x.locks = perkey.NewStore[string, *sync.Mutex]()
	return x
}

func (x *Refilled) lock(id string) *sync.Mutex {
	x.create.Lock()
	defer x.create.Unlock()
	if mu, ok := x.locks.Get(id); ok {
		return mu
	}
	mu := new(sync.Mutex)
	x.locks.Set(id, mu)
	return mu
}

func (x *Refilled) OpenBad(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int)) // want `split-lock: `
	}
}

// Late gets its map in one of two places.
type Late struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
}

func NewLate(again bool) *Late {
	x := &Late{items: perkey.NewStore[string, *int]()}
	for again {
		x.locks = perkey.NewStore[string, *sync.Mutex]()
		go x.OpenBad("first")
	}
	return x
}

func (x *Late) lock(id string) *sync.Mutex {
	x.create.Lock()
	defer x.create.Unlock()
	if mu, ok := x.locks.Get(id); ok {
		return mu
	}
	mu := new(sync.Mutex)
	x.locks.Set(id, mu)
	return mu
}

func (x *Late) OpenBad(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int)) // want `split-lock: `
	}
}

// Copied is copied.
type Copied struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
}

func NewCopied() *Copied {
	return &Copied{locks: perkey.NewStore[string, *sync.Mutex](), items: perkey.NewStore[string, *int]()}
}

func (x *Copied) lock(id string) *sync.Mutex {
	x.create.Lock()
	defer x.create.Unlock()
	if mu, ok := x.locks.Get(id); ok {
		return mu
	}
	mu := new(sync.Mutex)
	x.locks.Set(id, mu)
	return mu
}

func (x *Copied) OpenBad(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int)) // want `split-lock: `
	}
}

func (x *Copied) Copy() *Copied {
	y := *x
	return &y
}

// Cast has another type, too.
type Cast struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
}

func NewCast() *Cast {
	return &Cast{locks: perkey.NewStore[string, *sync.Mutex](), items: perkey.NewStore[string, *int]()}
}

func (x *Cast) lock(id string) *sync.Mutex {
	x.create.Lock()
	defer x.create.Unlock()
	if mu, ok := x.locks.Get(id); ok {
		return mu
	}
	mu := new(sync.Mutex)
	x.locks.Set(id, mu)
	return mu
}

func (x *Cast) OpenBad(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int)) // want `split-lock: `
	}
}

type otherCast struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
}

func (x *Cast) Drop(id string) { (*otherCast)(x).locks.Del(id) }

// Tended has locks that a goroutine drops.
type Tended struct {
	locks  *perkey.Store[string, *sync.Mutex]
	create sync.Mutex
	items  *perkey.Store[string, *int]
}

func NewTended() *Tended {
	return &Tended{locks: perkey.NewTended[string, *sync.Mutex](), items: perkey.NewStore[string, *int]()}
}

func (x *Tended) lock(id string) *sync.Mutex {
	x.create.Lock()
	defer x.create.Unlock()
	if mu, ok := x.locks.Get(id); ok {
		return mu
	}
	mu := new(sync.Mutex)
	x.locks.Set(id, mu)
	return mu
}

func (x *Tended) OpenBad(id string) {
	mu := x.lock(id)
	mu.Lock()
	defer mu.Unlock()
	if _, ok := x.items.Get(id); !ok {
		x.items.Set(id, new(int)) // want `split-lock: `
	}
}
