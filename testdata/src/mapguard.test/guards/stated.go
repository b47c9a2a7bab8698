// Package guards pins where a guard is known from: declarations, the prose on
// the lock, names, position and use.
package guards

import "sync"

type guardedBy struct {
	mu sync.Mutex
	m  map[string]int // guarded by mu
}

func (g *guardedBy) guardedByOk(k string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.m[k] = 1
}

func (g *guardedBy) guardedByBad(k string) {
	g.m[k] = 1 // want `unguarded-access: g\.m .* without mu.*declared`
}

type protectedBy struct {
	mu sync.Mutex
	// m is protected by mu.
	m map[string]int
}

func (g *protectedBy) protectedByOk(k string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.m[k] = 1
}

func (g *protectedBy) protectedByBad(k string) int {
	return g.m[k] // want `unguarded-access: g\.m .* without mu`
}

type checklocks struct {
	mu sync.Mutex
	// +checklocks:mu
	m map[string]int
}

func (g *checklocks) checklocksOk(k string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.m[k] = 1
}

func (g *checklocks) checklocksBad(k string) {
	g.m[k] = 1 // want `unguarded-access: g\.m .* without mu`
}

type macro struct {
	mu sync.RWMutex
	m  map[string]int // GUARDED_BY(mu)
}

func (g *macro) macroOk(k string) int {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.m[k]
}

func (g *macro) macroBad(k string) {
	delete(g.m, k) // want `unguarded-access: g\.m .* without mu`
}

type directive struct {
	mu sync.Mutex
	//mapguard:guardedby mu
	m map[string]int
}

func (g *directive) directiveOk(k string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.m[k] = 1
}

func (g *directive) directiveBad(k string) {
	g.m[k] = 1 // want `unguarded-access: g\.m .* without mu`
}

// The declaration names one of two locks; the other one does not help.
type oneOfTwo struct {
	mu    sync.Mutex
	other sync.Mutex
	m     map[string]int // guarded by mu
}

func (g *oneOfTwo) oneOfTwoOk(k string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.m[k] = 1
}

func (g *oneOfTwo) oneOfTwoBad(k string) {
	g.other.Lock()
	defer g.other.Unlock()
	g.m[k] = 1 // want `unguarded-access: g\.m .* without mu`
}

type protects struct {
	// mu protects m and n.
	mu sync.Mutex
	n  int
	m  map[string]int
}

func (g *protects) protectsOk(k string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.m[k] = 1
}

func (g *protects) protectsBad(k string) {
	g.m[k] = 1 // want `unguarded-access: g\.m .* without mu.*comment says that mu`
}

type guardsFollowing struct {
	name string

	mu sync.Mutex // guards the following fields
	a  map[string]int
	b  map[string]int

	free map[string]int
}

func (g *guardsFollowing) followingOk(k string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.a[k], g.b[k] = 1, 2
}

func (g *guardsFollowing) followingBad(k string) {
	g.b[k] = 1 // want `unguarded-access: g\.b .* without mu`
}

// The field behind the blank line is not meant.
func (g *guardsFollowing) behindTheBlankLineOk(k string) {
	g.free[k] = 1
}

type lockFor struct {
	mu    sync.Mutex // for items
	items map[string]int
}

func (g *lockFor) forOk(k string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.items[k] = 1
}

func (g *lockFor) forBad(k string) {
	g.items[k] = 1 // want `unguarded-access: g\.items .* without mu`
}

// Prose that speaks of something else makes no guard.
type unrelated struct {
	mu   sync.Mutex // serializes writes to the log
	seen map[string]int
}

func (g *unrelated) unrelatedProseOk(k string) {
	g.seen[k] = 1
}

// The globals' guard is declared with them.
var (
	// registryLock protects registry.
	registryLock sync.Mutex
	registry     = map[string]int{}
)

func globalProseOk(k string) {
	registryLock.Lock()
	defer registryLock.Unlock()
	registry[k] = 1
}

func globalProseBad(k string) {
	registry[k] = 1 // want `unguarded-access: registry .* without registryLock`
}

// A field is guarded by a package-level lock.
type underGlobal struct {
	m map[string]int // guarded by registryLock
}

func (g *underGlobal) globalLockOk(k string) {
	registryLock.Lock()
	defer registryLock.Unlock()
	g.m[k] = 1
}

func (g *underGlobal) globalLockBad(k string) {
	g.m[k] = 1 // want `unguarded-access: g\.m .* without registryLock`
}

// A child is guarded by its parent's lock.
type parent struct {
	mu       sync.Mutex
	children map[string]*child // guarded by mu
}

type child struct {
	parent *parent
	m      map[string]int // guarded by parent.mu
}

func (c *child) parentsLockOk(k string) {
	c.parent.mu.Lock()
	defer c.parent.mu.Unlock()
	c.m[k] = 1
}

func (c *child) parentsLockBad(k string) {
	c.m[k] = 1 // want `unguarded-access: c\.m .* without mu`
}

func (p *parent) childUnderParentOk(name, k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.children[name].m[k] = 1
}
