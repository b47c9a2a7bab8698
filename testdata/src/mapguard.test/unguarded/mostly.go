package unguarded

import "sync"

// Most functions come to this map without the lock: whatever it was there for, it does not
// tell that these forget it.
type atlas struct {
	pagesMu sync.Mutex
	pages   map[string]int
}

func (a *atlas) bind(k string) {
	a.pagesMu.Lock()
	defer a.pagesMu.Unlock()
	a.pages[k]++
}

func (a *atlas) firstOk() int { return a.pages["first"] }

func (a *atlas) pageOk(k string) int { return a.pages[k] }

func (a *atlas) tearOk(k string) { delete(a.pages, k) }

// Of this one most hold it; one that looks twice is still one.
type globe struct {
	landsMu sync.Mutex
	lands   map[string]int
}

func (g *globe) draw(k string) {
	g.landsMu.Lock()
	defer g.landsMu.Unlock()
	g.lands[k]++
}

func (g *globe) wipe(k string) {
	g.landsMu.Lock()
	defer g.landsMu.Unlock()
	delete(g.lands, k)
}

func (g *globe) landBad(k, other string) int {
	return g.lands[k] + g.lands[other] + g.lands[""] // want `unguarded-access: g\.lands .* without landsMu`
}

// An annotation says it, whatever the use.
type chart struct {
	mu   sync.Mutex
	seas map[string]int // guarded by mu
}

func (c *chart) draw(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seas[k]++
}

func (c *chart) firstBad() int { return c.seas["first"] } // want `unguarded-access: c\.seas`

func (c *chart) seaBad(k string) int { return c.seas[k] } // want `unguarded-access: c\.seas`

func (c *chart) dryBad(k string) { delete(c.seas, k) } // want `unguarded-access: c\.seas`
