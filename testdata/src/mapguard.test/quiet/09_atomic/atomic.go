// Package atomic pins fast paths that end in an atomic operation.
package atomic

import "sync"

type conn struct{ id int }

func dial(k string) *conn { return &conn{len(k)} }

type cache struct{ m sync.Map }

func (c *cache) loadOrStoreOk(k string) *conn {
	if v, ok := c.m.Load(k); ok {
		return v.(*conn)
	}
	v, _ := c.m.LoadOrStore(k, dial(k))
	return v.(*conn)
}

func (c *cache) compareAndSwapOk(k string) {
	for {
		v, ok := c.m.Load(k)
		if !ok {
			if _, loaded := c.m.LoadOrStore(k, 1); !loaded {
				return
			}
			continue
		}
		if c.m.CompareAndSwap(k, v, v.(int)+1) {
			return
		}
	}
}

func (c *cache) compareAndDeleteOk(k string) {
	v, ok := c.m.Load(k)
	if ok && v.(*conn).id > 3 {
		c.m.CompareAndDelete(k, v)
	}
}

func (c *cache) loadAndDeleteOk(k string) *conn {
	v, ok := c.m.LoadAndDelete(k)
	if !ok {
		return nil
	}
	return v.(*conn)
}

// A per-key lock, itself from an atomic map, is held across check and act.
type perKey struct {
	locks sync.Map // of *sync.Mutex
	m     sync.Map
}

func (p *perKey) keyLockOk(k string) *conn {
	l, _ := p.locks.LoadOrStore(k, new(sync.Mutex))
	mu := l.(*sync.Mutex)
	mu.Lock()
	defer mu.Unlock()
	if v, ok := p.m.Load(k); ok {
		return v.(*conn)
	}
	c := dial(k)
	p.m.Store(k, c)
	return c
}

// The writers are serialised by a mutex of their own; readers look freely.
type writers struct {
	mu sync.Mutex
	m  sync.Map
}

func (w *writers) readOk(k string) *conn {
	v, _ := w.m.Load(k)
	c, _ := v.(*conn)
	return c
}

func (w *writers) writeOk(k string) *conn {
	w.mu.Lock()
	defer w.mu.Unlock()
	if v, ok := w.m.Load(k); ok {
		return v.(*conn)
	}
	c := dial(k)
	w.m.Store(k, c)
	return c
}

// Keyed locks kept in a plain map, taken under the pool's lock.
type keyed struct {
	mu    sync.Mutex
	locks map[string]*sync.Mutex // guarded by mu
	m     map[string]*conn       // guarded by mu
}

func (p *keyed) lockFor(k string) *sync.Mutex {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.locks[k]
	if l == nil {
		l = new(sync.Mutex)
		p.locks[k] = l
	}
	return l
}

func (p *keyed) get(k string) *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.m[k]
}

func (p *keyed) put(k string, c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.m[k] = c
}

func (p *keyed) keyedLockOk(k string) *conn {
	l := p.lockFor(k)
	l.Lock()
	defer l.Unlock()
	c := p.get(k)
	if c == nil {
		c = dial(k)
		p.put(k, c)
	}
	return c
}
