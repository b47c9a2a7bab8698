package locks

import "sync"

// A function whose name ends with the lock, and which does nothing with one, is called with it held.
type pantry struct {
	mu   sync.RWMutex
	jars map[string]int
	run  func() int
}

func newPantry() *pantry {
	p := &pantry{jars: make(map[string]int)}
	p.run = p.countWithRLock
	return p
}

func (p *pantry) Put(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.jars[k]++
}

func (p *pantry) Count() int {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.run()
}

func (p *pantry) countWithRLock() int { return p.sumWithRLock() }

func (p *pantry) sumWithRLock() int {
	n := 0
	for _, m := range p.jars {
		n += m
	}
	return n
}

// This one takes the lock, and forgets it at the end.
func (p *pantry) takeBad(k string) int {
	p.mu.Lock()
	n := p.jars[k]
	p.mu.Unlock()
	delete(p.jars, k) // want `p\.jars`
	return n
}

// Drop is there for callers.
func (p *pantry) Drop(k string) int { return p.takeBad(k) }

// A Larder is safe for concurrent use: no caller has its lock.
type Larder struct {
	mu   sync.Mutex
	jars map[string]int
}

func (l *Larder) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.jars)
}

// AddBadWithLock adds in one step.
func (l *Larder) AddBadWithLock(k string) {
	l.jars[k]++ // want `l\.jars`
}
