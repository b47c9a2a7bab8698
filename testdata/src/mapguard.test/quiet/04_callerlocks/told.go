package callerlocks

import "sync"

// A stored function calls a helper's caller, and nothing tells under which lock. The
// others hold it, so that it is usual, and what they all call is quiet; the stored one is
// low.

type diary struct {
	mu     sync.Mutex
	agenda *agenda
}

type agenda struct {
	items map[string]int
	hooks []func()
}

func (a *agenda) openOk() { a.hooks = append(a.hooks, func() { a.movedOk() }) }

func (a *agenda) movedOk() { a.tickOk() }

func (a *agenda) tickOk() { a.nextOk() }

func (a *agenda) nextOk() int { return a.items["next"] }

func (d *diary) AddOk(k string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.agenda.items[k]++
	d.agenda.tickOk()
}

func (d *diary) DropOk(k string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.agenda.items, k)
	d.agenda.tickOk()
}

func (d *diary) NextOk() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.agenda.openOk()
	return d.agenda.nextOk()
}

func (a *agenda) peekBad() int { return a.items["next"] } // want `unguarded-access: .*a\.items`

func (d *diary) Peek() int { return d.agenda.peekBad() }

// A lock that is known by its field alone, in a wrapper, is the map's, too, where the
// wrapper stands beside the map.

type gate struct {
	in sync.Mutex
	n  int
	of []func()
}

func (g *gate) Lock() {
	g.in.Lock()
	g.n++
}

func (g *gate) Unlock() {
	for _, f := range g.of {
		f()
	}
	g.in.Unlock()
}

type hall struct {
	mu    gate
	names map[string]bool
	last  *visit
}

type visit struct{ h *hall }

func (h *hall) hasBad(k string) bool { return h.names[k] } // want `unguarded-access: .*h\.names`

func (h *hall) Has(k string) bool { return h.hasBad(k) }

func (v *visit) enterOk(k string) { v.h.names[k] = true }

func (h *hall) AgainOk(k string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last.enterOk(k)
}

func (v *visit) EnterOk(k string) {
	v.h.mu.Lock()
	defer v.h.mu.Unlock()
	v.enterOk(k)
}
