package splitlock

import (
	"math/rand/v2"
	"sync"
)

type header struct{ id int64 }

type subscriber struct {
	header
	name string
}

func (s *subscriber) gone() bool { return s.name == "" }

type subscribers struct {
	mu sync.Mutex
	m  map[int64]*subscriber
}

func (s *subscribers) addOk(name string) *subscriber {
	sub := &subscriber{header: header{id: rand.Int64()}, name: name}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.m[sub.id] != nil {
		return nil
	}
	s.m[sub.id] = sub
	return sub
}

// Each is under a number of its own, which a literal in a literal has drawn: what is
// deleted is what was found.
func (s *subscribers) dropOk() {
	s.mu.Lock()
	all := make([]*subscriber, 0, len(s.m))
	for _, sub := range s.m {
		all = append(all, sub)
	}
	s.mu.Unlock()
	drop := func(sub *subscriber) {
		s.mu.Lock()
		delete(s.m, sub.id)
		s.mu.Unlock()
	}
	for _, sub := range all {
		if sub.gone() {
			drop(sub)
		}
	}
}

type subscribersByName struct {
	mu sync.Mutex
	m  map[string]*subscriber
}

func (n *subscribersByName) addOk(name string) *subscriber {
	sub := &subscriber{header: header{id: rand.Int64()}, name: name}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.m[sub.name] != nil {
		return nil
	}
	n.m[sub.name] = sub
	return sub
}

// Another one can have come under the name.
func (n *subscribersByName) dropBad() {
	n.mu.Lock()
	all := make([]*subscriber, 0, len(n.m))
	for _, sub := range n.m {
		all = append(all, sub)
	}
	n.mu.Unlock()
	drop := func(sub *subscriber) {
		n.mu.Lock()
		delete(n.m, sub.name) // want `split-lock: n\.m is ranged over`
		n.mu.Unlock()
	}
	for _, sub := range all {
		if sub.gone() {
			drop(sub)
		}
	}
}

// A tree keeps how many lie under each.
type tree struct {
	mu    sync.RWMutex
	below map[string][]string
	sizes map[string]int
	ranks map[string]int
}

// walk gives all that lie under one, in a map of its own.
func (t *tree) walk(k string) map[string]bool {
	seen := map[string]bool{}
	var visit func(string)
	visit = func(k string) {
		if !seen[k] {
			seen[k] = true
			for _, c := range t.below[k] {
				visit(c)
			}
		}
	}
	visit(k)
	return seen
}

// Each would store the same: the size of a map of its own is drawn from nothing.
func (t *tree) sizeBad(k string) int {
	t.mu.RLock()
	n, ok := t.sizes[k]
	under := t.walk(k)
	t.mu.RUnlock()
	if ok {
		return n
	}
	n = len(under)
	t.mu.Lock()
	t.sizes[k] = n // want `split-lock: .*, low`
	t.mu.Unlock()
	return n
}

// The size of the shared map is another one for each that comes: two get two ranks for one key.
func (t *tree) rankBad(k string) int {
	t.mu.RLock()
	n, ok := t.ranks[k]
	t.mu.RUnlock()
	if ok {
		return n
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	n = len(t.ranks)
	t.ranks[k] = n // want `split-lock: .*both`
	return n
}
