// Package checkthenact pins the rule of that name: which reads are checks,
// which changes are acts, and when the one depends on the other.
package checkthenact

import (
	"maps"
	"sync"
)

type conn struct {
	id   int
	done chan struct{}
}

type pool struct {
	mu sync.Mutex
	m  map[string]*conn // guarded by mu
	n  map[string]int   // guarded by mu
}

// Checks.

func (p *pool) commaOkBad(k string) {
	if _, ok := p.m[k]; !ok { // want `check-then-act: .*p\.m.*read here, then written at line \d+, both without a lock`
		p.m[k] = &conn{}
	}
}

func (p *pool) nilEntryBad(k string) {
	if p.m[k] == nil { // want `check-then-act: .*p\.m`
		p.m[k] = &conn{}
	}
}

func (p *pool) lenBad(k string) {
	if len(p.m) < 10 { // want `check-then-act: .*p\.m.*measured with len`
		p.m[k] = &conn{}
	}
}

func (p *pool) rangeBad() {
	for k, c := range p.m { // want `check-then-act: .*p\.m.*ranged over`
		if c.id == 0 {
			delete(p.m, k)
		}
	}
}

func (p *pool) nilMapBad() {
	if p.m == nil { // want `check-then-act: .*p\.m.*compared with nil`
		p.m = make(map[string]*conn)
	}
}

func (p *pool) lazyThenInsertBad(k string) {
	if p.m == nil { // want `check-then-act: .*p\.m`
		p.m = make(map[string]*conn)
	}
	p.m[k] = &conn{}
}

func (p *pool) checkUnlockedActLockedBad(k string) {
	if p.m[k] == nil { // want `check-then-act: .*p\.m.*without a lock, then written at line \d+ under p\.mu`
		p.mu.Lock()
		p.m[k] = &conn{}
		p.mu.Unlock()
	}
}

func (p *pool) checkLockedActUnlockedBad(k string) {
	p.mu.Lock()
	_, ok := p.m[k] // want `check-then-act: .*p\.m.*under p\.mu, then written at line \d+ without a lock`
	p.mu.Unlock()
	if !ok {
		p.m[k] = &conn{}
	}
}

// Acts.

func (p *pool) overwriteBad(k string) {
	if c := p.m[k]; c != nil && c.id == 1 { // want `check-then-act: .*p\.m`
		p.m[k] = &conn{id: 2}
	}
}

func (p *pool) deleteExpiredBad(k string) {
	if c, ok := p.m[k]; ok && c.id > 3 { // want `check-then-act: .*p\.m.*deleted`
		delete(p.m, k)
	}
}

func (p *pool) clearBad() {
	if len(p.m) > 100 { // want `check-then-act: .*p\.m`
		clear(p.m)
	}
}

func (p *pool) assignBad() {
	if len(p.m) > 100 { // want `check-then-act: .*p\.m.*assigned`
		p.m = make(map[string]*conn)
	}
}

func (p *pool) copyBad(src map[string]*conn) {
	if len(p.m) == 0 { // want `check-then-act: .*p\.m`
		maps.Copy(p.m, src)
	}
}

func (p *pool) deleteFuncBad() {
	if len(p.m) > 100 { // want `check-then-act: .*p\.m`
		maps.DeleteFunc(p.m, func(k string, c *conn) bool { return c.id == 0 })
	}
}

func (p *pool) incrementBad(k string) {
	p.n[k]++ // want `check-then-act: .*p\.n`
}

func (p *pool) opAssignBad(k string, d int) {
	p.n[k] += d // want `check-then-act: .*p\.n`
}

type lists struct {
	mu sync.Mutex
	m  map[string][]int // guarded by mu
}

func (l *lists) appendBad(k string, v int) {
	l.m[k] = append(l.m[k], v) // want `check-then-act: .*l\.m`
}

func (l *lists) appendOk(k string, v int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.m[k] = append(l.m[k], v)
}

// Dependence.

func (p *pool) byDataBad(k string) {
	n := p.n[k] // want `check-then-act: .*p\.n`
	p.mu.Lock()
	p.n[k] = n + 1
	p.mu.Unlock()
}

func (p *pool) byKeyBad() {
	id := len(p.n) // want `check-then-act: .*p\.n`
	p.n[string(rune(id))] = 1
}

func (p *pool) byEarlyReturnBad(k string) *conn {
	if c, ok := p.m[k]; ok { // want `check-then-act: .*p\.m`
		return c
	}
	c := &conn{}
	p.m[k] = c
	return c
}

func (p *pool) bySwitchBad(k string) {
	switch c := p.m[k]; { // want `check-then-act: .*p\.m`
	case c == nil:
		p.m[k] = &conn{}
	case c.id > 3:
		delete(p.m, k)
	}
}

func (p *pool) byVariableBad(k string) {
	missing := false
	if _, ok := p.m[k]; !ok { // want `check-then-act: .*p\.m`
		missing = true
	}
	if missing {
		p.m[k] = &conn{}
	}
}

func (p *pool) byLoopBad(keys []string) {
	for _, k := range keys {
		if p.m[k] != nil { // want `check-then-act: .*p\.m`
			continue
		}
		p.m[k] = &conn{}
	}
}

func (p *pool) byStructBad(k string) {
	s := struct{ found bool }{p.m[k] != nil} // want `check-then-act: .*p\.m`
	if !s.found {
		p.m[k] = &conn{}
	}
}

func (p *pool) noDependenceBad(k string) {
	println(len(p.m))  // related to the finding below
	p.m["x"] = &conn{} // want `unguarded-access: .*p\.m is written without mu`
}

// One finding for a location, function and category; the rest are related.
func (p *pool) severalActsBad(k string) {
	if p.m[k] == nil { // want `check-then-act: .*p\.m`
		p.m[k] = &conn{}
	}
	if p.m["b"] == nil {
		p.m["b"] = &conn{}
	}
	delete(p.m, "c")
}

func (p *pool) allUnderLockOk(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.commaOkUnderLockOk(k)
	p.n[k]++
	if len(p.m) > 10 {
		clear(p.m)
	}
	if p.m == nil {
		p.m = make(map[string]*conn)
	}
	for k, c := range p.m {
		if c == nil {
			delete(p.m, k)
		}
	}
	maps.DeleteFunc(p.m, func(k string, c *conn) bool { return c.id == 0 })
}

func (p *pool) commaOkUnderLockOk(k string) {
	if _, ok := p.m[k]; !ok {
		p.m[k] = &conn{}
	}
}
