package locks

import "sync"

// Helpers that take the lock which they are passed, and none where they are passed nil: then their caller holds it.

type berth struct{ ship string }

type quay struct {
	mu     sync.Mutex
	berths map[int]*berth
}

// A call passes the lock that the helper's object has, another one holds it and passes nil.
func (q *quay) findOk(n int, l sync.Locker) *berth {
	if l != nil {
		l.Lock()
		defer l.Unlock()
	}
	return q.berths[n]
}

func (q *quay) ShipOk(n int) *berth { return q.findOk(n, &q.mu) }

func (q *quay) TryShipOk(n int) *berth {
	if b := q.findOk(n, &q.mu); b != nil {
		return b
	}
	return &berth{}
}

func (q *quay) DockOk(n int, ship string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if b := q.findOk(n, nil); b != nil {
		return
	}
	q.berths[n] = &berth{ship: ship}
}

type yard struct {
	mu     sync.RWMutex
	cranes map[string]*berth
}

// Readers pass the read lock.
func (y *yard) craneOk(name string, l sync.Locker) *berth {
	if l != nil {
		l.Lock()
		defer l.Unlock()
	}
	return y.lookOk(name)
}

func (y *yard) lookOk(name string) *berth { return y.cranes[name] }

func (y *yard) CraneOk(name string) *berth { return y.craneOk(name, y.mu.RLocker()) }

func (y *yard) FirstCraneOk() *berth { return y.craneOk("first", y.mu.RLocker()) }

func (y *yard) PutCraneOk(name string) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if y.craneOk(name, nil) == nil {
		y.cranes[name] = &berth{}
	}
}

type slip struct {
	mu    sync.Mutex
	boats map[int]*berth
}

// One call passes the lock of another object.
func (s *slip) boat(n int, l *sync.Mutex) *berth {
	if l != nil {
		l.Lock()
		defer l.Unlock()
	}
	return s.boats[n]
}

func (s *slip) BoatOk(n int) *berth { return s.boat(n, &s.mu) }

func (s *slip) OtherBoatBad(n int, other *slip) *berth {
	return s.boat(n, &other.mu) // want `unguarded-access: slip.boat needs mu for s.boats`
}

func (s *slip) MoorOk(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.boat(n, nil) == nil {
		s.boats[n] = &berth{}
	}
}

func (s *slip) LeaveOk(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.boats, n)
}

type hall struct {
	mu    sync.Mutex
	rooms map[int]*berth
}

// One call passes nil and holds nothing.
func (h *hall) room(n int, l sync.Locker) *berth {
	if l != nil {
		l.Lock()
		defer l.Unlock()
	}
	return h.rooms[n]
}

func (h *hall) RoomOk(n int) *berth { return h.room(n, &h.mu) }

func (h *hall) AddRoomOk(n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.room(n, nil) == nil {
		h.rooms[n] = &berth{}
	}
}

func (h *hall) DropRoomOk(n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.rooms, n)
}

func (h *hall) BareRoomBad(n int) *berth {
	return h.room(n, nil) // want `unguarded-access: hall.room needs mu for h.rooms`
}

type jetty struct {
	mu    sync.Mutex
	lines map[int]*berth
}

// The helper looks before it takes the lock that it is passed.
func (p *jetty) lineBad(n int, l sync.Locker) *berth {
	if b := p.lines[n]; b != nil { // want `unguarded-access: p.lines is read without mu`
		return b
	}
	if l != nil {
		l.Lock()
		defer l.Unlock()
	}
	return p.lines[n+1]
}

func (p *jetty) LineOk(n int) *berth { return p.lineBad(n, &p.mu) }

func (p *jetty) NextLineOk(n int) *berth { return p.lineBad(n+1, &p.mu) }

func (p *jetty) CastOk(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lineBad(n, nil) == nil {
		p.lines[n] = &berth{}
	}
}

func (p *jetty) UncastOk(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.lines, n)
}

type sluice struct {
	mu    sync.Mutex
	gates map[int]*berth
}

// The helper lets go between look and act.
func (k *sluice) gateBad(n int, l sync.Locker) *berth {
	l.Lock()
	g, ok := k.gates[n]
	l.Unlock()
	if ok {
		return g
	}
	g = &berth{}
	l.Lock()
	k.gates[n] = g // want `split-lock: k.gates is read at line .* and written here in two critical sections`
	l.Unlock()
	return g
}

func (k *sluice) GateOk(n int) *berth { return k.gateBad(n, &k.mu) }

func (k *sluice) ShutOk(n int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.gates, n)
}
