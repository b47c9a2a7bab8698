// Package infront has maps without a lock behind one that says of nothing else that it is for that.
package infront

import (
	"net/http"
	"sync"
)

type suggestions struct {
	mu     sync.Mutex
	names  []string
	tables map[string][]string
	sorted map[string]bool
}

func (s *suggestions) sort() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names = append(s.names, "")
	for name := range s.tables {
		s.sorted[name] = true
	}
}

func (s *suggestions) setBad(name string, tables []string) {
	if len(tables) > 10 {
		tables = tables[:10]
	}
	s.tables[name] = tables // want `goroutine-race: .*`
}

func (s *suggestions) ofBad(name string) []string {
	t := s.tables[name] // want `unguarded-access: .*`
	if t == nil {
		return []string{}
	}
	return t
}

func serve(s *suggestions) {
	http.HandleFunc("/set", func(w http.ResponseWriter, r *http.Request) {
		s.setBad(r.URL.Path, []string{r.URL.Path})
		s.sort()
	})
	http.HandleFunc("/of", func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(s.ofBad(r.URL.Path)[0]))
	})
}

// Nothing holds it at the map so far.
type visits struct {
	lock  sync.RWMutex
	last  string
	count map[string]int
}

func (v *visits) named() string {
	v.lock.RLock()
	defer v.lock.RUnlock()
	return v.last
}

func (v *visits) name(s string) {
	v.lock.Lock()
	v.last = s
	v.lock.Unlock()
}

func (v *visits) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	v.count[r.URL.Path]++ // want `check-then-act: .*`
	v.name(r.URL.Path)
}
