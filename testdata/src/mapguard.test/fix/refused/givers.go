package refused

import (
	"net/http"
	"sync"
)

// A caller changes what it gets.
type changed struct{ m map[string]int }

func (c *changed) all() map[string]int { return c.m }

func (c *changed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m := c.all()
	m[r.URL.Path] = 1
	println(len(c.all()))
	delete(c.m, r.URL.Path+"1") // want `unguarded-access: .*`
}

// The map holds maps.
type nestedMaps struct{ m map[string]map[string]int }

func (n *nestedMaps) all() map[string]map[string]int { return n.m }

func (n *nestedMaps) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	println(len(n.all()))
	n.m[r.URL.Path] = nil // want `unguarded-access: .*`
}

// What is found in the copy would decide on the map.
type decided struct{ m map[string]*int }

func (d *decided) all() map[string]*int { return d.m }

func (d *decided) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, ok := d.all()[r.URL.Path]; !ok { // want `check-then-act: .*`
		d.m[r.URL.Path] = new(int)
	}
}

// What is got is used again behind the change.
type stale struct{ m map[string]int }

func (s *stale) all() map[string]int { return s.m }

func (s *stale) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m := s.all()
	s.m[r.URL.Path] = 1 // want `unguarded-access: .*`
	println(len(m))
}

// The walk meets the changes that it makes.
type walkedOn struct{ m map[string]int }

func (s *walkedOn) all() map[string]int { return s.m }

func (s *walkedOn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for k := range s.all() { // want `check-then-act: .*`
		delete(s.m, k+"1")
	}
}

func serveGivers() {
	go http.ListenAndServe(":84", &stale{m: map[string]int{}})
	go http.ListenAndServe(":85", &walkedOn{m: map[string]int{}})
	go http.ListenAndServe(":80", &changed{m: map[string]int{}})
	go http.ListenAndServe(":82", &nestedMaps{m: map[string]map[string]int{}})
	go http.ListenAndServe(":83", &decided{m: map[string]*int{}})
}

// Who calls for the map may hold the lock in front of it.
type heldTally struct {
	mu    sync.Mutex
	last  string
	marks map[string]int
}

func (t *heldTally) all() map[string]int { return t.marks }

func (t *heldTally) name(s string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = s
	show(t.all())
}

func show(map[string]int) {}

func (t *heldTally) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	for k := range t.all() { // want `unguarded-access: .*`
		println(k)
	}
	t.name(r.URL.Path)
	t.marks[r.URL.Path] = 1
}

func serveHeldTally() error {
	return http.ListenAndServe(":80", &heldTally{marks: map[string]int{}})
}
