package helpers

import (
	"errors"
	"sync"
)

// The key of a helper is what it gets computed: the name that an object gives, and what a new
// object has been given as its name.

type codec interface {
	Name() string
}

type codecs struct {
	mu     sync.Mutex
	byName map[string]codec
}

func (c *codecs) hasOk(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.byName[name]
	return ok
}

func (c *codecs) AddBad(k codec) error {
	if c.hasOk(k.Name()) {
		return errors.New("twice")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.byName[k.Name()] = k // want `split-lock: c\.byName is read at line \d+ in codecs\.hasOk and written here`
	return nil
}

func (c *codecs) AddOk(k codec) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.byName[k.Name()]; ok {
		return errors.New("twice")
	}
	c.byName[k.Name()] = k
	return nil
}

type guest struct {
	room string
	bill int
}

type hotel struct {
	mu     sync.Mutex
	guests map[string]*guest
}

func newGuest(bill int, room string) *guest { return &guest{room: room, bill: bill} }

func (h *hotel) guestOk(room string) *guest {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.guests[room]
}

func (h *hotel) moveIn(g *guest) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.guests[g.room] = g
}

func (h *hotel) ChargeBad(room string, n int) {
	g := h.guestOk(room)
	if g == nil {
		g = &guest{room: room}
		h.moveIn(g) // want `split-lock: h\.guests is read at line \d+ and written here`
	}
	h.mu.Lock()
	g.bill += n
	h.mu.Unlock()
}

func (h *hotel) BookBad(room string) *guest {
	g := h.guestOk(room)
	if g != nil {
		return g
	}
	g = newGuest(1, room)
	h.moveIn(g) // want `split-lock: h\.guests is read at line \d+ and written here`
	return g
}
