// Package router registers more handlers in one function than the bound on goroutines
// that are looked at.
package router

import (
	"net/http"
	"sync"
)

type site struct{ peers map[string]string }

var global = site{peers: make(map[string]string)}

var edits sync.Mutex

func (s *site) editBad(k, v string) {
	edits.Lock()
	defer edits.Unlock()
	s.peers[k] = v // want `goroutine-race: .*, high`
}

func (s *site) knows(k string) bool {
	_, ok := s.peers[k]
	return ok
}

type api struct{}

func traced(f http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		defer println(r.URL.Path)
		f(w, r)
	}
}

func (api) ping(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusOK) }

func (api) edit(w http.ResponseWriter, r *http.Request) {
	global.editBad(r.FormValue("name"), r.FormValue("addr"))
}

func (api) status(w http.ResponseWriter, r *http.Request) {
	if !global.knows(r.FormValue("name")) {
		w.WriteHeader(http.StatusNotFound)
	}
}

// Register adds the handlers.
func Register(mux *http.ServeMux) {
	a := api{}
	mux.Handle("/ping0", traced(a.ping))
	mux.Handle("/ping1", traced(a.ping))
	mux.Handle("/ping2", traced(a.ping))
	mux.Handle("/ping3", traced(a.ping))
	mux.Handle("/ping4", traced(a.ping))
	mux.Handle("/ping5", traced(a.ping))
	mux.Handle("/ping6", traced(a.ping))
	mux.Handle("/ping7", traced(a.ping))
	mux.Handle("/ping8", traced(a.ping))
	mux.Handle("/ping9", traced(a.ping))
	mux.Handle("/ping10", traced(a.ping))
	mux.Handle("/ping11", traced(a.ping))
	mux.Handle("/ping12", traced(a.ping))
	mux.Handle("/ping13", traced(a.ping))
	mux.Handle("/ping14", traced(a.ping))
	mux.Handle("/ping15", traced(a.ping))
	mux.Handle("/ping16", traced(a.ping))
	mux.Handle("/ping17", traced(a.ping))
	mux.Handle("/ping18", traced(a.ping))
	mux.Handle("/ping19", traced(a.ping))
	mux.Handle("/ping20", traced(a.ping))
	mux.Handle("/ping21", traced(a.ping))
	mux.Handle("/ping22", traced(a.ping))
	mux.Handle("/ping23", traced(a.ping))
	mux.Handle("/ping24", traced(a.ping))
	mux.Handle("/ping25", traced(a.ping))
	mux.Handle("/ping26", traced(a.ping))
	mux.Handle("/ping27", traced(a.ping))
	mux.Handle("/ping28", traced(a.ping))
	mux.Handle("/ping29", traced(a.ping))
	mux.Handle("/ping30", traced(a.ping))
	mux.Handle("/ping31", traced(a.ping))
	mux.Handle("/ping32", traced(a.ping))
	mux.Handle("/ping33", traced(a.ping))
	mux.Handle("/ping34", traced(a.ping))
	mux.Handle("/ping35", traced(a.ping))
	mux.Handle("/ping36", traced(a.ping))
	mux.Handle("/ping37", traced(a.ping))
	mux.Handle("/ping38", traced(a.ping))
	mux.Handle("/ping39", traced(a.ping))
	mux.Handle("/ping40", traced(a.ping))
	mux.Handle("/ping41", traced(a.ping))
	mux.Handle("/edit", traced(a.edit))
	mux.Handle("/status", traced(a.status))
}
