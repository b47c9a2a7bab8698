package locks

import "sync"

// An interface of a server gets the server's mutex: some callers lock it by its
// one name, some by the other.

type portal struct {
	leasesMu *sync.Mutex
	index    *ticketIndex
	doors    []*gate
}

type ticketIndex struct{ n int }

type gate struct {
	// indexMu protects tickets.
	indexMu *sync.Mutex
	index   *ticketIndex
	tickets map[string]*conn
}

func newPortal() *portal {
	return &portal{leasesMu: &sync.Mutex{}, index: &ticketIndex{}}
}

func (p *portal) addDoor() {
	p.leasesMu.Lock()
	defer p.leasesMu.Unlock()
	p.doors = append(p.doors, &gate{indexMu: p.leasesMu, index: p.index, tickets: make(map[string]*conn)})
}

// d.indexMu must be locked.
func (d *gate) drop(k string) { delete(d.tickets, k) }

func (l *ticketIndex) remove(k string, d *gate) {
	l.n--
	d.drop(k)
}

func (p *portal) RemoveOk(k string, i int) {
	p.leasesMu.Lock()
	defer p.leasesMu.Unlock()
	p.index.remove(k, p.doors[i])
}

func (d *gate) HandleOk(k string) {
	d.indexMu.Lock()
	defer d.indexMu.Unlock()
	if d.tickets[k] != nil {
		d.index.remove(k, d)
	}
}

func (d *gate) HandleBad(k string) {
	d.drop(k) // want `unguarded-access: .*needs indexMu`
}
