package lockstates

import "sync"

// A gate is held for reading by all who work, and for writing by who closes.
type gate struct {
	closing sync.RWMutex
	mu      sync.Mutex
	m       map[string]*item
}

func (g *gate) addBad(k string) {
	g.closing.RLock()
	defer g.closing.RUnlock()
	g.mu.Lock()
	_, ok := g.m[k]
	g.mu.Unlock()
	if ok {
		return
	}
	g.mu.Lock()
	g.m[k] = &item{} // want `split-lock: .*g\.m`
	g.mu.Unlock()
}

func (g *gate) addAloneOk(k string) {
	g.closing.Lock()
	defer g.closing.Unlock()
	g.mu.Lock()
	_, ok := g.m[k]
	g.mu.Unlock()
	if ok {
		return
	}
	g.mu.Lock()
	g.m[k] = &item{}
	g.mu.Unlock()
}
