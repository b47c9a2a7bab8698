package callerlocks

import "sync"

// An evicting calls a function that it is given when it holds its owner's lock, which
// nothing but the comment in the function shows.
type evicting struct {
	mu    sync.Mutex
	m     map[string]*conn
	order order
}

type order interface {
	Add(k string)
	OnDrop(func(k string))
}

func (e *evicting) init() { e.order.OnDrop(e.dropOk) }

func (e *evicting) Put(k string, c *conn) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.m[k] = c
	e.order.Add(k)
}

func (e *evicting) Get(k string) *conn {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.m[k]
}

func (e *evicting) dropOk(k string) {
	// already locked
	delete(e.m, k)
}

func (e *evicting) Forget(k string) {
	// The lock is taken where all entries go.
	delete(e.m, k) // want `unguarded-access: e\.m is deleted without mu`
}
