package initialisation

import (
	"errors"
	"sync"
	"sync/atomic"
)

func work() {}

// A flag is set under the lock, behind the last change of the map: who finds it set needs no lock.

type onceFilled struct {
	mu   sync.Mutex
	full atomic.Bool
	byID map[string]int
	load func() map[string]int
}

func (o *onceFilled) ensure() {
	if o.full.Load() {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.full.Load() {
		return
	}
	o.byID = make(map[string]int)
	for k, v := range o.load() {
		o.byID[k] = v
	}
	o.full.Store(true)
}

func (o *onceFilled) findOk(k string) int {
	o.ensure()
	return o.byID[k]
}

func (o *onceFilled) countOk() (n int) {
	if !o.full.Load() {
		o.ensure()
	}
	for range o.byID {
		n++
	}
	return n + len(o.byID)
}

// The number is set when the function returns, before the lock is let go.
type numbered struct {
	done  uint32
	mu    sync.Mutex
	names map[string]int
}

func (n *numbered) slow() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.done == 0 {
		defer atomic.StoreUint32(&n.done, 1)
		n.names = map[string]int{"a": 1}
		n.names["b"] = 2
	}
}

func (n *numbered) findOk(k string) int {
	if atomic.LoadUint32(&n.done) == 0 {
		n.slow()
	}
	return n.names[k]
}

var (
	ranksReady int32
	ranksMu    sync.Mutex
	ranks      map[string]int
)

func fillRanks() {
	ranksMu.Lock()
	defer ranksMu.Unlock()
	if ranksReady != 0 {
		return
	}
	ranks = make(map[string]int)
	ranks["a"] = 1
	atomic.StoreInt32(&ranksReady, 1)
}

// FindOk reads the ranks where they are complete.
func FindOk(k string) int {
	if atomic.LoadInt32(&ranksReady) != 1 {
		fillRanks()
	}
	return ranks[k]
}

// A registry refuses once it is sealed.
type sealedRegistry struct {
	mu     sync.RWMutex
	sealed atomic.Bool
	m      map[string]func()
}

func newSealed() *sealedRegistry { return &sealedRegistry{m: make(map[string]func())} }

func (r *sealedRegistry) registerOk(k string, f func()) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.sealed.Load() {
		return errors.New("sealed")
	}
	r.m[k] = f
	return nil
}

func (r *sealedRegistry) seal() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sealed.CompareAndSwap(false, true)
}

func (r *sealedRegistry) findOk(k string) func() {
	if r.sealed.Load() {
		return r.m[k]
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.m[k]
}

// What closes it goes through the map behind that.
func (r *sealedRegistry) closeOk() {
	r.mu.Lock()
	was := r.sealed.Swap(true)
	r.mu.Unlock()
	if was {
		return
	}
	for _, f := range r.m {
		f()
	}
}

// A plain flag is looked at under the lock.
type plainSealed struct {
	mu     sync.Mutex
	sealed bool
	m      map[string]int
}

func (p *plainSealed) put(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.sealed {
		return
	}
	if p.m == nil {
		p.m = make(map[string]int)
	}
	p.m[k]++
}

func (p *plainSealed) sumOk() (n int) {
	p.mu.Lock()
	p.sealed = true
	p.mu.Unlock()
	for _, v := range p.m {
		n += v
	}
	return n
}

func (p *plainSealed) findOk(k string) int {
	p.mu.Lock()
	sealed := p.sealed
	p.mu.Unlock()
	if !sealed {
		return 0
	}
	return p.m[k]
}
