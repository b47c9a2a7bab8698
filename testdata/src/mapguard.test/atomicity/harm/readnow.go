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
