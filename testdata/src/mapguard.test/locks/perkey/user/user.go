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
