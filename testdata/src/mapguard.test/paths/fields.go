// Package paths pins which maps are seen, and through which paths.
package paths

import "sync"

type conn struct{ id int }

// A registry has one map for each shape of path.
type registry struct {
	mu sync.Mutex
	// guarded by mu
	direct map[string]*conn
	// guarded by mu
	pointer *map[string]*conn
	nested  struct {
		inner struct {
			m map[string]*conn // guarded by registry.mu
		}
	}
}

func (r *registry) directBad(k string) *conn {
	if _, ok := r.direct[k]; !ok { // want `check-then-act: .*r\.direct`
		r.direct[k] = &conn{}
	}
	return nil
}

func (r *registry) directOk(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.direct[k]; !ok {
		r.direct[k] = &conn{}
	}
}

func pointerParameterBad(r *registry, k string) {
	if r.direct[k] == nil { // want `check-then-act: .*r\.direct`
		r.direct[k] = &conn{}
	}
}

func pointerParameterOk(r *registry, k string) {
	r.mu.Lock()
	if r.direct[k] == nil {
		r.direct[k] = &conn{}
	}
	r.mu.Unlock()
}

func pointerPointerBad(r **registry, k string) {
	if (*r).direct[k] == nil { // want `check-then-act: .*direct`
		(*r).direct[k] = &conn{}
	}
}

func pointerPointerOk(r **registry, k string) {
	(*r).mu.Lock()
	defer (*r).mu.Unlock()
	if (*r).direct[k] == nil {
		(*r).direct[k] = &conn{}
	}
}

func (r *registry) mapPointerBad(k string) {
	if (*r.pointer)[k] == nil { // want `check-then-act: .*pointer`
		(*r.pointer)[k] = &conn{}
	}
}

func (r *registry) mapPointerOk(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if (*r.pointer)[k] == nil {
		(*r.pointer)[k] = &conn{}
	}
}

func (r *registry) nestedOk(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.nested.inner.m[k] == nil {
		r.nested.inner.m[k] = &conn{}
	}
}

func (r *registry) nestedBad(k string) {
	if r.nested.inner.m[k] == nil { // want `check-then-act: .*r\.nested\.inner\.m`
		r.nested.inner.m[k] = &conn{}
	}
}

func (r *registry) aliasBad(k string) {
	m := r.direct
	if m[k] == nil { // want `check-then-act: .*r\.direct`
		m[k] = &conn{}
	}
}

func (r *registry) aliasOk(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.direct
	if m[k] == nil {
		m[k] = &conn{}
	}
}

func (r *registry) aliasOfStructBad(k string) {
	n := &r.nested
	i := &n.inner
	if i.m[k] == nil { // want `check-then-act: .*r\.nested\.inner\.m`
		i.m[k] = &conn{}
	}
}

func (r *registry) aliasOfReceiverBad(k string) {
	s := r
	if s.direct[k] == nil { // want `check-then-act: .*direct`
		r.direct[k] = &conn{}
	}
}

func (r *registry) aliasUnderOneNameLockedOk(k string) {
	s := r
	s.mu.Lock()
	defer r.mu.Unlock()
	if s.direct[k] == nil {
		r.direct[k] = &conn{}
	}
}

// A freshly made local map is not shared.
func localMapOk(keys []string) map[string]*conn {
	m := make(map[string]*conn)
	for _, k := range keys {
		if m[k] == nil {
			m[k] = &conn{}
		}
	}
	return m
}
