// Package flights pins the fix of a Load and a Store around a literal that runs in place,
// or in a function that runs it for one caller at a time per key.
package flights

import (
	"net"
	"os"
	"sync"

	"golang.org/x/sync/singleflight"
)

type conn struct{ id int }

func dial(k string) *conn { return &conn{id: len(k)} }

func try(k string) (*conn, error) { return dial(k), nil }

type host struct {
	name string
	port int
}

// Several goroutines wait for one call, and get its value; all of them store.
type lookups struct {
	m     sync.Map
	group singleflight.Group
}

func (l *lookups) getBad(h host) *conn {
	v, ok := l.m.Load(h.name)
	if !ok {
		v, _, _ = l.group.Do(h.name, func() (any, error) {
			return dial(h.name), nil
		})
		l.m.Store(h.name, v) // want `sync-map: .*LoadOrStore`
	}
	return v.(*conn)
}

// The one who makes it stores, in the function that the others wait for.
type inside struct {
	m     sync.Map
	group singleflight.Group
}

func (l *inside) getBad(h host) *conn {
	v, ok := l.m.Load(h.name)
	if !ok {
		v, _, _ = l.group.Do(h.name, func() (any, error) {
			c := dial(h.name)
			l.m.Store(h.name, c) // want `sync-map: .*LoadOrStore`
			return c, nil
		})
	}
	return v.(*conn)
}

func (l *inside) earlyBad(h host) (*conn, error) {
	if v, ok := l.m.Load(h.name); ok {
		return v.(*conn), nil
	}
	c, err := func() (*conn, error) {
		c, err := try(h.name)
		if err != nil {
			return nil, err
		}
		l.m.Store(h.name, c) // want `sync-map: .*LoadOrStore`
		return c, nil
	}()
	return c, err
}

// The loser would have to be closed: the function that runs alone looks again.
type files struct {
	*sync.Map
	group *singleflight.Group
}

func newFiles() *files { return &files{Map: &sync.Map{}, group: &singleflight.Group{}} }

func (f *files) openBad(name string) (*os.File, error) {
	if v, ok := f.Load(name); ok {
		return v.(*os.File), nil
	}
	v, err, _ := f.group.Do(name, func() (any, error) { return os.Open(name) })
	if err != nil {
		return nil, err
	}
	f.Store(name, v) // want `sync-map: .*`
	return v.(*os.File), nil
}

type sockets struct {
	open  sync.Map
	group singleflight.Group
}

func (s *sockets) dialBad(value, ok string) (made any, err error) {
	if found, there := s.open.Load(value); there {
		return found, nil
	}
	c, err, _ := s.group.Do(value, func() (any, error) {
		return net.Dial(ok, value)
	})
	if err != nil {
		return nil, err
	}
	s.open.Store(value, c) // want `sync-map: .*`
	return c, nil
}
