// Package copyonwrite pins that maps which are replaced and never changed
// once published are quiet.
package copyonwrite

import (
	"maps"
	"sync"
	"sync/atomic"
)

type conn struct{ id int }

type snapshot struct {
	mu sync.Mutex
	p  atomic.Pointer[map[string]*conn]
}

func (s *snapshot) readOk(k string) *conn { return (*s.p.Load())[k] }

func (s *snapshot) writeOk(k string, c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := *s.p.Load()
	next := make(map[string]*conn, len(old)+1)
	maps.Copy(next, old)
	next[k] = c
	s.p.Store(&next)
}

func (s *snapshot) cloneOk(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := maps.Clone(*s.p.Load())
	delete(next, k)
	s.p.Store(&next)
}

func (s *snapshot) compareAndSwapOk(k string, c *conn) {
	for {
		old := s.p.Load()
		next := maps.Clone(*old)
		if next[k] != nil {
			return
		}
		next[k] = c
		if s.p.CompareAndSwap(old, &next) {
			return
		}
	}
}

// The snapshot itself is changed, without a lock.
// It would take a place for what an atomic pointer holds, that its Load and
// Store name.
func (s *snapshot) FN_changedInPlaceBad(k string) {
	m := *s.p.Load() // the result of a library call is no location
	if m[k] == nil {
		m[k] = &conn{}
	}
}

// Load, copy, store without a lock loses another writer's entry.
// It would take the same, and pairs of such a Load and Store.
func (s *snapshot) FN_lostSnapshotBad(k string, c *conn) {
	next := maps.Clone(*s.p.Load()) // atomic.Pointer has no rows in the table
	next[k] = c
	s.p.Store(&next)
}

type byValue struct{ v atomic.Value }

func (b *byValue) readOk(k string) *conn {
	m, _ := b.v.Load().(map[string]*conn)
	return m[k]
}

func (b *byValue) replaceOk(m map[string]*conn) { b.v.Store(maps.Clone(m)) }

// A map that is replaced as a whole under the lock, and read after it is
// fetched under the lock.
type replaced struct {
	mu sync.RWMutex
	m  map[string]*conn // guarded by mu
}

func (r *replaced) current() map[string]*conn {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.m
}

// A map that is only replaced is a snapshot, which reading does not harm.
func (r *replaced) readFetchedOk(k string) *conn { return r.current()[k] }

func (r *replaced) replaceOk(m map[string]*conn) {
	r.mu.Lock()
	r.m = m
	r.mu.Unlock()
}

func (r *replaced) addOk(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := maps.Clone(r.m)
	next[k] = &conn{}
	r.m = next
}

func (r *replaced) lostReplacementBad(k string) {
	next := maps.Clone(r.current())
	next[k] = &conn{}
	r.mu.Lock()
	r.m = next // want `split-lock: .*r\.m`
	r.mu.Unlock()
}

// The look stands two calls below, in a snapshot all the same; what is added is put into
// a copy of the newest one.
func (r *replaced) seeOk(k string) (*conn, bool) {
	c, found := r.current()[k]
	return c, found
}

func (r *replaced) restartOk(k string) {
	if c, found := r.seeOk(k); found {
		println(c.id)
		r.addOk(k)
	}
}

// Here the helper reads the map without the lock.
type bareHelper struct {
	mu sync.Mutex
	m  map[string]*conn
}

func (b *bareHelper) peekBad(k string) (*conn, bool) {
	c, found := b.m[k] // want `unguarded-access: b.m is read without mu`
	return c, found
}

func (b *bareHelper) addOk(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	next := maps.Clone(b.m)
	next[k] = &conn{}
	b.m = next
}

// The look in peekBad is the cause of this, too.
func (b *bareHelper) restart(k string) {
	if c, found := b.peekBad(k); found {
		println(c.id)
		b.addOk(k)
	}
}

// Read-only after publication.
type config struct{ values map[string]string }

func load() *config {
	c := &config{values: make(map[string]string)}
	for _, k := range []string{"a", "b"} {
		if c.values[k] == "" {
			c.values[k] = k
		}
	}
	return c
}

func (c *config) getOk(k string) string { return c.values[k] }

func useConfigOk() {
	c := load()
	for range 3 {
		go func() { println(c.getOk("a")) }()
	}
}

// A function that runs another one under the lock gives a snapshot, too.
type byRunner struct {
	mu    sync.Mutex
	names map[string]string
	seen  map[string]int
}

var runner = &byRunner{names: map[string]string{}, seen: map[string]int{}}

func (b *byRunner) locked(f func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f()
}

func (b *byRunner) nameOk(k string) string {
	var names map[string]string
	b.locked(func() { names = b.names })
	return names[k]
}

func (b *byRunner) renameOk(names map[string]string) {
	b.locked(func() { b.names = maps.Clone(names) })
}

func (b *byRunner) lenOk() (n int) {
	b.locked(func() {
		for range b.names {
			n++
		}
		n += len(b.names)
	})
	return n
}

// What is changed in place is no snapshot.
func (b *byRunner) seenBad(k string) int {
	var seen map[string]int
	b.locked(func() { seen = b.seen })
	return seen[k] // want `b.seen is read without mu`
}

func (b *byRunner) seeOk(k string) {
	b.locked(func() { b.seen[k]++ })
}

func (b *byRunner) dropOk(k string) {
	b.locked(func() { delete(b.seen, k) })
}

func useRunner() {
	for range 3 {
		go runner.nameOk("a")
		go runner.renameOk(map[string]string{})
		go runner.lenOk()
		go runner.seenBad("a")
		go runner.seeOk("a")
		go runner.dropOk("a")
	}
}

// A map that is filled in the section that makes it is complete for those who get it.
type processes struct {
	mu   sync.Mutex
	byID map[string]*process
	age  int
}

type process struct{ children []string }

func (p *processes) lookupOk(now int, all []string) map[string]*process {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byID == nil {
		p.byID = make(map[string]*process)
	}
	if now < p.age+10 {
		return p.byID
	}
	p.byID = make(map[string]*process)
	p.age = now
	for _, id := range all {
		p.byID[id] = &process{children: all}
	}
	return p.byID
}

func (p *processes) getOk(id string) (*process, bool) {
	found, ok := p.lookupOk(1, []string{"a"})[id]
	return found, ok
}

func (p *processes) childrenOk(id string) (out []*process) {
	found, ok := p.getOk(id)
	if !ok {
		return nil
	}
	for _, c := range found.children {
		if child, ok := p.getOk(c); ok {
			out = append(out, child)
		}
	}
	return out
}

// What is changed later is not.
type later struct {
	mu   sync.Mutex
	byID map[string]int
}

func (l *later) lookup() map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byID == nil {
		l.byID = make(map[string]int)
	}
	return l.byID
}

func (l *later) addOk(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.byID[id] = len(id)
}

func (l *later) getBad(id string) bool {
	_, ok := l.lookup()[id] // want `l\.byID is read`
	return ok
}

func useProcesses() {
	p, l := &processes{}, &later{}
	for range 3 {
		go p.childrenOk("a")
		go l.getBad("a")
		go l.addOk("a")
	}
}
