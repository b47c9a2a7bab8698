package initialisation

import (
	"net/http"
	"sync"
)

// What gives a variable a new struct, with its lock, prepares it: a lock that others may hold is not replaced.

type ghosts struct {
	sync.Mutex
	byName map[string]int
}

var known ghosts

// InitKnownOk puts the first ones in.
func InitKnownOk(names []string) *ghosts {
	known = ghosts{byName: make(map[string]int)}
	for i, n := range names {
		known.byName[n] = i
	}
	return &known
}

// HasOk asks for one.
func (g *ghosts) HasOk(name string) bool {
	g.Lock()
	defer g.Unlock()
	return g.byName[name] > 0
}

// DropOk takes one out.
func (g *ghosts) DropOk(name string) {
	g.Lock()
	defer g.Unlock()
	delete(g.byName, name)
}

// ServeKnownOk asks or takes out.
func ServeKnownOk(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodDelete {
		known.DropOk(r.URL.Path)
	} else if !known.HasOk(r.URL.Path) {
		http.NotFound(w, r)
	}
}

type spirits struct {
	sync.Mutex
	byName map[string]int
}

var seen spirits

// InitSeenBad keeps what is there, so that it may run at any time.
func InitSeenBad(names []string) {
	if seen.byName == nil {
		seen = spirits{byName: make(map[string]int)}
	}
	for i, n := range names {
		seen.byName[n] = i // want `unguarded-access: .*byName.*, low`
	}
}

// HasOk asks for one.
func (g *spirits) HasOk(name string) bool {
	g.Lock()
	defer g.Unlock()
	return g.byName[name] > 0
}

// DropOk takes one out.
func (g *spirits) DropOk(name string) {
	g.Lock()
	defer g.Unlock()
	delete(g.byName, name)
}

// ServeSeenOk asks or takes out.
func ServeSeenOk(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodDelete {
		seen.DropOk(r.URL.Path)
	} else if !seen.HasOk(r.URL.Path) {
		http.NotFound(w, r)
	}
}
