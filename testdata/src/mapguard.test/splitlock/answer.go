package splitlock

import (
	"log"
	"net/http"
	"sync"
)

// A server's handler has no results: it tells by its answer whether the step was made.
type accounts struct {
	mu    sync.RWMutex
	users map[string]string
}

func (a *accounts) has(name string) bool {
	a.mu.RLock()
	defer a.mu.RUnlock()
	_, ok := a.users[name]
	return ok
}

func (a *accounts) add(name, secret string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.users[name] = secret
}

func (a *accounts) signUpBad(w http.ResponseWriter, r *http.Request) {
	name := r.FormValue("name")
	if a.has(name) {
		w.WriteHeader(http.StatusConflict)
		return
	}
	a.add(name, r.FormValue("secret")) // want `split-lock: a\.users is read .* two callers are both told that they did it`
}

func (a *accounts) errorBad(w http.ResponseWriter, r *http.Request) {
	name := r.FormValue("name")
	if !a.has(name) {
		a.add(name, r.FormValue("secret")) // want `split-lock: a\.users is read .* two callers are both told that they did it`
		return
	}
	http.Error(w, "there is one", http.StatusConflict)
}

// What is answered in any case tells nothing of the step.
func (a *accounts) noteOk(w http.ResponseWriter, r *http.Request) {
	name := r.FormValue("name")
	if !a.has(name) {
		a.add(name, "")
	}
	w.WriteHeader(http.StatusNoContent)
}

// Who was there before gets the same page.
func (a *accounts) pageOk(w http.ResponseWriter, r *http.Request) {
	name := r.FormValue("name")
	if a.has(name) {
		_, _ = w.Write([]byte("welcome"))
		return
	}
	a.add(name, "")
	_, _ = w.Write([]byte("welcome"))
}

// What comes behind the step is refused, too.
func (a *accounts) blockOk(w http.ResponseWriter, r *http.Request) {
	name := r.FormValue("name")
	if a.has(name) {
		http.Error(w, "blocked", http.StatusForbidden)
		return
	}
	if r.FormValue("bad") != "" {
		a.add(name, "")
		http.Error(w, "blocked", http.StatusForbidden)
	}
}

func (a *accounts) quietOk(_ http.ResponseWriter, r *http.Request) {
	name := r.FormValue("name")
	if a.has(name) {
		log.Print("there is one")
		return
	}
	a.add(name, "")
}
