package unguarded

import "sync"

// A lock that use alone shows to be the guard, and of which more than a third of the
// accesses know nothing, orders a part of the object's life: the workers of one phase.
type phases struct {
	mu  sync.Mutex
	out map[string]int
}

func (p *phases) Work(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, ok := p.out[k]; !ok {
		p.out[k] = len(p.out)
	}
	p.out[k]++
}

func (p *phases) SortOk() []string {
	var names []string
	for n := range p.out {
		names = append(names, n)
	}
	return names
}

func (p *phases) DropOk(k string) { delete(p.out, k) }

func (p *phases) GetOk(k string) int { return p.out[k] }

func (p *phases) HasOk(k string) bool { return p.out[k] > 0 }

// With one or two such accesses, the lock is forgotten there.
type counted struct {
	mu  sync.Mutex
	out map[string]int
}

func (c *counted) Work(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.out[k]; !ok {
		c.out[k] = len(c.out)
	}
	c.out[k]++
}

func (c *counted) GetBad(k string) int {
	return c.out[k] // want `unguarded-access: .*c\.out is read without mu`
}

// What is decided on such an access is no better guarded.
type built struct {
	mu   sync.Mutex
	meta map[string]int
}

func (b *built) Add(k string, n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.meta[k] = n
}

func (b *built) FillOk(k string) {
	if _, ok := b.meta[k]; !ok {
		b.meta[k] = 1
	}
}

func (b *built) HasOk(k string) bool { return b.meta[k] > 0 }

func (b *built) GetOk(k string) int { return b.meta[k] }

func (b *built) NamesOk() (names []string) {
	for k := range b.meta {
		names = append(names, k)
	}
	return names
}
