package refused

import (
	"fmt"
	"net"
	"sync"
)

// Entries are made in turn, under a mutex that is held until the function returns: but not where
// that could wait for who waits for the mutex.

func connect(k string) (net.Conn, error) { return net.Dial("tcp", k) }

type makers struct {
	recursive, called, passed, waiting, inside, literal, accepts, asked, given sync.Map

	ready chan struct{}
	done  chan struct{}
	ask   func(k string) net.Conn
	from  interface{ Give(k string) net.Conn }
}

// It calls itself.
func (m *makers) recursiveBad(k string) net.Conn {
	if v, ok := m.recursive.Load(k); ok {
		return v.(net.Conn)
	}
	if len(k) > 1 {
		m.recursiveBad(k[1:])
	}
	c, _ := connect(k)
	m.recursive.Store(k, c) // want `sync-map: .*`
	return c
}

// It calls itself through another one.
func (m *makers) throughBad(k string) net.Conn {
	if v, ok := m.called.Load(k); ok {
		return v.(net.Conn)
	}
	m.through(k) // want `sync-map: .*`
	c, _ := connect(k)
	m.called.Store(k, c)
	return c
}

func (m *makers) through(k string) {
	if len(k) > 1 {
		m.throughBad(k[1:])
	}
}

// Its value is given to others, who may call it.
func (m *makers) passedBad(k string) net.Conn {
	if v, ok := m.passed.Load(k); ok {
		return v.(net.Conn)
	}
	register(m.passedBad)
	c, _ := connect(k)
	m.passed.Store(k, c) // want `sync-map: .*`
	return c
}

func register(f func(string) net.Conn) {}

// A goroutine that it waits for may wait for the mutex.
func (m *makers) waitsBad(k string) net.Conn {
	if v, ok := m.waiting.Load(k); ok {
		return v.(net.Conn)
	}
	c, _ := connect(k)
	<-m.ready
	m.waiting.Store(k, c) // want `sync-map: .*`
	return c
}

func (m *makers) waitsInsideBad(k string) net.Conn {
	if v, ok := m.inside.Load(k); ok {
		return v.(net.Conn)
	}
	c, _ := connect(k)
	m.wait()
	m.inside.Store(k, c) // want `sync-map: .*`
	return c
}

func (m *makers) wait() {
	select {
	case <-m.ready:
	case <-m.done:
	}
}

// A literal that stands there may run there.
func (m *makers) literalBad(k string) net.Conn {
	if v, ok := m.literal.Load(k); ok {
		return v.(net.Conn)
	}
	c, _ := connect(k)
	each(func() { <-m.ready })
	m.literal.Store(k, c) // want `sync-map: .*`
	return c
}

func each(f func()) { f() }

// A connection may never come.
func (m *makers) acceptsBad(k string, l net.Listener) net.Conn {
	if v, ok := m.accepts.Load(k); ok {
		return v.(net.Conn)
	}
	c, _ := l.Accept()
	m.accepts.Store(k, c) // want `sync-map: .*`
	return c
}

// Nothing tells what they do.
func (m *makers) askedBad(k string) net.Conn {
	if v, ok := m.asked.Load(k); ok {
		return v.(net.Conn)
	}
	c := m.ask(k)
	m.asked.Store(k, c) // want `sync-map: .*`
	return c
}

func (m *makers) givenBad(k string) net.Conn {
	if v, ok := m.given.Load(k); ok {
		return v.(net.Conn)
	}
	c := m.from.Give(k)
	m.given.Store(k, c) // want `sync-map: .*`
	return c
}

type Ordered struct {
	mu    sync.Mutex
	n     int
	conns sync.Map
}

// Who holds mu comes here, and mu is taken here.
func (o *Ordered) GetBad(k string) net.Conn {
	if v, ok := o.conns.Load(k); ok {
		return v.(net.Conn)
	}
	c, _ := connect(k)
	o.mu.Lock()
	o.n++
	o.mu.Unlock()
	o.conns.Store(k, c) // want `sync-map: .*`
	return c
}

func (o *Ordered) all(other *Ordered, ks []string) {
	other.mu.Lock()
	defer other.mu.Unlock()
	for _, k := range ks {
		o.GetBad(k)
	}
}

var overshadowed sync.Map

// The name of the mutex means something else there.
func overshadowedBad(k string, overshadowedMu bool) net.Conn {
	if v, ok := overshadowed.Load(k); ok {
		return v.(net.Conn)
	}
	c, _ := connect(k)
	if overshadowedMu {
		overshadowed.Store(k, c) // want `sync-map: .*`
	}
	return c
}

type generic[T any] struct {
	conns sync.Map
	last  T
}

func (g *generic[T]) getBad(k string) net.Conn {
	if v, ok := g.conns.Load(k); ok {
		return v.(net.Conn)
	}
	c, _ := connect(k)
	g.conns.Store(k, c) // want `sync-map: .*`
	return c
}

var genericOf generic[int]

// One of two that fill the map waits: the other one would make entries beside it.
type halves struct {
	conns sync.Map
	ready chan struct{}
}

func (h *halves) waitsBad(k string) net.Conn {
	if v, ok := h.conns.Load(k); ok {
		return v.(net.Conn)
	}
	c, _ := connect(k)
	<-h.ready
	h.conns.Store(k, c) // want `sync-map: .*`
	return c
}

func (h *halves) plainBad(k string) net.Conn {
	if v, ok := h.conns.Load(k); ok {
		return v.(net.Conn)
	}
	c, _ := connect(k)
	h.conns.Store(k, c) // want `sync-map: .*`
	return c
}

// A struct that is copied gets no mutex.
type copied struct {
	conns *sync.Map
	name  string
}

func newCopied() *copied { return &copied{conns: new(sync.Map)} }

func (c copied) String() string { return c.name }

func (c *copied) getBad(k string) net.Conn {
	if v, ok := c.conns.Load(k); ok {
		return v.(net.Conn)
	}
	made, _ := connect(k)
	c.conns.Store(k, made) // want `sync-map: .*`
	return made
}

// Two objects may have one map, and would have two mutexes.
type sharing struct {
	conns *sync.Map
	name  string
}

func share(m *sync.Map) *sharing { return &sharing{conns: m} }

func (s *sharing) getBad(k string) net.Conn {
	if v, ok := s.conns.Load(k); ok {
		return v.(net.Conn)
	}
	made, _ := connect(k)
	s.conns.Store(k, made) // want `sync-map: .*`
	return made
}

// The map is exported here, so that no mutex in the package keeps out all that change it.
type looking struct{ Conns sync.Map }

// The look in a loop, a key that is computed, and one that the look sets.
func (o *looking) loopBad(ks []string) net.Conn {
	for _, k := range ks {
		if v, ok := o.Conns.Load(k); ok {
			return v.(net.Conn)
		}
		c, _ := connect(k)
		o.Conns.Store(k, c) // want `sync-map: .*`
	}
	return nil
}

func (o *looking) computedBad(k string) net.Conn {
	if v, ok := o.Conns.Load(address(k)); ok {
		return v.(net.Conn)
	}
	c, _ := connect(k)
	o.Conns.Store(address(k), c) // want `sync-map: .*`
	return c
}

func address(k string) string { return k + ":80" }

type label struct{ name string }

func (l *label) rename() { l.name += "!" }

// The entry is put in under another key than that which was looked for.
func (o *looking) renamedBad(l label) net.Conn {
	if v, ok := o.Conns.Load(l.name); ok {
		return v.(net.Conn)
	}
	l.rename()
	c, _ := connect(l.name)
	o.Conns.Store(l.name, c) // want `sync-map: .*`
	return c
}

// Set puts in what it is given, without a look.
type replaced struct {
	Conns sync.Map
}

func (r *replaced) getBad(k string) (net.Conn, error) {
	if v, ok := r.Conns.Load(k); ok {
		return v.(net.Conn), nil
	}
	made, err := connect(k)
	if err != nil {
		return nil, err
	}
	r.Conns.Store(k, made) // want `sync-map: .*`
	return made, nil
}

func (r *replaced) Set(k string, c net.Conn) { r.Conns.Store(k, c) }

func (r *replaced) Drop(k string) { r.Conns.Delete(k) }

var roads, bridges sync.Map

// roadsMu is held while an entry of roads is made, so that no other goroutine makes it, too.
var roadsMu sync.Mutex

// bridgesMu is held while an entry of bridges is made, so that no other goroutine makes it, too.
var bridgesMu sync.Mutex

func roadOk(k string) (net.Conn, error) {
	if v, ok := roads.Load(k); ok {
		return v.(net.Conn), nil
	}
	roadsMu.Lock()
	defer roadsMu.Unlock()
	if v, ok := roads.Load(k); ok {
		return v.(net.Conn), nil
	}
	c, err := connect(k)
	if err == nil {
		roads.Store(k, c)
	}
	return c, err
}

func bridgeOk(k string) (net.Conn, error) {
	if v, ok := bridges.Load(k); ok {
		return v.(net.Conn), nil
	}
	bridgesMu.Lock()
	defer bridgesMu.Unlock()
	if v, ok := bridges.Load(k); ok {
		return v.(net.Conn), nil
	}
	c, err := connect(k)
	if err == nil {
		bridges.Store(k, c)
	}
	return c, err
}

// Who makes an entry of one map comes to those who make entries of the other one: each mutex would
// be taken under the other.
func roadBad(k string) (net.Conn, error) {
	if v, ok := roads.Load(k); ok {
		return v.(net.Conn), nil
	}
	c, err := bridgeOk(k)
	if err != nil {
		return nil, err
	}
	roads.Store(k, c) // want `sync-map: .*`
	return c, nil
}

func bridgeBad(k string) (net.Conn, error) {
	if v, ok := bridges.Load(k); ok {
		return v.(net.Conn), nil
	}
	c, err := roadOk(k)
	if err != nil {
		return nil, err
	}
	bridges.Store(k, c) // want `sync-map: .*`
	return c, nil
}

type chatty struct{ conns sync.Map }

// What prints it calls String, which comes back.
func (c *chatty) getBad(k string) net.Conn {
	if v, ok := c.conns.Load(k); ok {
		return v.(net.Conn)
	}
	made, err := connect(k)
	if err != nil {
		fmt.Println(c, err)
	}
	c.conns.Store(k, made) // want `sync-map: .*`
	return made
}

func (c *chatty) String() string {
	if c.getBad("name") == nil {
		return "none"
	}
	return "some"
}
