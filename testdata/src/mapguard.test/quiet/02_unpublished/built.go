package unpublished

import "sync"

// A graph is changed by its exported methods, which the package calls only while
// it makes one; it is read by others, without the lock.

// A Graph has vertices.
type Graph struct {
	mu       sync.Mutex
	vertices map[string]*Vertex
}

// A Vertex has children.
type Vertex struct{ children map[string]*Vertex }

// NewGraphOk makes one.
func NewGraphOk(edges map[string]string) *Graph {
	g := &Graph{vertices: make(map[string]*Vertex)}
	for from, to := range edges {
		g.AddOk(from)
		g.AddOk(to)
		g.ConnectOk(from, to)
	}
	return g
}

// AddOk adds a vertex.
func (g *Graph) AddOk(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.vertices[name] = &Vertex{children: make(map[string]*Vertex)}
}

// ConnectOk adds an edge.
func (g *Graph) ConnectOk(from, to string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.vertices[from].children[to] = g.vertices[to]
}

// LeavesOk counts under the lock.
func (g *Graph) LeavesOk() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := 0
	for _, v := range g.vertices {
		if len(v.children) == 0 {
			n++
		}
	}
	return n
}

// ChildrenOk does not lock.
func (v *Vertex) ChildrenOk() (out []*Vertex) {
	for _, c := range v.children {
		out = append(out, c)
	}
	return out
}

// WalkOk walks a graph that is made.
func WalkOk(g *Graph, name string, f func(*Vertex)) {
	g.mu.Lock()
	v := g.vertices[name]
	g.mu.Unlock()
	children := (*Vertex).ChildrenOk
	if v == nil {
		children = func(*Vertex) []*Vertex { return nil }
	}
	for _, c := range children(v) {
		f(c)
	}
}

// A Bag fills itself from a list, but its users add, too, and nothing here reads
// it.
type Bag struct {
	mu    sync.Mutex
	items map[string]int
}

// NewBag makes one.
func NewBag(items []string) *Bag {
	b := &Bag{items: make(map[string]int)}
	for _, s := range items {
		b.Put(s)
	}
	return b
}

// Put counts one.
func (b *Bag) Put(s string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.items[s]++
}

// HasOk looks under the lock.
func (b *Bag) HasOk(s string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.items[s] > 0
}

// CountBad does not.
func (b *Bag) CountBad(s string) int { return b.items[s] } // want `unguarded-access: .*items`
