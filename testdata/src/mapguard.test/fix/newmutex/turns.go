package newmutex

import "sync"

// A dial is turned by one at a time, which is not what keeps the maps: most of those that use them do not wait for it.
type dial struct{ turning sync.Mutex }

// Gauges are safe for concurrent use.
type Gauges struct {
	readings map[string]int
	limits   map[string]int
	dial     *dial
}

// set has its turn.
func (g *Gauges) set(name string, n int) {
	g.dial.turning.Lock()
	defer g.dial.turning.Unlock()
	g.readings[name] = n
	g.limits[name] = 2 * n
}

// DropBad does not.
func (g *Gauges) DropBad(name string) {
	delete(g.readings, name) // want `unguarded-access: .*`
	delete(g.limits, name)   // want `unguarded-access: .*`
}

// ReadBad does not.
func (g *Gauges) ReadBad(name string) (int, int) {
	n := g.readings[name]    // want `unguarded-access: .*`
	return n, g.limits[name] // want `unguarded-access: .*`
}
