package low

import (
	"sync"
	"time"
)

// The shapes of historical bugs of which the package itself shows no second
// goroutine: its callers had one. They are low, and shown on request.

// Lazily made and then filled, by a setter on an object that travels far.
type content struct{ attributes map[string]string }

func (c *content) SetAttributeBad(name, value string) {
	if c.attributes == nil { // want `check-then-act: .*c\.attributes`
		c.attributes = make(map[string]string)
	}
	c.attributes[name] = value
}

func (c *content) AttributeBad(name string) string {
	return c.attributes[name] // want `unguarded-access: c\.attributes`
}

// A registry with a value receiver: the struct is copied, the map is not.
type uniq struct{ u map[string]func() }

func (u uniq) SetBad(key string, f func()) {
	if _, ok := u.u[key]; ok { // want `check-then-act: .*u\.u`
		return
	}
	u.u[key] = f
}

func (u uniq) RunBad() {
	for _, f := range u.u { // want `unguarded-access: u\.u`
		f()
	}
}

// Get-or-create in a generic type that is not exported.
type filter[N any] struct {
	seen map[string]*N
}

func (f *filter[N]) aggregateBad(k string) *N {
	v, ok := f.seen[k] // want `check-then-act: .*f\.seen`
	if !ok {
		v = new(N)
		f.seen[k] = v
	}
	return v
}

// Read, compared, written; the goroutines of the package concern other things.
type handler struct {
	typing map[string]string
	tick   *time.Ticker
	done   chan struct{}
}

func (h *handler) Run() {
	go func() {
		for range h.tick.C {
			select {
			case <-h.done:
				return
			default:
			}
		}
	}()
}

func (h *handler) SetTypingBad(room, hash string) {
	if h.typing[room] == hash { // want `check-then-act: .*h\.typing`
		return
	}
	h.typing[room] = hash
}

// A method value is registered with a library that calls it from goroutines
// of its own; the table does not know that library.
type client interface {
	Subscribe(topic string, f func(id int))
}

type consumer struct {
	client   client
	messages map[int]bool
	wg       sync.WaitGroup
}

func (c *consumer) connect() {
	c.messages = make(map[int]bool)
	c.client.Subscribe("topic", c.receiveBad)
}

func (c *consumer) awaitBad(id int) { c.messages[id] = true } // want `unguarded-access: c\.messages`

func (c *consumer) receiveBad(id int) {
	if _, ok := c.messages[id]; !ok { // want `check-then-act: .*c\.messages`
		return
	}
	delete(c.messages, id)
}
