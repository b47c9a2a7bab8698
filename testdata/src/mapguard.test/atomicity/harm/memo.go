package harm

import (
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// What is taken out of a memo too early is computed again at the next look.

type aged struct {
	text string
	at   time.Time
}

type aging struct {
	mu    sync.Mutex
	texts map[string]aged
	given map[string]aged
	first map[string]time.Time
	calls map[string]*calls
}

func (a *aging) upperOk(k string) string {
	a.mu.Lock()
	e, ok := a.texts[k]
	a.mu.Unlock()
	if ok && time.Since(e.at) < time.Minute {
		return e.text
	}
	if ok {
		a.mu.Lock()
		delete(a.texts, k)
		a.mu.Unlock()
	}
	s := strings.ToUpper(k)
	a.mu.Lock()
	a.texts[k] = aged{s, time.Now()}
	a.mu.Unlock()
	return s
}

// One of those who put something in has it from its callers: it is gone for good.
func (a *aging) givenBad(k string) string {
	a.mu.Lock()
	e, ok := a.given[k]
	a.mu.Unlock()
	if ok && time.Since(e.at) < time.Minute {
		return e.text
	}
	if ok {
		a.mu.Lock()
		delete(a.given, k) // want `split-lock: .*, low`
		a.mu.Unlock()
	}
	s := strings.ToUpper(k)
	a.mu.Lock()
	a.given[k] = aged{s, time.Now()}
	a.mu.Unlock()
	return s
}

func (a *aging) put(k, s string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.given[k] = aged{s, time.Now()}
}

// The time at which a key was first seen is another one when it is seen again.
func (a *aging) seenFirst(k string) time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	t, ok := a.first[k]
	if ok {
		return t
	}
	t = time.Now()
	a.first[k] = t
	return t
}

func (a *aging) forgetBad(k string) {
	a.mu.Lock()
	t := a.first[k]
	a.mu.Unlock()
	if time.Since(t) > time.Minute {
		a.mu.Lock()
		delete(a.first, k) // want `split-lock: .*, low`
		a.mu.Unlock()
	}
}

// What callers get of the entry changes: how often it was asked for is lost.
type calls struct {
	n    int
	last time.Time
}

func (a *aging) count(k string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	c, ok := a.calls[k]
	if ok {
		c.n++
		return c.n
	}
	n := len(k)
	a.calls[k] = &calls{n: n, last: time.Now()}
	return n
}

func (a *aging) dropBad(k string) {
	a.mu.Lock()
	c := a.calls[k]
	a.mu.Unlock()
	if c != nil && time.Since(c.last) > time.Minute {
		a.mu.Lock()
		delete(a.calls, k) // want `split-lock: .*, low`
		a.mu.Unlock()
	}
}

// An object that stays in the map, with the time of its last use beside the answer.
type answer struct {
	used atomic.Int64
	yes  bool
}

type tester struct {
	mu    sync.Mutex
	m     map[string]*answer
	match func(string) bool
}

func (m *tester) matchesOk(s string, now int64) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if a := m.m[s]; a != nil {
		a.used.Store(now)
		return a.yes
	}
	yes := m.match(s)
	a := &answer{yes: yes}
	a.used.Store(now)
	m.m[s] = a
	return yes
}

func (m *tester) dropOk(s string, before int64) {
	m.mu.Lock()
	a := m.m[s]
	m.mu.Unlock()
	if a != nil && a.used.Load() < before {
		m.mu.Lock()
		delete(m.m, s)
		m.mu.Unlock()
	}
}

// Which of two values is the newer one, they say themselves.
type versions struct {
	mu sync.Mutex
	m  map[string]version
}

type version struct{ n, size int }

func (v *versions) newerBad(k string, n int) {
	v.mu.Lock()
	old := v.m[k]
	v.mu.Unlock()
	if n <= old.n {
		return
	}
	v.mu.Lock()
	v.m[k] = version{n, len(k)} // want `split-lock: .*medium`
	v.mu.Unlock()
}

// A gate remembers which passes it has let through: who finds none is told what is put in.
type gate struct{ passed sync.Map }

func (g *gate) LetsOk(pass string, check func(string) error) bool {
	if v, ok := g.passed.Load(pass); ok {
		return v.(bool)
	}
	if err := check(pass); err != nil {
		g.passed.Store(pass, false)
		return false
	}
	g.passed.Store(pass, true)
	return true
}

// LetsOnceBad tells the one who finds none something else than those who come later.
func (g *gate) LetsOnceBad(pass string, check func(string) error) bool {
	if _, ok := g.passed.Load(pass); ok {
		return false
	}
	if err := check(pass); err != nil {
		return false
	}
	g.passed.Store(pass, true) // want `sync-map`
	return true
}
