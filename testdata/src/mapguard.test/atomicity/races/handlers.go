package races

import (
	"net/http"
	"sync"
	"time"
)

// Handlers run side by side, and beside who has made them.

func handlerBad(mux *http.ServeMux) {
	hits := make(map[string]int)
	mux.HandleFunc("/", func(_ http.ResponseWriter, r *http.Request) {
		hits[r.URL.Path]++ // want `(goroutine-race|check-then-act|unguarded-access): `
	})
}

func handlerFuncBad() http.Handler {
	seen := make(map[string]bool)
	return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		seen[r.RemoteAddr] = true // want `(goroutine-race|unguarded-access): `
	})
}

func middlewareBad(next http.Handler) http.Handler {
	last := make(map[string]time.Time)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if time.Since(last[r.RemoteAddr]) > time.Second {
			last[r.RemoteAddr] = time.Now() // want `goroutine-race: `
			next.ServeHTTP(w, r)
		}
	})
}

func twoHandlersBad(mux *http.ServeMux) {
	names := make(map[string]string)
	mux.HandleFunc("/get", func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte(names[r.URL.Path]))
	})
	mux.HandleFunc("/set", func(_ http.ResponseWriter, r *http.Request) {
		names[r.URL.Path] = r.RemoteAddr // want `goroutine-race: `
	})
}

func handlerLockedOk(mux *http.ServeMux) {
	var mu sync.Mutex
	hits := make(map[string]int)
	mux.HandleFunc("/", func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		hits[r.URL.Path]++
	})
}

// Made for each request.
func handlerOwnOk(mux *http.ServeMux) {
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		vals := make(map[string]string)
		for k := range r.Header {
			vals[k] = r.Header.Get(k)
		}
	})
}

// Filled before the handler can run, and only read.
func handlerReadsOk(mux *http.ServeMux, names []string) {
	index := make(map[string]int)
	for i, n := range names {
		index[n] = i
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if _, ok := index[r.URL.Path]; !ok {
			http.NotFound(w, r)
		}
	})
}
