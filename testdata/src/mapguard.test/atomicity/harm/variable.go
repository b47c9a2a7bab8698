package harm

import "sync"

// What a nil test sees is the variable: an entry that comes or goes changes
// nothing of it, and neither does a map that is made where there is none.

type thing struct{ n int }

type pending struct {
	mu   sync.Mutex
	byID map[string]*thing
}

func (p *pending) find(id string) *thing {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byID == nil {
		return nil
	}
	return p.byID[id]
}

func (p *pending) put(id string, t *thing) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byID == nil {
		p.byID = make(map[string]*thing)
	}
	p.byID[id] = t
}

func (p *pending) retryOk(id, next string) {
	t := p.find(id)
	if t == nil {
		return
	}
	p.put(next, &thing{})
}

type closing struct {
	mu   sync.Mutex
	byID map[string]*thing
}

func (c *closing) open() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.byID != nil
}

func (c *closing) addBad(id string) {
	if !c.open() {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.byID[id] = &thing{} // want `split-lock: .*byID`
}

func (c *closing) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.byID = nil
}

// numbered has keys from a counter, which each object keeps: none comes back.
type numbered struct {
	mu   sync.Mutex
	last int
	subs map[int]*sub
}

type sub struct{ id int }

func (n *numbered) setup() { n.subs = make(map[int]*sub) }

func (n *numbered) add() *sub {
	s := &sub{}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.last++
	s.id = n.last
	n.subs[s.id] = s
	return s
}

func (n *numbered) removeOk(id int, done func(*sub) bool) {
	n.mu.Lock()
	s := n.subs[id]
	n.mu.Unlock()
	if s == nil || !done(s) {
		return
	}
	n.mu.Lock()
	delete(n.subs, s.id)
	n.mu.Unlock()
}
