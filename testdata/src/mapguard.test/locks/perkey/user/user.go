package user

import (
	"sync"

	"mapguard.test/locks/perkey"
)

type registry struct {
	shelves perkey.ShelfLocks[int]
	gapped  perkey.GappedLocks
	polite  perkey.PoliteLocks
	found   sync.Map
	named   sync.Map
	held    sync.Map
}

func (r *registry) EnterOk(shelf int) any {
	r.shelves.Lock(shelf)
	defer r.shelves.Unlock(shelf)
	b, ok := r.found.Load(shelf)
	if !ok {
		b = new(int)
		r.found.Store(shelf, b)
	}
	return b
}

func (r *registry) LeaveOk(shelf int) any {
	r.shelves.Lock(shelf)
	defer r.shelves.Unlock(shelf)
	b, ok := r.found.Load(shelf)
	if ok {
		r.found.Delete(shelf)
	}
	return b
}

func (r *registry) EnterOtherBad(shelf, other int) any {
	r.shelves.Lock(other)
	defer r.shelves.Unlock(other)
	b, ok := r.found.Load(shelf)
	if !ok {
		b = new(int)
		r.found.Store(shelf, b) // want `sync-map: Load`
	}
	return b
}

func (r *registry) EnterAgainBad(shelf int) any {
	r.shelves.Lock(shelf)
	b, ok := r.found.Load(shelf)
	r.shelves.Unlock(shelf)
	r.shelves.Lock(shelf)
	defer r.shelves.Unlock(shelf)
	if !ok {
		b = new(int)
		r.found.Store(shelf, b) // want `sync-map: Load`
	}
	return b
}

func (r *registry) EnterElsewhereBad(other *registry, shelf int) any {
	other.shelves.Lock(shelf)
	defer other.shelves.Unlock(shelf)
	b, ok := r.found.Load(shelf)
	if !ok {
		b = new(int)
		r.found.Store(shelf, b) // want `sync-map: Load`
	}
	return b
}

func (r *registry) EnterGappedBad(shelf string) any {
	r.gapped.Lock(shelf)
	defer r.gapped.Unlock(shelf)
	b, ok := r.named.Load(shelf)
	if !ok {
		b = new(int)
		r.named.Store(shelf, b) // want `sync-map: Load`
	}
	return b
}

func (r *registry) EnterPoliteBad(shelf string) any {
	r.polite.Lock(shelf)
	defer r.polite.Unlock(shelf)
	b, ok := r.held.Load(shelf)
	if !ok {
		b = new(int)
		r.held.Store(shelf, b) // want `sync-map: Load`
	}
	return b
}

type house struct {
	doors perkey.DoorLocks
	open  sync.Map
}

func (h *house) OpenOk(door string) any {
	h.doors.Lock(door)
	defer h.doors.Unlock(door)
	d, ok := h.open.Load(door)
	if !ok {
		d = new(int)
		h.open.Store(door, d)
	}
	return d
}

// That the map has a lock for the door by now does not tell who has taken it.
func (h *house) OpenAgainBad(door string) any {
	h.doors.Lock(door)
	d, ok := h.open.Load(door)
	h.doors.Unlock(door)
	h.doors.Lock(door)
	if !ok {
		d = new(int)
		h.open.Store(door, d) // want `sync-map: Load`
	}
	h.doors.Unlock(door)
	return d
}

type castle struct {
	halls perkey.HallLocks
	gates perkey.GateLocks
	signs perkey.SignLocks
	owned perkey.OwnGateLocks
	a     sync.Map
	b     sync.Map
	c     sync.Map
	d     sync.Map
}

func (c *castle) EnterHallOk(hall string) any {
	c.halls.Lock(hall)
	defer c.halls.Unlock(hall)
	h, ok := c.a.Load(hall)
	if !ok {
		h = new(int)
		c.a.Store(hall, h)
	}
	return h
}

func (c *castle) EnterHallAgainBad(hall string) any {
	c.halls.Lock(hall)
	h, ok := c.a.Load(hall)
	c.halls.Unlock(hall)
	c.halls.Lock(hall)
	if !ok {
		h = new(int)
		c.a.Store(hall, h) // want `sync-map: Load`
	}
	c.halls.Unlock(hall)
	return h
}

func (c *castle) EnterOtherHallBad(hall, other string) any {
	c.halls.Lock(other)
	defer c.halls.Unlock(other)
	h, ok := c.a.Load(hall)
	if !ok {
		h = new(int)
		c.a.Store(hall, h) // want `sync-map: Load`
	}
	return h
}

func (c *castle) EnterGateOk(gate string) any {
	c.gates.Lock(gate)
	defer c.gates.Unlock(gate)
	g, ok := c.b.Load(gate)
	if !ok {
		g = new(int)
		c.b.Store(gate, g)
	}
	return g
}

func (c *castle) EnterGateAgainBad(gate string) any {
	c.gates.Lock(gate)
	g, ok := c.b.Load(gate)
	c.gates.Unlock(gate)
	c.gates.Lock(gate)
	if !ok {
		g = new(int)
		c.b.Store(gate, g) // want `sync-map: Load`
	}
	c.gates.Unlock(gate)
	return g
}

func (c *castle) EnterSignedBad(gate string) any {
	c.signs.Lock(gate)
	defer c.signs.Unlock(gate)
	g, ok := c.c.Load(gate)
	if !ok {
		g = new(int)
		c.c.Store(gate, g) // want `sync-map: Load`
	}
	return g
}

func (c *castle) EnterFreedBad(gate string) any {
	c.owned.Lock(gate)
	defer c.owned.Unlock(gate)
	g, ok := c.d.Load(gate)
	if !ok {
		g = new(int)
		c.d.Store(gate, g) // want `sync-map: Load`
	}
	return g
}
