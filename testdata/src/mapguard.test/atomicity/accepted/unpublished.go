package accepted

import (
	"encoding/json"
	"sync"
)

type item struct{ n int }

// A Registry has a lock.
type Registry struct {
	mu    sync.RWMutex
	items map[string]*item // guarded by mu
}

// Put inserts.
func (r *Registry) Put(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.items[k] = &item{}
}

// initOk is called on fresh ones alone, and hands them on.
func (r *Registry) initOk(names ...string) *Registry {
	if r.items == nil {
		r.items = make(map[string]*item)
	}
	for _, n := range names {
		r.items[n] = &item{}
	}
	return r
}

// NewRegistryOk makes one with two items.
func NewRegistryOk() *Registry { return new(Registry).initOk("a", "b") }

// NewNamedOk makes one with items.
func NewNamedOk(names []string) *Registry {
	r := Registry{}
	return r.initOk(names...)
}

// A Builder has to itself what it builds.
type Builder struct{ reg *Registry }

// NewBuilder begins.
func NewBuilder() *Builder { return &Builder{&Registry{items: map[string]*item{}}} }

// FP_WithOk adds an item. It is exported, and that a builder has its registry to
// itself is not known.
// It would take ownership of what a field holds, in all objects of a type: only
// new objects go in, and none comes out but with its holder.
func (b *Builder) FP_WithOk(name string, n int) *Builder {
	if _, ok := b.reg.items[name]; !ok { // want `check-then-act: `
		b.reg.items[name] = &item{n}
	}
	return b
}

// Build ends.
func (b *Builder) Build() *Registry { return b.reg }

func builtOk() *Registry { return NewBuilder().FP_WithOk("a", 1).FP_WithOk("b", 2).Build() }

// Made in one loop, filled in another, and then returned. An element of a
// slice that no other goroutine knows is one.
func shardsOk(n int, keys []string) []*Registry {
	out := make([]*Registry, n)
	for i := range out {
		out[i] = &Registry{items: map[string]*item{}}
	}
	for i, k := range keys {
		s := out[i%n]
		if s.items[k] == nil {
			s.items[k] = &item{i}
		}
	}
	return out
}

// UnmarshalJSON fills what its caller has just made.
func (r *Registry) UnmarshalJSON(b []byte) error { return r.decodeOk(b) }

// UnmarshalJSON is exported: by its name, its object is not in use yet.
func (r *Registry) decodeOk(b []byte) error {
	var m map[string]int
	if err := json.Unmarshal(b, &m); err != nil {
		return err
	}
	r.items = make(map[string]*item, len(m))
	for k, n := range m {
		r.items[k] = &item{n}
	}
	return nil
}

// A Mux is set up, and then served from.
type Mux struct{ routes map[string]*item }

// HandleOk adds a route.
func (m *Mux) HandleOk(p string, h *item) {
	if m.routes[p] != nil {
		panic("twice: " + p)
	}
	m.routes[p] = h
}

// MatchOk finds one.
func (m *Mux) MatchOk(p string) *item { return m.routes[p] }

func serveOk(in <-chan string) {
	m := &Mux{routes: map[string]*item{}}
	m.HandleOk("/", &item{})
	m.HandleOk("/x", &item{})
	for range 4 {
		go func() {
			for p := range in {
				println(m.MatchOk(p).n)
			}
		}()
	}
}
