package unguarded

import "sync"

// A ledger has two locks, and its functions do not agree on which is the map's.
type ledger struct {
	sums  map[string]int
	names map[string]bool
	both  map[string]int

	mu, other sync.Mutex
}

func (l *ledger) addBad(k string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sums[k] = 1 // want `unguarded-access: l\.sums is written under l\.mu, and read under l\.other at line \d+: no lock is held at both`
}

func (l *ledger) sumBad(k string) int {
	l.other.Lock()
	defer l.other.Unlock()
	return l.sums[k] // want `unguarded-access: l\.sums is read under l\.other, and written under l\.mu at line \d+: no lock is held at both`
}

// Nothing changes it: each may read under a lock of its own.

func (l *ledger) namedOk(k string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.names[k]
}

func (l *ledger) alsoNamedOk(k string) bool {
	l.other.Lock()
	defer l.other.Unlock()
	return l.names[k]
}

// Who changes it holds both locks, so that readers need one of them.

func (l *ledger) setBothOk(k string, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.other.Lock()
	defer l.other.Unlock()
	l.both[k] = n
}

func (l *ledger) bothOk(k string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.both[k]
}

func (l *ledger) bothTooOk(k string) int {
	l.other.Lock()
	defer l.other.Unlock()
	return l.both[k]
}

// The one lock is named for the map, the other is held wherever it matters.
type rounds struct {
	mu     sync.RWMutex
	hitsMu sync.Mutex
	hits   map[string]int
	missMu sync.Mutex
	miss   map[string]int
}

func (r *rounds) playOk(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hitsMu.Lock()
	defer r.hitsMu.Unlock()
	r.hits[k]++
}

func (r *rounds) hitsOk(k string) int {
	r.hitsMu.Lock()
	defer r.hitsMu.Unlock()
	return r.hits[k]
}

// All who change it hold mu, too.
func (r *rounds) outerOk(k string) int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.hits[k]
}

func (r *rounds) loseOk(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.missMu.Lock()
	defer r.missMu.Unlock()
	r.miss[k]++
}

// One who changes it does not hold mu.
func (r *rounds) forgetOk(k string) {
	r.missMu.Lock()
	defer r.missMu.Unlock()
	delete(r.miss, k)
}

func (r *rounds) outerBad(k string) int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.miss[k] // want `unguarded-access: r\.miss is read without r?\.?missMu`
}

// More accesses hold mu, but all that change entries hold joinMu: that one is the lock of tmp, and mu is there for
// known.
type cohort struct {
	mu    sync.Mutex
	known map[string]int
	size  int

	joinMu sync.Mutex
	tmp    map[string]int
}

func (p *cohort) addOk(k string, n int) {
	p.joinMu.Lock()
	defer p.joinMu.Unlock()
	p.tmp[k] = n
}

func (p *cohort) dropOk(k string) {
	p.joinMu.Lock()
	delete(p.tmp, k)
	p.joinMu.Unlock()
}

func (p *cohort) allOk() (out []int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, n := range p.known {
		out = append(out, n)
	}
	p.joinMu.Lock()
	defer p.joinMu.Unlock()
	for _, n := range p.tmp {
		out = append(out, n)
	}
	return out
}

func (p *cohort) traceBad() (out []int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, n := range p.tmp { // want `unguarded-access: .* without joinMu .*, low`
		out = append(out, n)
	}
	return out
}

func (p *cohort) hasBad(k string) bool {
	_, ok := p.tmp[k] // want `unguarded-access: .* without joinMu .*, low`
	return ok
}

func (p *cohort) sizedBad(k string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.size > 0 {
		p.size += p.tmp[k] // want `unguarded-access: .* without joinMu .*, low`
	}
	if p.size > 1 {
		p.size += p.tmp[k+"."]
	}
	if p.size > 2 {
		p.size += p.tmp[k+"?"]
	}
	return p.size + p.tmp[k+"/"]
}

// All that change entries hold journal, and all but one mu, as do those that read: that one has forgotten mu.
type archive struct {
	journal sync.Mutex
	mu      sync.Mutex
	boxes   map[string]int
}

func (a *archive) putOk(k string, n int) {
	a.journal.Lock()
	defer a.journal.Unlock()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.boxes[k] = n
}

func (a *archive) countOk(k string) {
	a.journal.Lock()
	defer a.journal.Unlock()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.boxes[k]++
}

func (a *archive) dropBad(k string) {
	a.journal.Lock()
	defer a.journal.Unlock()
	delete(a.boxes, k) // want `unguarded-access: a\.boxes is deleted without mu`
}

func (a *archive) getOk(k string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.boxes[k]
}

func (a *archive) hasOk(k string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, ok := a.boxes[k]
	return ok
}

func (a *archive) sizesOk() (out []int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, n := range a.boxes {
		out = append(out, n)
	}
	return out
}

// One function fills it under the lock, and is done before the many that read it: it is not several that change it.
type seaChart struct {
	mu   sync.Mutex
	vals map[string]int
}

func (c *seaChart) fillOk(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.vals[k] = 1
	c.vals[k+"/"] = 2
}

func (c *seaChart) valOk(k string) int { return c.vals[k] }

func (c *seaChart) hasOk(k string) bool {
	_, ok := c.vals[k]
	return ok
}

func (c *seaChart) keysOk() (out []string) {
	for k := range c.vals {
		out = append(out, k)
	}
	return out
}

func (c *seaChart) allOk(f func(string, int)) {
	for k, v := range c.vals {
		f(k, v)
	}
}
