// Package splitlock pins the rule of that name: both sides are locked, but no
// critical section covers both.
package splitlock

import "sync"

type conn struct {
	id   int
	open bool
}

type pool struct {
	mu sync.RWMutex
	m  map[string]*conn // guarded by mu
	n  map[string]int   // guarded by mu
}

func (p *pool) unlockedInBetweenBad(k string) *conn {
	p.mu.Lock()
	c, ok := p.m[k]
	p.mu.Unlock()
	if !ok {
		c = &conn{}
		p.mu.Lock()
		p.m[k] = c // want `split-lock: .*p\.m.*read at line \d+ and written here in two critical sections of p\.mu:`
		p.mu.Unlock()
	}
	return c
}

func (p *pool) upgradedBad(k string) *conn {
	p.mu.RLock()
	c, ok := p.m[k]
	p.mu.RUnlock()
	if ok {
		return c
	}
	c = &conn{}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.m[k] = c // want `split-lock: .*p\.m.*two critical sections of p\.mu, the first for reading`
	return c
}

func (p *pool) droppedForSlowWorkBad(k string) *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.m[k]; c != nil {
		return c
	}
	p.mu.Unlock()
	c := &conn{}
	p.mu.Lock()
	p.m[k] = c // want `split-lock: .*p\.m`
	return c
}

func (p *pool) deleteExpiredBad(k string) {
	p.mu.RLock()
	c := p.m[k]
	p.mu.RUnlock()
	if c != nil && !c.open {
		p.mu.Lock()
		delete(p.m, k) // want `split-lock: .*p\.m.*deleted.*, low`
		p.mu.Unlock()
	}
}

func (p *pool) deleteExpiredOk(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.m[k]; c != nil && !c.open {
		delete(p.m, k)
	}
}

func (p *pool) collectThenDeleteBad() {
	var old []string
	p.mu.RLock()
	for k, c := range p.m {
		if !c.open {
			old = append(old, k)
		}
	}
	p.mu.RUnlock()
	p.mu.Lock()
	for _, k := range old {
		delete(p.m, k) // want `split-lock: .*p\.m`
	}
	p.mu.Unlock()
}

func (p *pool) lenThenInsertBad(k string) bool {
	p.mu.RLock()
	n := len(p.m)
	p.mu.RUnlock()
	if n >= 10 {
		return false
	}
	p.mu.Lock()
	p.m[k] = &conn{} // want `split-lock: .*p\.m.*measured with len.*both pass the test`
	p.mu.Unlock()
	return true
}

func (p *pool) lostUpdateBad(k string) {
	p.mu.RLock()
	n := p.n[k]
	p.mu.RUnlock()
	p.mu.Lock()
	p.n[k] = n + 1 // want `split-lock: .*p\.n.*lost`
	p.mu.Unlock()
}

func (p *pool) lostUpdateOk(k string) {
	p.mu.Lock()
	p.n[k] = p.n[k] + 1
	p.mu.Unlock()
}

func (p *pool) clearBad() {
	p.mu.RLock()
	n := len(p.m)
	p.mu.RUnlock()
	if n > 100 {
		p.mu.Lock()
		clear(p.m) // want `split-lock: .*p\.m`
		p.mu.Unlock()
	}
}

// Entries that come in between are lost with the old map.
func (p *pool) replacedBad() {
	p.mu.RLock()
	full := len(p.m) > 100
	p.mu.RUnlock()
	if full {
		p.mu.Lock()
		p.m = make(map[string]*conn) // want `split-lock: .*p\.m`
		p.mu.Unlock()
	}
}

func (p *pool) lazyMapBad() {
	p.mu.RLock()
	missing := p.m == nil
	p.mu.RUnlock()
	if missing {
		p.mu.Lock()
		p.m = make(map[string]*conn) // want `split-lock: .*p\.m`
		p.mu.Unlock()
	}
}

// Two locks, of which each side holds one.
type twoLocks struct {
	a, b sync.Mutex
	m    map[string]*conn
}

func (t *twoLocks) differentLocksBad(k string) {
	t.a.Lock()
	c := t.m[k]
	t.a.Unlock()
	if c == nil {
		t.b.Lock()
		t.m[k] = &conn{} // want `split-lock: .*t\.m.*under t\.a, then written here under t\.b`
		t.b.Unlock()
	}
}

// Two locks, of which every insertion holds both.
type bothLocks struct {
	a, b sync.Mutex
	m    map[string]*conn
}

func (t *bothLocks) overlappingOk(k string) {
	t.a.Lock()
	c := t.m[k]
	t.b.Lock()
	if c == nil {
		t.m[k] = &conn{}
	}
	t.b.Unlock()
	t.a.Unlock()
}

// The first lock is given up for the second one.
func (t *twoLocks) handOverBad(k string) {
	t.a.Lock()
	c := t.m[k]
	t.a.Unlock()
	t.b.Lock()
	defer t.b.Unlock()
	if c == nil {
		t.m[k] = &conn{} // want `split-lock: .*t\.m`
	}
}

// Three wrappers, each with a lock of its own.

func (p *pool) Get(k string) (*conn, bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	c, ok := p.m[k]
	return c, ok
}

func (p *pool) Set(k string, c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.m[k] = c
}

func (p *pool) Del(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.m, k)
}

func (p *pool) wrappersInsertBad(k string) {
	if _, ok := p.Get(k); !ok {
		p.Set(k, &conn{}) // want `split-lock: .*p\.m.*two critical sections of p\.mu, the first for reading`
	}
}

func (p *pool) wrappersDeleteBad(k string) {
	if c, ok := p.Get(k); ok && !c.open {
		p.Del(k) // want `split-lock: .*p\.m.*, low`
	}
}

func (p *pool) wrappersAllThreeBad(k string, n *conn) {
	old, ok := p.Get(k)
	if ok && !old.open {
		p.Del(k)
	}
	if !ok {
		p.Set(k, n) // want `split-lock: .*p\.m`
	}
	if c, ok := p.Get(k); ok && c.id == 0 {
		p.Set(k, &conn{id: 1}) // related
	}
}

func (p *pool) wrappersOfOtherPoolOk(q *pool, k string) {
	if c, ok := p.Get(k); ok {
		q.Set(k, c)
	}
}

// One side locked by a helper, the other by hand.
func (p *pool) mixedBad(k string) {
	p.mu.Lock()
	_, ok := p.m[k]
	p.mu.Unlock()
	if !ok {
		p.Set(k, &conn{}) // want `split-lock: .*p\.m`
	}
}

// A channel carries the check's result: values are not followed through it.
// It would take slices that go from a send to the receive from the same
// channel, in the theory of dependence.
func (p *pool) FN_byChannelBad(k string) {
	found := make(chan bool, 1)
	p.mu.Lock()
	found <- p.m[k] != nil
	p.mu.Unlock()
	if !<-found {
		p.mu.Lock()
		p.m[k] = &conn{}
		p.mu.Unlock()
	}
}

var (
	tableMu sync.Mutex
	table   = map[string]*conn{}
)

func globalBad(k string) *conn {
	tableMu.Lock()
	c := table[k]
	tableMu.Unlock()
	if c == nil {
		c = &conn{}
		tableMu.Lock()
		table[k] = c // want `split-lock: .*table`
		tableMu.Unlock()
	}
	return c
}

// A budget is what an iteration adds up: a length in the second section says
// nothing of it.
type budget struct {
	mu   sync.Mutex
	cost map[string]int
}

func (b *budget) addBad(k string, n int) bool {
	b.mu.Lock()
	sum := 0
	for _, c := range b.cost {
		sum += c
	}
	b.mu.Unlock()
	if sum > 100 {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.cost) > 10 {
		return false
	}
	b.cost[k] = n // want `split-lock: .*b\.cost`
	return true
}

func (b *budget) addOk(k string, n int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	sum := 0
	for _, c := range b.cost {
		sum += c
	}
	if sum > 100 {
		return false
	}
	b.cost[k] = n
	return true
}

func (b *budget) sizeLocked() int { return len(b.cost) }

func (b *budget) setLocked(k string, n int) { b.cost[k] = n }

func (b *budget) claimBad(k string, n int) bool {
	b.mu.Lock()
	_, ok := b.cost[k]
	b.mu.Unlock()
	if ok {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.sizeLocked() > 10 {
		return false
	}
	b.setLocked(k, n) // want `split-lock: .*b\.cost`
	return true
}

// An object that was looked up is put under another key, though it may have been
// replaced since.
func (p *pool) renameBad(from, to string) bool {
	p.mu.Lock()
	c := p.m[from]
	p.mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, ok := p.m[from]; !ok {
		return false
	}
	p.m[to] = c // want `split-lock: .*p\.m`
	return true
}

// What was taken out is the function's own, under whichever key it comes back.

func (p *pool) pop(k string) *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.m[k]
	delete(p.m, k)
	return c
}

func (p *pool) push(k string, c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.m[k] = c
}

func (p *pool) rehangOk(from, to string) {
	if c := p.pop(from); c != nil {
		p.push(to, c)
	}
}

// Presence alone decides, and nothing takes entries out: to replace one in
// between is as good as to replace it before the look.
type marks struct {
	mu sync.Mutex
	on map[string]int
}

func (m *marks) set(k string, n int) {
	m.mu.Lock()
	m.on[k] = n
	m.mu.Unlock()
}

func (m *marks) replaceOk(k string, n int) bool {
	m.mu.Lock()
	_, ok := m.on[k]
	m.mu.Unlock()
	if !ok {
		return false
	}
	m.mu.Lock()
	m.on[k] = n
	m.mu.Unlock()
	return true
}

// As marks, but entries go.
type shortMarks struct {
	mu sync.Mutex
	on map[string]int
}

func (m *shortMarks) drop(k string) {
	m.mu.Lock()
	delete(m.on, k)
	m.mu.Unlock()
}

func (m *shortMarks) replaceBad(k string, n int) bool {
	m.mu.Lock()
	_, ok := m.on[k]
	m.mu.Unlock()
	if !ok {
		return false
	}
	m.mu.Lock()
	m.on[k] = n // want `split-lock: .*m\.on`
	m.mu.Unlock()
	return true
}

// The value decides, too.
func (m *marks) raiseBad(k string, n int) bool {
	m.mu.Lock()
	old, ok := m.on[k]
	m.mu.Unlock()
	if !ok || old > n {
		return false
	}
	m.mu.Lock()
	m.on[k] = n // want `split-lock: .*m\.on`
	m.mu.Unlock()
	return true
}
