package callerlocks

import "sync"

// A helper is called for an object that is a package-level variable, under the lock that
// the caller names by the variable, and for others by their own methods.

type levels struct {
	mu    sync.Mutex
	bySrc map[string]int
}

var stdLevels levels

func (l *levels) setOk(src string) int {
	l.bySrc[src] = 1
	return 1
}

func (l *levels) resetOk() { l.bySrc = make(map[string]int) }

// ResetOk takes the lock by the receiver's name.
func (l *levels) ResetOk() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.resetOk()
}

// LevelOk takes it by the variable's.
func LevelOk(src string) int {
	stdLevels.mu.Lock()
	defer stdLevels.mu.Unlock()
	n, ok := stdLevels.bySrc[src]
	if !ok {
		n = stdLevels.setOk(src)
	}
	return n
}

// Another variable's lock is another lock.

type gauges struct {
	mu     sync.Mutex
	byName map[string]int
}

var stdGauges, oldGauges gauges

func (g *gauges) setBad(name string) {
	g.byName[name] = 1 // want `without mu`
}

// SetOk takes the lock.
func (g *gauges) SetOk(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.byName[name]++
}

// GetOk takes the lock.
func (g *gauges) GetOk(name string) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.byName[name]
}

// StdOk is right.
func StdOk() {
	stdGauges.mu.Lock()
	defer stdGauges.mu.Unlock()
	stdGauges.setBad("std")
}

// Old takes the other one's lock.
func Old() {
	stdGauges.mu.Lock()
	defer stdGauges.mu.Unlock()
	oldGauges.setBad("old")
}

// A look and an act of an exported method, which the package calls under the lock.

type tally struct {
	sync.Mutex
	byName map[string]*int
}

// CountOk leaves the lock to its callers, as far as the package shows them.
func (t *tally) CountOk(name string) bool {
	if _, ok := t.byName[name]; ok {
		return false
	}
	t.byName[name] = new(int)
	return true
}

// BeatOk holds it, around a literal.
func (t *tally) BeatOk(name string) bool {
	t.Lock()
	defer t.Unlock()
	done := func() bool { return t.CountOk(name) }()
	return done && len(t.byName) > 1
}

// SizeOk holds it.
func (t *tally) SizeOk() int {
	t.Lock()
	defer t.Unlock()
	return len(t.byName)
}

// DropOk holds it.
func (t *tally) DropOk(name string) {
	t.Lock()
	defer t.Unlock()
	delete(t.byName, name)
}
