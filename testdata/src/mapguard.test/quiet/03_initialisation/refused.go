package initialisation

import (
	"errors"
	"net"
	"sync"
)

// A table of routes is filled until the router opens: from then on its flag refuses all changes, under the lock.

type router struct {
	mu     sync.Mutex // guards following
	open   bool
	routes map[string]func(net.Conn)
}

func newRouter() *router { return &router{routes: make(map[string]func(net.Conn))} }

func (r *router) addOk(name string, f func(net.Conn)) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open {
		return errors.New("open")
	}
	r.routes[name] = f
	return nil
}

func (r *router) runOk(in <-chan net.Conn) {
	r.mu.Lock()
	r.open = true
	r.mu.Unlock()
	for c := range in {
		go r.takeOk(c)
	}
}

// The goroutine was started behind that, and what it starts, too.
func (r *router) takeOk(c net.Conn) {
	for range 2 {
		go func() {
			r.each(func(name string) { r.routeOk(name, c) })
		}()
	}
}

func (r *router) each(f func(string)) { f("a") }

func (r *router) routeOk(name string, c net.Conn) {
	if f := r.routes[name]; f != nil {
		f(c)
	}
}

// The goroutine is started before the flag is set: routes may still be added.
type hasty struct {
	mu     sync.Mutex // guards following
	open   bool
	routes map[string]func(net.Conn)
}

func (h *hasty) addOk(name string, f func(net.Conn)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.open {
		return
	}
	h.routes[name] = f
}

func (h *hasty) runOk(c net.Conn) {
	go h.takeBad(c)
	h.mu.Lock()
	h.open = true
	h.mu.Unlock()
}

func (h *hasty) takeBad(c net.Conn) {
	if f := h.routes["a"]; f != nil { // want `unguarded-access: h\.routes is read without mu`
		f(c)
	}
}

// It is set back while goroutines go on.
type reopened struct {
	mu     sync.Mutex // guards following
	open   bool
	routes map[string]func(net.Conn)
}

func (r *reopened) addOk(name string, f func(net.Conn)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open {
		return
	}
	r.routes[name] = f
}

func (r *reopened) runOk(in <-chan net.Conn) {
	r.mu.Lock()
	r.open = true
	r.mu.Unlock()
	for c := range in {
		go r.takeBad(c)
	}
	r.mu.Lock()
	r.open = false
	r.mu.Unlock()
}

func (r *reopened) takeBad(c net.Conn) {
	if f := r.routes["a"]; f != nil { // want `unguarded-access: r\.routes is read without mu`
		f(c)
	}
}

// One goroutine is started where the flag was set, another one of the same function before.
type twice struct {
	mu     sync.Mutex // guards following
	open   bool
	routes map[string]func(net.Conn)
}

func newTwice(c net.Conn) *twice {
	t := &twice{routes: make(map[string]func(net.Conn))}
	go t.takeBad(c)
	return t
}

func (t *twice) addOk(name string, f func(net.Conn)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open {
		return
	}
	t.routes[name] = f
}

func (t *twice) runOk(c net.Conn) {
	t.mu.Lock()
	t.open = true
	t.mu.Unlock()
	go t.takeBad(c)
}

func (t *twice) takeBad(c net.Conn) {
	if f := t.routes["a"]; f != nil { // want `unguarded-access: t\.routes is read without mu`
		f(c)
	}
}

// The lock is held where the goroutine is started, but not by it, and nothing sets the flag.
type heldStart struct {
	mu     sync.Mutex // guards following
	open   bool
	routes map[string]func(net.Conn)
}

func (h *heldStart) addOk(name string, f func(net.Conn)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.open {
		return
	}
	h.routes[name] = f
}

func (h *heldStart) endOk() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open = true
}

func (h *heldStart) runOk(c net.Conn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	go h.takeBad(c)
}

func (h *heldStart) takeBad(c net.Conn) {
	if f := h.routes["a"]; f != nil { // want `unguarded-access: h\.routes is read without mu`
		f(c)
	}
}
