package harm

import "sync"

// What the section puts in is what another map has by then: who comes second puts in nothing older.

type rower struct{ n int }

func (m *rower) add() { m.n++ }

type roster struct {
	mu      sync.RWMutex
	members map[string][]*rower
	cached  map[string][]*rower
}

func (r *roster) join(k string, m *rower) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m.add()
	old := r.members[k]
	r.members[k] = append(old[:len(old):len(old)], m)
	delete(r.cached, k)
}

func (r *roster) matchOk(k string) []*rower {
	r.mu.RLock()
	got, ok := r.cached[k]
	r.mu.RUnlock()
	if ok {
		return got
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	got = r.members[k]
	r.cached[k] = got
	return got
}

// Here it was read before the section: it may be an older one than what is there.
func (r *roster) staleBad(k string) []*rower {
	r.mu.RLock()
	got, ok := r.cached[k]
	if ok {
		r.mu.RUnlock()
		return got
	}
	got = r.members[k]
	r.mu.RUnlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cached[k] = got // want `split-lock: r\.cached`
	return got
}

// Here others put in what they are given, and that is lost.
type overridden struct {
	mu       sync.RWMutex
	defaults map[string]*rower
	active   map[string]*rower
}

func (o *overridden) getBad(k string) *rower {
	o.mu.RLock()
	m, ok := o.active[k]
	o.mu.RUnlock()
	if ok {
		return m
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	m = o.defaults[k]
	o.active[k] = m // want `split-lock: o\.active`
	return m
}

func (o *overridden) SetOk(k string, m *rower) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.active[k] = m
}

// Here others put in what they make.
type relieved struct {
	mu     sync.RWMutex
	usual  map[string]*rower
	rowing map[string]*rower
}

func (r *relieved) strokeBad(k string) *rower {
	r.mu.RLock()
	m, ok := r.rowing[k]
	r.mu.RUnlock()
	if ok {
		return m
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	m = r.usual[k]
	r.rowing[k] = m // want `split-lock: r\.rowing`
	return m
}

func (r *relieved) relieve(k string, n int) *rower {
	m := &rower{n: n}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rowing[k] = m
	return m
}

// Who is put in is taken from the bench: the next one who comes finds none there, and puts one in.
type bench struct {
	mu    sync.RWMutex
	bench map[string]*rower
	boat  map[string]*rower
}

func (b *bench) sit(k string, m *rower) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.bench[k] = m
}

func (b *bench) boardBad(k string) *rower {
	b.mu.RLock()
	m, ok := b.boat[k]
	b.mu.RUnlock()
	if ok {
		return m
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	m = b.bench[k]
	delete(b.bench, k)
	b.boat[k] = m // want `split-lock: b\.boat`
	return m
}

// Who leaves both is not put in again.
type club struct {
	mu    sync.RWMutex
	rolls map[string]*rower
	boats map[string]*rower
}

func (c *club) joins(k string, m *rower) {
	c.mu.Lock()
	defer c.mu.Unlock()
	m.add()
	c.rolls[k] = m
	delete(c.boats, k)
}

func (c *club) leaves(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.strike(k)
	delete(c.boats, k)
}

func (c *club) strike(k string) { delete(c.rolls, k) }

func (c *club) boatOk(k string) *rower {
	c.mu.RLock()
	m, ok := c.boats[k]
	c.mu.RUnlock()
	if ok {
		return m
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	m = c.rolls[k]
	c.boats[k] = m
	return m
}
