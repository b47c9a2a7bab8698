// Package newmutex has maps without any lock.
package newmutex

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
)

var errTaken = errors.New("taken")

// Registry is safe for concurrent use.
type Registry struct {
	name string

	// What is registered.
	byName map[string]int
	byID   map[int]string
	clock  func() int
}

// New returns an empty registry.
func New(name string, clock func() int) *Registry {
	r := &Registry{name: name, byName: make(map[string]int), byID: make(map[int]string), clock: clock}
	if clock == nil {
		r.clock = func() int { return 1 }
	}
	return r
}

// AddBad adds a name.
func (r *Registry) AddBad(name string) error {
	name = strings.ToLower(name)
	if _, ok := r.byName[name]; ok { // want `check-then-act: .*`
		return errTaken
	}
	id := r.clock()
	r.byName[name] = id
	r.byID[id] = name
	return nil
}

// DropBad drops a name.
func (r *Registry) DropBad(name string, done chan<- bool) {
	id := r.byName[name] // want `unguarded-access: .*`
	delete(r.byName, name)
	delete(r.byID, id)
	done <- true
}

// Name returns the name of an identifier.
func (r *Registry) Name(id int) string {
	return r.byID[id]
}

// Title uses no map.
func (r *Registry) Title() string { return r.name }

// Weights is safe for concurrent use.
type Weights struct {
	cache map[string]float64
	weigh func(string) float64
}

// Get takes what is unknown long: two short sections, the second with a look of its
// own.
func (w *Weights) GetBad(tag string) float64 {
	weight, ok := w.cache[tag] // want `check-then-act: .*`
	if ok {
		return weight
	}
	weight = w.weigh(tag)
	w.cache[tag] = weight
	return weight
}

// Labels is safe for concurrent use. The name that a mutex would have is taken.
type Labels struct {
	mu   string
	seen map[string]int
}

// AddBad adds a label.
func (l *Labels) AddBad(label string) bool {
	if _, ok := l.seen[label]; ok { // want `check-then-act: .*`
		return false
	}
	l.seen[label] = len(l.mu)
	return true
}

// queue has a lock of its own.
type queue struct {
	sync.Mutex
	names []string
}

func (q *queue) add(name string) {
	q.Lock()
	defer q.Unlock()
	q.names = append(q.names, name)
}

// A maker makes what cannot be ended.
type maker interface{ Make(name string) string }

// Makers is safe for concurrent use. The lock of one of its parts is not for the map,
// and what loses cannot be ended by anyone.
type Makers struct {
	pending *queue
	known   map[string]maker
	load    func(string) maker
}

// GetBad loads what is not known.
func (m *Makers) GetBad(name string) maker {
	if known, ok := m.known[name]; ok { // want `check-then-act: .*`
		return known
	}
	made := m.load(name)
	m.known[name] = made
	return made
}

// Add is put off.
func (m *Makers) Add(name string) { m.pending.add(name) }

// A group of variables gets one mutex for its maps.
var (
	limit  = 10
	lines  = make(map[string][]string)
	counts = make(map[string]int)
)

// Reset forgets all.
func Reset() {
	lines = make(map[string][]string)
	counts = make(map[string]int)
}

// AppendBad computes what it appends before it takes the mutex.
func AppendBad(name string, next func() string) {
	lines[name] = append(lines[name], next()) // want `check-then-act: .*`
}

// LinesBad returns in the middle of the section, and passes a copy on.
func LinesBad(name string, w io.Writer) []string {
	if _, ok := lines[name]; ok { // want `unguarded-access: .*`
		return lines[name]
	}
	fmt.Fprintln(w, "not there:", name, lines)
	return nil
}

// Count counts.
func Count(name string) int {
	if counts[name] > limit {
		return limit
	}
	return counts[name]
}

// Fees is safe for concurrent use. A local variable has an entry, which is a map, too.
type Fees struct {
	of int
	by map[int64]map[string]int
}

// GetBad returns whether a fee is known.
func (f *Fees) GetBad(chain int64, kind string) bool {
	if of, ok := f.by[chain]; ok { // want `unguarded-access: .*`
		if until, ok := of[kind]; ok {
			return until > f.of
		}
	}
	return false
}

// PutBad says that a fee is known.
func (f *Fees) PutBad(chain int64, kind string) {
	of, ok := f.by[chain] // want `check-then-act: .*`
	if !ok {
		of = make(map[string]int)
		f.by[chain] = of
	}
	of[kind] = f.of + 1
}
