package ownkey

import (
	"net"
	"sync"
)

// A listener of the package's own gives a session that it has.
type door struct{ known map[string]*visitor }

type visitor struct{ id string }

func (*visitor) RemoteAddr() net.Addr { return nil }

func (d *door) Accept() (*visitor, error) { return d.known["any"], nil }

type register struct{ m sync.Map }

func Register(d *door) {
	r := &register{}
	for {
		v, err := d.Accept()
		if err != nil {
			return
		}
		go r.handleBad(v)
	}
}

func (r *register) handleBad(v *visitor) {
	if _, found := r.m.Load(v); !found {
		r.m.Store(v, &state{}) // want `sync-map: Load at line \d+ and Store here`
	}
}

// What runs once adds an entry, too.
type once struct {
	one sync.Once
	mu  sync.Mutex
	m   map[net.Conn]*state
}

func Once(l net.Listener) {
	s := &once{m: make(map[net.Conn]*state)}
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go s.handle(c)
	}
}

func (s *once) handle(c net.Conn) { s.touchBad(c) }

func (s *once) touchBad(c net.Conn) {
	s.mu.Lock()
	_, found := s.m[c]
	s.mu.Unlock()
	if !found {
		s.mu.Lock()
		s.m[c] = &state{} // want `split-lock: s\.m`
		s.mu.Unlock()
	}
}

func (s *once) Mark(c net.Conn) {
	s.one.Do(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.m[c] = &state{n: 1}
	})
}

// The map has another name, too.
type listed struct {
	mu   sync.Mutex
	m, n map[net.Conn]*state
}

func Listed(l net.Listener) {
	s := &listed{m: make(map[net.Conn]*state), n: make(map[net.Conn]*state)}
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go s.handle(c)
	}
}

func (s *listed) handle(c net.Conn) { s.touchBad(c) }

func (s *listed) touchBad(c net.Conn) {
	s.mu.Lock()
	_, found := s.m[c]
	s.mu.Unlock()
	if !found {
		s.mu.Lock()
		s.m[c] = &state{} // want `split-lock: s\.m`
		s.mu.Unlock()
	}
}

func (s *listed) Mark(c net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range []map[net.Conn]*state{s.m, s.n} {
		m[c] = &state{n: 1}
	}
}
