// Package created pins the fix of caches that their users fill with what must be ended, or is
// in use before it is in the map: who finds no entry makes one in turn, under a mutex. Beside
// each file stands what the fixes make of it.
package created

import (
	"errors"
	"net"
	"sync"
	"time"
)

type conn struct {
	net.Conn
	id int
}

func dial(k string) (*conn, error) {
	c, err := net.DialTimeout("tcp", k, time.Second)
	if err != nil {
		return nil, err
	}
	return &conn{c, len(k)}, nil
}

// DBConns is a map of the package: its mutex is declared above the function.
var DBConns sync.Map

// Conn has the look in the head of an if statement.
func ConnBad(k string) (*conn, error) {
	if v, ok := DBConns.Load(k); ok {
		return v.(*conn), nil
	}
	c, err := dial(k)
	if err != nil {
		return nil, err
	}
	DBConns.Store(k, c) // want `sync-map: .*`
	return c, nil
}

// The second function that fills the map takes the same mutex.
func otherConnBad(k string) (*conn, error) {
	if v, ok := DBConns.Load(k); ok {
		return v.(*conn), nil
	}
	c, err := dial(k)
	if err != nil {
		return nil, err
	}
	c.id++
	DBConns.Store(k, c) // want `sync-map: .*`
	return c, nil
}

var late sync.Map

// The Store stands in a literal that is deferred, and so runs before the mutex is released.
func deferredBad(k string) (c *conn, err error) {
	v, ok := late.Load(k) // found
	if ok {
		// It is there.
		return v.(*conn), nil
	}
	defer func() {
		if c != nil && err == nil {
			late.Store(k, c) // want `sync-map: .*`
		}
	}()
	c, err = dial(k)
	return c, err
}

type pool struct {
	name  string
	conns sync.Map // by address
	made  int
}

// The mutex is a field beside the map. The value has no name in the second look, which does not use it.
func (p *pool) ensureBad(k string) error {
	known, ok := p.conns.Load(k)
	if ok {
		return nil
	}
	if known != nil {
		return errors.New("odd")
	}
	c, err := dial(k)
	if err != nil {
		return err
	}
	p.conns.Store(k, c) // want `sync-map: .*`
	return nil
}

func (p *pool) put(k string, c *conn) { p.conns.Store(k, c) }

type registry struct {
	byName struct{ inner *pool }
	cached *sync.Map
	n      int
}

func newRegistry() *registry {
	return &registry{cached: new(sync.Map)}
}

// The map is made with its object. What the condition asks besides is asked again.
func (r *registry) getBad(k string) *conn {
	v, ok := r.cached.Load(k)
	if ok && v != nil {
		return v.(*conn)
	}
	c, err := dial(k)
	if err != nil {
		return nil
	}
	r.cached.Store(k, c) // want `sync-map: .*`
	return c
}

type embedding struct {
	sync.Map
	n int
}

func (e *embedding) getBad(k string) (*conn, error) {
	if v, ok := e.Load(k); ok {
		return v.(*conn), nil
	}
	c, err := dial(k)
	if err != nil {
		return nil, err
	}
	e.Store(k, c) // want `sync-map: .*`
	return c, nil
}

// A goroutine that is started goes its own way, and may come back.
func (p *pool) startedBad(k string) *conn {
	if v, ok := p.conns.Load(k); ok {
		return v.(*conn)
	}
	c := &conn{id: p.made}
	go p.watch(c)
	p.put(k, c) // want `sync-map: .*`
	return c
}

func (p *pool) watch(c *conn) {
	time.Sleep(time.Second)
	p.startedBad(p.name)
}

// The function stores several times, after one look.
func (p *pool) manyBad(k string, cs []*conn) {
	if _, ok := p.conns.Load(k); ok {
		return
	}
	for _, c := range cs {
		p.conns.Store(k, c) // want `sync-map: .*`
	}
}

type counted struct {
	mu    sync.Mutex
	n     int
	conns sync.Map
}

// A lock that is taken meanwhile, and never held where the function begins.
func (c *counted) getBad(k string) (*conn, error) {
	if v, ok := c.conns.Load(k); ok {
		c.count()
		return v.(*conn), nil
	}
	made, err := dial(k)
	if err != nil {
		return nil, err
	}
	c.count()
	c.conns.Store(k, made) // want `sync-map: .*`
	return made, nil
}

func (c *counted) count() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
}

// A literal that is called at once.
func (c *counted) literalBad(k string) (made *conn) {
	if v, ok := c.conns.Load(k); ok {
		return v.(*conn)
	}
	func() {
		made, _ = dial(k)
		c.conns.Store(k, made) // want `sync-map: .*`
	}()
	return made
}

// One that is run once for all is no wait for others, but for what it runs.
func (c *counted) onceBad(k string) (*conn, error) {
	if v, ok := c.conns.Load(k); ok {
		return v.(*conn), nil
	}
	prepare.Do(func() { prepared = true })
	made, err := dial(k)
	if err == nil {
		c.conns.Store(k, made) // want `sync-map: .*`
	}
	return made, err
}

var (
	prepare  sync.Once
	prepared bool
)

var rivers sync.Map

// riversMu is held while an entry of rivers is made, so that no other goroutine makes it, too.
var riversMu sync.Mutex

// An earlier run has declared the mutex.
func riverBad(k string) (*conn, error) {
	if v, ok := rivers.Load(k); ok {
		return v.(*conn), nil
	}
	c, err := dial(k)
	if err == nil {
		rivers.Store(k, c) // want `sync-map: .*`
	}
	return c, err
}
