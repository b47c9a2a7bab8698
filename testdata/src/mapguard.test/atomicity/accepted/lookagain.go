package accepted

import "sync"

// Delete what one has seen, and nothing else.

func (p *pool) compareAndDeleteOk(k string, c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.m[k] == c {
		delete(p.m, k)
	}
}

func (p *pool) dropDeadOk(k string) {
	p.mu.RLock()
	c, ok := p.m[k]
	p.mu.RUnlock()
	if !ok || !c.dead {
		return
	}
	c.Close()
	p.mu.Lock()
	if cur, ok := p.m[k]; ok && cur == c {
		delete(p.m, k)
	}
	p.mu.Unlock()
}

func (p *pool) dropThroughHelperOk(k string) {
	p.mu.RLock()
	c := p.m[k]
	p.mu.RUnlock()
	if c != nil && c.dead {
		p.compareAndDeleteOk(k, c)
	}
}

func (p *pool) sweepOk() {
	p.mu.RLock()
	dead := make(map[string]*conn)
	for k, c := range p.m {
		if c.dead {
			dead[k] = c
		}
	}
	p.mu.RUnlock()
	for k, c := range dead {
		p.mu.Lock()
		if p.m[k] == c {
			delete(p.m, k)
		}
		p.mu.Unlock()
		c.Close()
	}
}

// A version in the entry tells whether it is still the one that was read.

type versioned struct{ ver, val int }

type versions struct {
	mu sync.Mutex
	m  map[string]versioned // guarded by mu
}

// One field of the entry is compared, as a compare-and-swap does.
func (v *versions) updateOk(k string, f func(int) int) {
	for {
		v.mu.Lock()
		old := v.m[k]
		v.mu.Unlock()
		val := f(old.val)
		v.mu.Lock()
		if v.m[k].ver == old.ver {
			v.m[k] = versioned{old.ver + 1, val}
			v.mu.Unlock()
			return
		}
		v.mu.Unlock()
	}
}

// Another entry's version says nothing of this one.
func (v *versions) updateOtherBad(k, other string, f func(int) int) {
	v.mu.Lock()
	old := v.m[k]
	v.mu.Unlock()
	val := f(old.val)
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.m[other].ver == old.ver {
		v.m[k] = versioned{old.ver + 1, val} // want `split-lock: `
	}
}

// It acts where the version is another one.
func (v *versions) updateChangedBad(k string, f func(int) int) {
	v.mu.Lock()
	old := v.m[k]
	v.mu.Unlock()
	val := f(old.val)
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.m[k].ver != old.ver {
		v.m[k] = versioned{old.ver + 1, val} // want `split-lock: `
	}
}

// The version was compared before the lock was taken again.
func (v *versions) updateEarlyBad(k string, f func(int) int) {
	v.mu.Lock()
	old := v.m[k]
	v.mu.Unlock()
	val := f(old.val)
	v.mu.Lock()
	same := v.m[k].ver == old.ver
	v.mu.Unlock()
	if same {
		v.mu.Lock()
		v.m[k] = versioned{old.ver + 1, val} // want `split-lock: `
		v.mu.Unlock()
	}
}

func (v *versions) swapOk(k string, old, next versioned) bool {
	v.mu.Lock()
	cur := v.m[k]
	v.mu.Unlock()
	if cur != old {
		return false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.m[k] != old {
		return false
	}
	v.m[k] = next
	return true
}

// The closed flag is looked at again, and the loser closed in the background.

type client struct {
	mu     sync.RWMutex
	closed bool
	m      map[string]*conn
}

func (c *client) getOk(k string) (*conn, error) {
	c.mu.RLock()
	if c.closed {
		c.mu.RUnlock()
		return nil, errExists
	}
	v, ok := c.m[k]
	c.mu.RUnlock()
	if ok {
		return v, nil
	}
	fresh, err := dialErr(k)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		fresh.Close()
		return nil, errExists
	}
	if v, ok := c.m[k]; ok {
		go fresh.Close()
		return v, nil
	}
	c.m[k] = fresh
	return fresh, nil
}

// Many at a time: what is missing is made outside, and put in unless present.
func (c *client) fillOk(keys []string) {
	var missing []string
	c.mu.RLock()
	for _, k := range keys {
		if _, ok := c.m[k]; !ok {
			missing = append(missing, k)
		}
	}
	c.mu.RUnlock()
	fresh := make(map[string]*conn)
	for _, k := range missing {
		fresh[k] = dial(k)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for k, v := range fresh {
		if _, ok := c.m[k]; ok {
			v.Close()
			continue
		}
		c.m[k] = v
	}
}

// Room is made as long as there is none.
func (c *client) shrinkOk(limit int) {
	c.mu.RLock()
	n := len(c.m)
	c.mu.RUnlock()
	if n <= limit {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for k := range c.m {
		if len(c.m) <= limit {
			break
		}
		delete(c.m, k)
	}
}

// The inner map's second look.
type nested struct {
	mu sync.RWMutex
	m  map[string]map[string]*conn
}

func (n *nested) getOk(a, b string) *conn {
	n.mu.RLock()
	c := n.m[a][b]
	n.mu.RUnlock()
	if c != nil {
		return c
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	in, ok := n.m[a]
	if !ok {
		in = make(map[string]*conn)
		n.m[a] = in
	} else if c, ok := in[b]; ok {
		return c
	}
	c = &conn{}
	in[b] = c
	return c
}
