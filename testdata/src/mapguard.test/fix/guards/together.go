package guards

import "sync"

// Two functions lack the lock, and one calls the other: both fixes are made at once.
type gauge struct {
	mu    sync.Mutex
	asked map[string]int // guarded by mu
	sizes map[string]int // guarded by mu
}

func (g *gauge) counts(name string) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.asked[name] + g.sizes[name]
}

func (g *gauge) drop(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.asked, name)
	delete(g.sizes, name)
}

func (g *gauge) widthBad(name string) int {
	g.asked[name]++ // want `check-then-act: .*both without a lock.*`
	return len(name)
}

// The call moves in front of the section, since its callee gets one.
func (g *gauge) setBad(name string) {
	g.sizes[name] = g.widthBad(name) // want `unguarded-access: .*without mu.*`
}
