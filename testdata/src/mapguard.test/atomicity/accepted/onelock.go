package accepted

import (
	"errors"
	"sync"
)

var errExists = errors.New("exists")

// One lock across everything.

type table struct {
	mu sync.Mutex
	m  map[string]*conn
	n  map[string]int
}

func (t *table) acrossOk(k string) (*conn, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c, ok := t.m[k]; ok {
		return c, nil
	}
	c, err := dialErr(k)
	if err != nil {
		return nil, err
	}
	t.m[k] = c
	t.n[k]++
	return c, nil
}

func (t *table) branchesOk(k string) (c *conn) {
	t.mu.Lock()
	switch c = t.m[k]; {
	case c == nil:
		c = dial(k)
		t.m[k] = c
	case c.dead:
		delete(t.m, k)
		t.mu.Unlock()
		c.Close()
		return nil
	default:
		t.n[k]++
	}
	t.mu.Unlock()
	return c
}

func (t *table) loopOk(keys []string) {
	t.mu.Lock()
	for _, k := range keys {
		if _, ok := t.m[k]; ok {
			continue
		}
		t.m[k] = dial(k)
	}
	t.mu.Unlock()
}

func (t *table) literalOk(k string) *conn {
	return func() *conn {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.m[k] == nil {
			t.m[k] = dial(k)
		}
		return t.m[k]
	}()
}

// A runner of closures holds it.
func (t *table) do(f func(m map[string]*conn)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f(t.m)
}

func (t *table) doOk(k string) {
	t.do(func(m map[string]*conn) {
		if m[k] == nil {
			m[k] = dial(k)
		}
	})
}

// The lock is taken by a method that returns how to give it up.
func (t *table) lock() func() { t.mu.Lock(); return t.mu.Unlock }

func (t *table) lockerOk(k string) {
	defer t.lock()()
	if t.m[k] == nil {
		t.m[k] = dial(k)
	}
}

func (t *table) tryOk(k string) bool {
	if !t.mu.TryLock() {
		return false
	}
	defer t.mu.Unlock()
	if t.m[k] != nil {
		return false
	}
	t.m[k] = dial(k)
	return true
}

// The …Locked split.

func (t *table) Get(k string) *conn { t.mu.Lock(); defer t.mu.Unlock(); return t.getLocked(k) }

func (t *table) Set(k string, c *conn) { t.mu.Lock(); defer t.mu.Unlock(); t.setLocked(k, c) }

func (t *table) getLocked(k string) *conn { return t.m[k] }

func (t *table) setLocked(k string, c *conn) { t.m[k] = c }

func (t *table) GetOrMakeOk(k string) *conn {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c := t.getLocked(k); c != nil {
		return c
	}
	c := dial(k)
	t.setLocked(k, c)
	return c
}

// The fast way asks Get, the slow way the locked half.
func (t *table) fastOk(k string) *conn {
	if c := t.Get(k); c != nil {
		return c
	}
	return t.GetOrMakeOk(k)
}

func (t *table) GetOrMakeBad(k string) *conn {
	if c := t.Get(k); c != nil {
		return c
	}
	c := dial(k)
	t.Set(k, c) // want `split-lock: `
	return c
}

// Set unless present, in the forms that tell who has won.

func (t *table) add(k string, c *conn) (created bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.m[k]; ok {
		return false
	}
	t.m[k] = c
	return true
}

func (t *table) addErr(k string, c *conn) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.m[k]; ok {
		return errExists
	}
	t.m[k] = c
	return nil
}

func (t *table) addOk(k string) {
	c := dial(k)
	if !t.add(k, c) {
		c.Close()
	}
}

func (t *table) getThenAddOk(k string) *conn {
	if c := t.Get(k); c != nil {
		return c
	}
	c := dial(k)
	if t.add(k, c) {
		return c
	}
	c.Close()
	return t.Get(k)
}

func (t *table) addErrOk(k string) error {
	if t.Get(k) != nil {
		return errExists
	}
	if err := t.addErr(k, dial(k)); err != nil {
		return err
	}
	return nil
}

// What one has created oneself, one may fill, or take away again.
type slots struct {
	mu sync.Mutex
	m  map[string]*conn
}

func (t *slots) add(k string, c *conn) (created bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.m[k]; ok {
		return false
	}
	t.m[k] = c
	return true
}

func (t *slots) set(k string, c *conn) { t.mu.Lock(); defer t.mu.Unlock(); t.m[k] = c }

func (t *slots) remove(k string) { t.mu.Lock(); defer t.mu.Unlock(); delete(t.m, k) }

func (t *slots) createdOk(k string) {
	if t.add(k, nil) {
		t.set(k, dial(k))
	}
}

func (t *slots) createdAndRemovedOk(k string) error {
	if !t.add(k, nil) {
		return errExists
	}
	c, err := dialErr(k)
	if err != nil {
		t.remove(k)
		return err
	}
	t.set(k, c)
	return nil
}

// Who takes it out has it.
func (t *table) take(k string) (*conn, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c, ok := t.m[k]
	if ok {
		delete(t.m, k)
	}
	return c, ok
}

func (t *table) takeAndPutBackOk(k string, use func(*conn) error) {
	c, ok := t.take(k)
	if !ok {
		c = dial(k)
	}
	if err := use(c); err != nil {
		c.Close()
		return
	}
	if !t.add(k, c) {
		c.Close()
	}
}

// A retry loop: an entry that says it is dead is not used.

type entry struct {
	mu   sync.Mutex
	dead bool
	vals []int
}

type entries struct {
	mu sync.Mutex
	m  map[string]*entry
}

func (e *entries) entry(k string) *entry {
	e.mu.Lock()
	defer e.mu.Unlock()
	x := e.m[k]
	if x == nil {
		x = &entry{}
		e.m[k] = x
	}
	return x
}

func (e *entries) addOk(k string, v int) {
	for {
		x := e.entry(k)
		x.mu.Lock()
		if !x.dead {
			x.vals = append(x.vals, v)
			x.mu.Unlock()
			return
		}
		x.mu.Unlock()
	}
}

func (e *entries) dropOk(k string) {
	e.mu.Lock()
	x := e.m[k]
	delete(e.m, k)
	e.mu.Unlock()
	if x != nil {
		x.mu.Lock()
		x.dead = true
		x.mu.Unlock()
	}
}
