package refused

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

// Walks is safe for concurrent use. A literal that may run at any time uses the map.
type Walks struct {
	seen map[string]int
	run  func(func())
}

// AddBad adds a name.
func (w *Walks) AddBad(name string) bool {
	if _, ok := w.seen[name]; ok { // want `check-then-act: .*`
		return false
	}
	w.seen[name] = 1
	w.run(func() { delete(w.seen, name) })
	return true
}

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
