package rlockwrite

import "sync"

// Truth values that go together at all calls: where a room is to be opened, the floor is locked for writing.

type floor struct {
	sync.RWMutex
	rooms map[string]map[int]bool
}

func (f *floor) roomOk(name string, open bool) map[int]bool {
	seats, ok := f.rooms[name]
	if !ok {
		if !open {
			return nil
		}
		seats = make(map[int]bool)
		f.rooms[name] = seats
	}
	return seats
}

type hotel struct{ floors [4]*floor }

func (h *hotel) inOk(at int, name string, open, change bool, do func(seats map[int]bool)) {
	f := h.floors[at&3]
	if change {
		f.Lock()
		defer f.Unlock()
	} else {
		f.RLock()
		defer f.RUnlock()
	}
	if seats := f.roomOk(name, open); seats != nil {
		do(seats)
	}
}

func (h *hotel) TakeOk(at int, name string, seat int) {
	h.inOk(at, name, true, true, func(seats map[int]bool) { seats[seat] = true })
}

func (h *hotel) LeaveOk(at int, name string, seat int) {
	h.inOk(at, name, false, true, func(seats map[int]bool) { delete(seats, seat) })
}

func (h *hotel) TakenOk(at int, name string, seat int) (taken bool) {
	h.inOk(at, name, false, false, func(seats map[int]bool) { taken = seats[seat] })
	return taken
}

// One call opens a room where it only means to read.

type deck struct {
	sync.RWMutex
	cabins map[string]map[int]bool
}

func (d *deck) cabinBad(name string, open bool) map[int]bool {
	beds, ok := d.cabins[name]
	if !ok {
		if !open {
			return nil
		}
		beds = make(map[int]bool)
		d.cabins[name] = beds // want `rlock-write: d.cabins is written under the read lock`
	}
	return beds
}

type ship struct{ decks [4]*deck }

func (s *ship) in(at int, name string, open, change bool, do func(beds map[int]bool)) {
	d := s.decks[at&3]
	if change {
		d.Lock()
		defer d.Unlock()
	} else {
		d.RLock()
		defer d.RUnlock()
	}
	if beds := d.cabinBad(name, open); beds != nil {
		do(beds)
	}
}

func (s *ship) Take(at int, name string, bed int) {
	s.in(at, name, true, true, func(beds map[int]bool) { beds[bed] = true })
}

func (s *ship) Leave(at int, name string, bed int) {
	s.in(at, name, false, true, func(beds map[int]bool) { delete(beds, bed) })
}

func (s *ship) Taken(at int, name string, bed int) (taken bool) {
	s.in(at, name, true, false, func(beds map[int]bool) { taken = beds[bed] })
	return taken
}

// The function that takes the lock writes itself; the values come through another one.

type tariff struct {
	mu     sync.RWMutex
	prices map[string]int
}

func (t *tariff) priceOk(name string, set, alone bool, price int) int {
	if alone {
		t.mu.Lock()
		defer t.mu.Unlock()
	} else {
		t.mu.RLock()
		defer t.mu.RUnlock()
	}
	if set {
		t.prices[name] = price
	}
	return t.prices[name]
}

func (t *tariff) askOk(name string, set, alone bool) int { return t.priceOk(name, set, alone, 1) }

func (t *tariff) ReadOk(name string) int { return t.askOk(name, false, false) }

func (t *tariff) SetOk(name string) int { return t.askOk(name, true, true) }

type rates struct {
	mu     sync.RWMutex
	prices map[string]int
}

func (r *rates) priceBad(name string, set, alone bool, price int) int {
	if alone {
		r.mu.Lock()
		defer r.mu.Unlock()
	} else {
		r.mu.RLock()
		defer r.mu.RUnlock()
	}
	if set {
		r.prices[name] = price // want `r.prices`
	}
	return r.prices[name]
}

func (r *rates) ask(name string, set, alone bool) int { return r.priceBad(name, set, alone, 1) }

func (r *rates) Read(name string) int { return r.ask(name, false, true) }

func (r *rates) Set(name string) int { return r.ask(name, true, false) }

// A function that others can call is called with whatever they choose.

type Board struct {
	mu    sync.RWMutex
	notes map[string]int
}

func (b *Board) NoteBad(name string, set, alone bool) int {
	if alone {
		b.mu.Lock()
		defer b.mu.Unlock()
	} else {
		b.mu.RLock()
		defer b.mu.RUnlock()
	}
	if set {
		b.notes[name]++ // want `b.notes`
	}
	return b.notes[name]
}

func (b *Board) First() int { return b.NoteBad("first", true, true) }

func (b *Board) Last() int { return b.NoteBad("last", false, false) }
