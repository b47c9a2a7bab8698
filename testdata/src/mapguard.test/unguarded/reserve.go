package unguarded

import "sync"

// A length that is only a hint of how much to reserve: an old one serves as well,
// and len reads one word.
type peers struct {
	mu sync.RWMutex
	m  map[string]int
}

func (p *peers) add(k string, n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.m[k] = n
}

func (p *peers) drop(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.m, k)
}

func (p *peers) has(k string) bool {
	p.mu.RLock()
	defer p.mu.RUnlock()
	_, ok := p.m[k]
	return ok
}

func (p *peers) rename(from, to string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.m[to] = p.m[from]
	delete(p.m, from)
}

func (p *peers) raise() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for k := range p.m {
		p.m[k]++
	}
}

func (p *peers) namesOk() []string {
	out := make([]string, 0, len(p.m)+1)
	p.mu.RLock()
	defer p.mu.RUnlock()
	for k := range p.m {
		out = append(out, k)
	}
	return append(out, "self")
}

func (p *peers) copyOk() map[string]int {
	out := make(map[string]int, len(p.m))
	p.mu.RLock()
	defer p.mu.RUnlock()
	for k, n := range p.m {
		out[k] = n
	}
	return out
}

// The length of the slice, not its capacity: the loop can run beyond it.
func (p *peers) valuesBad() []int {
	out := make([]int, len(p.m)) // want `unguarded-access: .*p\.m is measured with len without mu.*, high`
	p.mu.RLock()
	defer p.mu.RUnlock()
	i := 0
	for _, n := range p.m {
		out[i] = n
		i++
	}
	return out
}

func (p *peers) manyBad() ([]int, bool) {
	n := len(p.m) // want `unguarded-access: .*p\.m is measured with len without mu.*, low`
	return make([]int, 0, n), n > 10
}

// A capacity below the length panics.
func (p *peers) roomBad() []int {
	return make([]int, 1, len(p.m)) // want `unguarded-access: .*p\.m is measured with len without mu.*, high`
}
