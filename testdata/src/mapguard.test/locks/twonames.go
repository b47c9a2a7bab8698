package locks

import "sync"

// An interface of a server gets the server's mutex: some callers lock it by its
// one name, some by the other.

type portal struct {
	leasesMu *sync.Mutex
	index    *leases
	doors    []*door
}

type leases struct{ n int }

type door struct {
	// indexMu protects the leases.
	indexMu *sync.Mutex
	index   *leases
	leases  map[string]*conn
}

func newPortal() *portal {
	return &portal{leasesMu: &sync.Mutex{}, index: &leases{}}
}

func (p *portal) addDoor() {
	p.leasesMu.Lock()
	defer p.leasesMu.Unlock()
	p.doors = append(p.doors, &door{indexMu: p.leasesMu, index: p.index, leases: make(map[string]*conn)})
}

// d.indexMu must be locked.
func (d *door) drop(k string) { delete(d.leases, k) }

func (l *leases) remove(k string, d *door) {
	l.n--
	d.drop(k)
}

func (p *portal) RemoveOk(k string, i int) {
	p.leasesMu.Lock()
	defer p.leasesMu.Unlock()
	p.index.remove(k, p.doors[i])
}

func (d *door) HandleOk(k string) {
	d.indexMu.Lock()
	defer d.indexMu.Unlock()
	if d.leases[k] != nil {
		d.index.remove(k, d)
	}
}

func (d *door) HandleBad(k string) {
	d.drop(k) // want `unguarded-access: .*needs indexMu`
}
