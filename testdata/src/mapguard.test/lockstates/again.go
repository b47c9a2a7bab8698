package lockstates

import "sync"

// A moorage is given with its lock held; one that is out of use by then is looked for once more, by the same function.
type moorage struct {
	mu    sync.Mutex
	boats map[string]int
}

type marina struct {
	mu       sync.Mutex
	moorages map[string]*moorage
}

func (m *marina) find(name string) (*moorage, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	b, ok := m.moorages[name]
	if !ok {
		b = &moorage{boats: make(map[string]int)}
		m.moorages[name] = b
	}
	return b, ok
}

func (m *marina) lockedOk(name string) (*moorage, bool) {
	b, found := m.find(name)
	b.mu.Lock()
	if b.boats == nil {
		b.mu.Unlock()
		return m.lockedOk(name)
	}
	return b, found
}

func (m *marina) MoorOk(name, boat string) {
	b, found := m.lockedOk(name)
	defer b.mu.Unlock()
	if !found || len(boat) > 3 && len(name) > 3 {
		boat += name
	}
	b.boats[boat] = 1
}

func (b *moorage) Boats() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.boats)
}

func (b *moorage) Leave(boat string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.boats, boat)
}

func (b *moorage) Shut() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.boats = nil
}

func (b *moorage) Has(boat string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.boats[boat] > 0
}

// Two functions that call each other do that, too: what comes back comes from the ways that end it.
func (m *marina) openOk(name string, tries int) *moorage {
	b, _ := m.find(name)
	b.mu.Lock()
	if b.boats != nil {
		return b
	}
	b.mu.Unlock()
	return m.reopenOk(name, tries)
}

func (m *marina) reopenOk(name string, tries int) *moorage {
	m.mu.Lock()
	delete(m.moorages, name)
	m.mu.Unlock()
	b := m.openOk(name, tries+1)
	if tries > 3 {
		b.boats["late"] = tries
	}
	return b
}

func (m *marina) ReserveOk(name, boat string) {
	b := m.openOk(name, 0)
	b.boats[boat] = 2
	b.mu.Unlock()
}

// A pier gives up after some tries, and gives the object without its lock.
type pier struct {
	mu    sync.Mutex
	boats map[string]int
}

type docks struct {
	mu    sync.Mutex
	piers map[string]*pier
}

func (d *docks) find(name string) *pier {
	d.mu.Lock()
	defer d.mu.Unlock()
	p := d.piers[name]
	if p == nil {
		p = &pier{boats: make(map[string]int)}
		d.piers[name] = p
	}
	return p
}

func (d *docks) locked(name string, tries int) *pier {
	p := d.find(name)
	if tries > 3 {
		return p
	}
	p.mu.Lock()
	if p.boats == nil {
		p.mu.Unlock()
		return d.locked(name, tries+1)
	}
	return p
}

func (d *docks) MoorBad(name, boat string) {
	p := d.locked(name, 0)
	p.boats[boat] = 1 // want `unguarded-access: locked\(\)\.boats is written.*, low`
	p.mu.Unlock()
}

// The lock is let go before the function calls itself, and by the way that ends it.
func (d *docks) unlocked(name string) *pier {
	p := d.find(name)
	p.mu.Lock()
	if p.boats == nil {
		p.mu.Unlock()
		return d.unlocked(name)
	}
	p.mu.Unlock()
	return p
}

func (d *docks) TieBad(name, boat string) {
	p := d.unlocked(name)
	p.boats[boat] = 2 // want `unguarded-access: unlocked\(\)\.boats is written.*, low`
}

func (p *pier) Boats() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.boats)
}

func (p *pier) Leave(boat string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.boats, boat)
}

func (p *pier) Shut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.boats = nil
}

func (p *pier) Has(boat string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.boats[boat] > 0
}

func (p *pier) Add(boat string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.boats[boat] = 3
}
