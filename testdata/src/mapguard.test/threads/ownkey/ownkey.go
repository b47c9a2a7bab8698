// Package ownkey has goroutines that are started for an object each, and alone work under it as a key.
package ownkey

import (
	"net"
	"sync"
	"time"
)

type state struct{ n int }

// A hub has what is known of each connection.
type hub struct {
	mu sync.RWMutex
	m  map[net.Conn]*state
}

func (h *hub) serve(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go h.handle(c)
	}
}

func (h *hub) handle(c net.Conn) {
	defer h.drop(c)
	b := make([]byte, 8)
	for {
		if _, err := c.Read(b); err != nil {
			return
		}
		h.touchOk(c)
	}
}

// No other goroutine has this connection.
func (h *hub) touchOk(c net.Conn) {
	h.mu.RLock()
	s := h.m[c]
	h.mu.RUnlock()
	if s == nil {
		s = &state{}
		h.mu.Lock()
		h.m[c] = s
		h.mu.Unlock()
	}
	s.n++
}

func (h *hub) drop(c net.Conn) {
	h.mu.Lock()
	delete(h.m, c)
	h.mu.Unlock()
}

// LenOk looks at all of them.
func (h *hub) LenOk() int { h.mu.RLock(); defer h.mu.RUnlock(); return len(h.m) }

// RunOk serves.
func RunOk(l net.Listener) { (&hub{m: map[net.Conn]*state{}}).serve(l) }

// A client is made for each connection, and is the key.
type client struct {
	nc net.Conn
	r  *room
}

type room struct {
	seen sync.Map
}

// RoomOk starts a goroutine for each.
func RoomOk(l net.Listener) {
	r := &room{}
	for {
		nc, err := l.Accept()
		if err != nil {
			return
		}
		c := &client{nc, r}
		go c.runOk()
	}
}

func (c *client) runOk() {
	for {
		if _, ok := c.r.seen.Load(c); !ok {
			c.r.seen.Store(c, &state{})
		}
	}
}

// A pair has two goroutines for each connection.
type pair struct {
	mu sync.Mutex
	m  map[net.Conn]*state
}

// Pair starts them.
func Pair(l net.Listener) {
	p := &pair{m: map[net.Conn]*state{}}
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go p.read(c)
		go p.write(c)
	}
}

func (p *pair) read(c net.Conn)  { p.touchBad(c) }
func (p *pair) write(c net.Conn) { p.touchBad(c) }

func (p *pair) touchBad(c net.Conn) {
	p.mu.Lock()
	_, ok := p.m[c]
	p.mu.Unlock()
	if !ok {
		p.mu.Lock()
		p.m[c] = &state{} // want `split-lock: p\.m`
		p.mu.Unlock()
	}
}

// A nest starts a goroutine of its own for the same connection.
type nest struct {
	mu sync.Mutex
	m  map[net.Conn]*state
}

// Nest starts the first one.
func Nest(l net.Listener) {
	n := &nest{m: map[net.Conn]*state{}}
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go n.handle(c)
	}
}

func (n *nest) handle(c net.Conn) {
	go n.touchBad(c)
	n.touchBad(c)
}

func (n *nest) touchBad(c net.Conn) {
	n.mu.Lock()
	_, ok := n.m[c]
	n.mu.Unlock()
	if !ok {
		n.mu.Lock()
		n.m[c] = &state{} // want `split-lock: n\.m`
		n.mu.Unlock()
	}
}

// Of a twice each connection has two goroutines that one statement starts.
type twice struct{ m sync.Map }

// Twice starts them.
func Twice(l net.Listener) {
	t := &twice{}
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		for range 2 {
			go t.handleBad(c)
		}
	}
}

func (t *twice) handleBad(c net.Conn) {
	if _, ok := t.m.Load(c); !ok {
		t.m.Store(c, &state{}) // want `sync-map: Load at line \d+ and Store here`
	}
}

// Of an other the key is the host, which many connections have.
type other struct{ m sync.Map }

// Other starts a goroutine for each connection.
func Other(l net.Listener) {
	o := &other{}
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go o.handleBad(c)
	}
}

func (o *other) handleBad(c net.Conn) {
	host := c.RemoteAddr().Network()
	if _, ok := o.m.Load(host); !ok {
		o.m.Store(host, &state{}) // want `sync-map: Load at line \d+ and Store here`
	}
}

// An open lets others put entries in.
type open struct {
	mu sync.Mutex
	m  map[net.Conn]*state
}

// Serve starts a goroutine for each connection.
func (o *open) Serve(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go o.handleBad(c)
	}
}

func (o *open) handleBad(c net.Conn) {
	o.mu.Lock()
	_, ok := o.m[c]
	o.mu.Unlock()
	if !ok {
		o.mu.Lock()
		o.m[c] = &state{} // want `split-lock: o\.m`
		o.mu.Unlock()
	}
}

// Mark puts one in.
func (o *open) Mark(c net.Conn) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.m[c] = &state{}
}

// A pool hands out clients that it has had before.
type pool struct {
	free []*client
	m    sync.Map
}

// Pool starts goroutines for clients that may be in use.
func Pool(p *pool) {
	for i := range 10 {
		go p.handleBad(p.get(i))
	}
}

func (p *pool) get(i int) *client { return p.free[i%len(p.free)] }

func (p *pool) handleBad(c *client) {
	if _, ok := p.m.Load(c); !ok {
		p.m.Store(c, &state{}) // want `sync-map: Load at line \d+ and Store here`
	}
}

// Of a token each is equal to all others: it holds nothing.
type token struct{}

type tokens struct{ m sync.Map }

// Tokens starts goroutines with tokens.
func Tokens() {
	t := &tokens{}
	for range 10 {
		go t.handleBad(&token{})
	}
}

func (t *tokens) handleBad(k *token) {
	if _, ok := t.m.Load(k); !ok {
		t.m.Store(k, &state{}) // want `sync-map: Load at line \d+ and Store here`
	}
}

// A kept is made once for all goroutines.
type kept struct{ m sync.Map }

// Kept starts goroutines for one object.
func Kept() {
	k := &kept{}
	c := &client{}
	for range 10 {
		go k.handleBad(c)
	}
}

func (k *kept) handleBad(c *client) {
	if _, ok := k.m.Load(c); !ok {
		k.m.Store(c, &state{}) // want `sync-map: Load at line \d+ and Store here`
	}
}

// A later works on the connection in a timer's goroutine, too.
type later struct{ m sync.Map }

// Later starts a goroutine for each connection.
func Later(l net.Listener) {
	s := &later{}
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go s.handle(c)
	}
}

func (s *later) handle(c net.Conn) {
	time.AfterFunc(time.Second, func() { s.touchBad(c) })
	s.touchBad(c)
}

func (s *later) touchBad(c net.Conn) {
	if _, ok := s.m.Load(c); !ok {
		s.m.Store(c, &state{}) // want `sync-map: Load at line \d+ and Store here`
	}
}

// Of a literal another goroutine, which the first one starts, puts an entry in by itself.
type literal struct{ m sync.Map }

// Literal starts a goroutine for each connection.
func Literal(l net.Listener) {
	s := &literal{}
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go s.handleBad(c)
	}
}

func (s *literal) handleBad(c net.Conn) {
	go func() { s.m.Store(c, &state{}) }()
	if _, ok := s.m.Load(c); !ok {
		s.m.Store(c, &state{}) // want `sync-map: Load at line \d+ and Store here`
	}
}
