package infront

import (
	"net/http"
	"sync"
)

// The lock in front is taken where the map is given back, too.
type tally struct {
	mu    sync.Mutex
	last  string
	marks map[string]int
}

func (t *tally) all() map[string]int { return t.marks }

func (t *tally) name(s string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = s
}

func (t *tally) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	for k := range t.all() { // want `unguarded-access: .*`
		println(k)
	}
	t.name(r.URL.Path)
	t.marks[r.URL.Path] = 1
}

func serveTally() error { return http.ListenAndServe(":80", &tally{marks: map[string]int{}}) }
