package refused

import (
	"fmt"
	"sync"
)

// Each type has a map without any lock, and a reason for which no mutex is added.

// NamesTaken is safe for concurrent use.
type NamesTaken struct {
	mu     string
	seenMu string
	seen   map[string]int
}

// AddBad adds a name.
func (t *NamesTaken) AddBad(name string) bool {
	if _, ok := t.seen[name]; ok { // want `check-then-act: .*`
		return false
	}
	t.seen[name] = len(t.mu) + len(t.seenMu)
	return true
}

// Copied is safe for concurrent use. It is handed on by value.
type Copied struct {
	seen map[string]int
}

// AddBad adds a name.
func (c *Copied) AddBad(name string) bool {
	if _, ok := c.seen[name]; ok { // want `check-then-act: .*`
		return false
	}
	c.seen[name] = 1
	return true
}

// SizeBad returns how many names there are.
func SizeBad(c Copied) int { return len(c.seen) } // want `unguarded-access: .*`

// Starred is safe for concurrent use. It is copied through a pointer.
type Starred struct {
	seen map[string]int
}

// AddBad adds a name.
func (s *Starred) AddBad(name string) bool {
	if _, ok := s.seen[name]; ok { // want `check-then-act: .*`
		return false
	}
	s.seen[name] = 1
	return true
}

// Twin returns one more with the same names.
func (s *Starred) Twin() *Starred {
	twin := *s
	return &twin
}

// Walked is safe for concurrent use. It is copied by a loop over an array.
type Walked struct {
	seen map[string]int
}

// AddBad adds a name.
func (w *Walked) AddBad(name string) bool {
	if _, ok := w.seen[name]; ok { // want `check-then-act: .*`
		return false
	}
	w.seen[name] = 1
	return true
}

// SumBad returns how many names all have.
func SumBad(all *[2]Walked) (n int) {
	for _, w := range all {
		n += len(w.seen) // want `unguarded-access: .*`
	}
	return n
}

// Listed is safe for concurrent use. It is made without the names of its fields.
type Listed struct {
	seen map[string]int
}

// NewListed returns one that is empty.
func NewListed() *Listed { return &Listed{map[string]int{}} }

// AddBad adds a name.
func (l *Listed) AddBad(name string) bool {
	if _, ok := l.seen[name]; ok { // want `check-then-act: .*`
		return false
	}
	l.seen[name] = 1
	return true
}

// Walks is safe for concurrent use. A method that uses the map is kept as a function
// without parameters that gives a value: a section could call it.
type Walks struct {
	seen  map[string]int
	clock func() int
}

// NewWalks returns one that counts itself.
func NewWalks(other *Walks) *Walks {
	return &Walks{seen: make(map[string]int), clock: other.size}
}

func (w *Walks) size() int { return len(w.seen) } // want `unguarded-access: .*`

// AddBad adds a name.
func (w *Walks) AddBad(name string) bool {
	if _, ok := w.seen[name]; ok { // want `check-then-act: .*`
		return false
	}
	w.seen[name] = w.clock()
	return true
}

// Applies is safe for concurrent use. A helper runs a literal that uses the map, in what
// would be a section.
type Applies struct {
	seen map[string]int
}

// AddBad adds a name.
func (a *Applies) AddBad(name string) bool {
	if _, ok := a.seen[name]; ok { // want `check-then-act: .*`
		return false
	}
	n := applied(func() int { return len(a.seen) }) // want `unguarded-access: .*`
	a.seen[name] = n
	return true
}

func applied(f func() int) int { return f() + 1 }

// Crossed is safe for concurrent use but for its map. A lock of another object is taken
// between look and act, and held where the map is used.
type Crossed struct {
	seen  map[string]int
	inner *inner
}

type inner struct {
	mu sync.Mutex
	n  int
}

func (i *inner) next() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.n++
	return i.n
}

// AddBad adds a name.
func (c *Crossed) AddBad(name string) bool {
	if _, ok := c.seen[name]; ok { // want `check-then-act: .*`
		return false
	}
	c.seen[name] = c.inner.next()
	return true
}

// Sum holds the other lock.
func (c *Crossed) Sum() int {
	c.inner.mu.Lock()
	defer c.inner.mu.Unlock()
	return c.size() + c.inner.n
}

func (c *Crossed) size() int { return len(c.seen) }

// Merged is safe for concurrent use. Two objects take part in one function.
type Merged struct {
	seen map[string]int
}

// AddBad adds a name.
func (m *Merged) AddBad(name string) bool {
	if _, ok := m.seen[name]; ok { // want `check-then-act: .*`
		return false
	}
	m.seen[name] = 1
	return true
}

// MergeBad adds what another has.
func (m *Merged) MergeBad(other *Merged) {
	for name, n := range other.seen { // want `unguarded-access: .*`
		m.seen[name] = n
	}
}

type names map[string]int

var everKept names

func (n names) add(name string) { n[name]++ }

func (n names) keep() { everKept = n }

// A method of the map keeps it.
func keptBad(list []string) {
	found := make(names)
	var wg sync.WaitGroup
	for _, name := range list {
		wg.Go(func() { // want `goroutine-race: .*`
			found.add(name)
		})
	}
	wg.Wait()
	found.keep()
}

// Groups is safe for concurrent use. A caller changes the inner map that it gets.
type Groups struct {
	mu sync.Mutex
	of map[string]map[string]int
}

// Add adds a member.
func (g *Groups) Add(group, name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.of[group] == nil {
		g.of[group] = make(map[string]int)
	}
	g.of[group][name]++
}

func (g *Groups) members(group string) map[string]int {
	g.mu.Lock()
	out := g.of[group]
	g.mu.Unlock()
	return out
}

// CountBad counts members.
func (g *Groups) CountBad(group string) (n int) {
	for _, c := range g.members(group) { // want `unguarded-access: .*`
		n += c
	}
	return n
}

// DropBad drops a member.
func (g *Groups) DropBad(group, name string) {
	delete(g.members(group), name) // want `unguarded-access: .*`
}

// Renewed is safe for concurrent use. What the branch stores behind a long call is not
// the deletion of what was found.
type Renewed struct {
	at  map[string]int
	ask func(string) bool
}

// RenewBad renews a name.
func (r *Renewed) RenewBad(name string) {
	if at, ok := r.at[name]; ok { // want `check-then-act: .*`
		if r.ask(name) {
			r.at[name] = at + 1
		}
		return
	}
	r.ask(name)
}

// Weighed is safe for concurrent use. A number may differ from itself.
type Weighed struct {
	by  map[string]float64
	ask func(string) bool
}

// DropBad drops a name.
func (w *Weighed) DropBad(name string) {
	if n, ok := w.by[name]; ok { // want `check-then-act: .*`
		if n > 1 && w.ask(name) {
			delete(w.by, name)
		}
		return
	}
	w.ask(name)
}

// Put puts a number.
func (w *Weighed) Put(name string, n float64) { w.by[name] = n } // want `unguarded-access: .*`

// Swapped is safe for concurrent use. What gives the stamps may be another one later.
type Swapped struct {
	stamp fmt.Stringer
	by    map[string]string
}

// NewSwapped returns one that is empty.
func NewSwapped() *Swapped { return &Swapped{nil, map[string]string{}} }

// Use changes what gives the stamps.
func (s *Swapped) Use(stamp fmt.Stringer) { s.stamp = stamp }

// AddBad adds a name.
func (s *Swapped) AddBad(name string) bool {
	if _, ok := s.by[name]; ok { // want `check-then-act: .*`
		return false
	}
	s.by[name] = s.stamp.String()
	return true
}

// Added is safe for concurrent use. The answer tells who added the name.
type Added struct {
	by  map[string]int
	ask func(string) int
}

// AddBad adds a name.
func (a *Added) AddBad(name string) bool {
	_, ok := a.by[name] // want `check-then-act: .*`
	if ok {
		return false
	}
	n := a.ask(name)
	a.by[name] = n
	return true
}

// Handlers is safe for concurrent use. What is under a key is changed where it is.
type Handlers struct {
	by map[string][]func(string)
}

// AddBad adds a handler.
func (h *Handlers) AddBad(name string, f func(string)) {
	if h.by[name] == nil { // want `check-then-act: .*`
		h.by[name] = []func(string){f}
		return
	}
	h.by[name][0] = f
}

// CallBad calls all.
func (h *Handlers) CallBad(name string) {
	for _, f := range h.by[name] { // want `unguarded-access: .*`
		f(name)
	}
}

// Tariffs is safe for concurrent use. A call may wait between the look at the entry and that in the map which it is.
type Tariffs struct {
	known map[int64]map[string]int
}

// GetBad asks in between.
func (t *Tariffs) GetBad(chain int64, kind string, ask func() bool) int {
	of := t.known[chain] // want `unguarded-access: .*`
	if !ask() {
		return 0
	}
	return of[kind]
}

// PutBad puts.
func (t *Tariffs) PutBad(chain int64, kind string) {
	if t.known[chain] == nil { // want `check-then-act: .*`
		t.known[chain] = make(map[string]int)
	}
	t.known[chain][kind]++
}
