package escape

import (
	"maps"
	"sync"
)

// Sent on a channel.

func (p *Pool) sendBad(out chan<- map[string]*conn) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	out <- p.m // want `map-escape: `
}

func (p *Pool) sendLaterBad(out chan<- map[string]*conn) {
	p.mu.RLock()
	m := p.m
	p.mu.RUnlock()
	out <- m // want `map-escape: `
}

func (p *Pool) selectBad(out chan<- map[string]*conn) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	select {
	case out <- p.m: // want `map-escape: `
	default:
	}
}

func (p *Pool) sendInStructBad(out chan<- View) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	out <- View{p.m} // want `map-escape: `
}

func (p *Pool) sendOk(out chan<- map[string]*conn) {
	p.mu.RLock()
	m := maps.Clone(p.m)
	p.mu.RUnlock()
	out <- m
}

func (p *Pool) sendTakenOk(out chan<- map[string]*conn) {
	p.mu.Lock()
	m := p.m
	p.m = make(map[string]*conn)
	p.mu.Unlock()
	out <- m
}

// Stored where others find it.

var latest map[string]*conn

func (p *Pool) storeGlobalBad() {
	p.mu.Lock()
	defer p.mu.Unlock()
	latest = p.m // want `map-escape: `
}

// Latest looks there.
func Latest(k string) *conn { return latest[k] }

type report struct {
	conns map[string]*conn
	rows  []map[string]*conn
}

func (r *report) count() int { return len(r.conns) }

func (p *Pool) storeFieldBad(r *report) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	r.conns = p.m // want `map-escape: `
}

func (p *Pool) storeSliceBad(r *report) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	r.rows = append(r.rows, p.m) // want `map-escape: `
}

func (p *Pool) storeOk(r *report) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	r.conns = maps.Clone(p.m)
}

// Handed on to a function that keeps it.

func (r *report) keep(m map[string]*conn) { r.conns = m }

func newReport(m map[string]*conn) *report { return &report{conns: m} }

func firstOk(m map[string]*conn) *conn { return m["first"] }

func (p *Pool) keptBad(r *report) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	r.keep(p.m) // want `map-escape: `
}

func (p *Pool) constructedBad() *report {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return newReport(p.m) // want `map-escape: `
}

func (p *Pool) keptOk(r *report) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	r.keep(maps.Clone(p.m))
}

func (p *Pool) lentOk() *conn {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return firstOk(p.m)
}

// Lent too late: the helper runs without the lock.
func (p *Pool) lentUnlockedBad() *conn {
	p.mu.RLock()
	m := p.m
	p.mu.RUnlock()
	return firstOk(m) // want `unguarded-access: `
}

// Captured by a goroutine, or given to one.

func (p *Pool) goroutineReadsBad(f func(*conn)) {
	p.mu.RLock()
	m := p.m
	p.mu.RUnlock()
	go func() {
		for _, c := range m { // want `(map-escape|unguarded-access|goroutine-race): `
			f(c)
		}
	}()
}

// The lock is given up when the function returns, not when the goroutine ends.
func (p *Pool) goroutineUnderDeferBad(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := p.m
	go func() {
		m[k] = &conn{} // want `(map-escape|unguarded-access|goroutine-race): `
	}()
}

func (p *Pool) goroutineArgumentBad(f func(map[string]*conn)) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	go f(p.m) // want `map-escape: `
}

func (p *Pool) goroutineCopyOk(f func(*conn)) {
	p.mu.RLock()
	m := maps.Clone(p.m)
	p.mu.RUnlock()
	go func() {
		for _, c := range m {
			f(c)
		}
	}()
}

// The goroutine alone has what was taken out.
func (p *Pool) goroutineTakenOk(f func(*conn)) {
	p.mu.Lock()
	m := p.m
	p.m = make(map[string]*conn)
	p.mu.Unlock()
	go func() {
		for _, c := range m {
			f(c)
		}
	}()
}

func (p *Pool) goroutineLocksOk(f func(*conn)) {
	go func() {
		p.mu.RLock()
		defer p.mu.RUnlock()
		for _, c := range p.m {
			f(c)
		}
	}()
}

// Iterated or changed after the lock is given up, in the same function.

func (p *Pool) iterateBad(f func(*conn)) {
	p.mu.RLock()
	m := p.m
	p.mu.RUnlock()
	for _, c := range m { // want `unguarded-access: `
		f(c)
	}
}

func (p *Pool) changeAliasBad(k string) {
	p.mu.RLock()
	m := p.m
	p.mu.RUnlock()
	delete(m, k) // want `unguarded-access: `
}

func (p *Pool) iterateInnerBad(k string) (n int) {
	p.mu.RLock()
	in := p.by[k]
	p.mu.RUnlock()
	for range in { // want `unguarded-access: `
		n++
	}
	return n
}

func (p *Pool) iterateCopyOk(f func(*conn)) {
	p.mu.RLock()
	m := maps.Clone(p.m)
	p.mu.RUnlock()
	for _, c := range m {
		f(c)
	}
}

// Taken in: the caller keeps the map that it has given.

// Config is read and changed under a lock.
type Config struct {
	mu     sync.RWMutex
	values map[string]string // guarded by mu
}

// SetOk changes one.
func (c *Config) SetOk(k, v string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.values[k] = v
}

// ReplaceOk copies what it is given.
func (c *Config) ReplaceOk(m map[string]string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.values = maps.Clone(m)
}

// Values never change: any holder of the map may read it.
type frozen struct {
	mu sync.RWMutex
	m  map[string]*conn // guarded by mu
}

func (f *frozen) currentOk() map[string]*conn {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.m
}

func (f *frozen) sendOk(out chan<- map[string]*conn) { out <- f.currentOk() }

// A map that is only replaced is a snapshot, which reading does not harm.
func (f *frozen) readOk(k string) *conn { return f.currentOk()[k] }

func (f *frozen) addOk(k string, c *conn) {
	f.mu.Lock()
	defer f.mu.Unlock()
	next := maps.Clone(f.m)
	next[k] = c
	f.m = next
}

// A constructor gives a map to an object that is not known yet.
func newConfigOk(m map[string]string) *Config { return &Config{values: m} }
