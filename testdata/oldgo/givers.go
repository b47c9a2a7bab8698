package oldgo

import (
	"net/http"
	"sync"
)

// A book gives its notes back: with a new mutex it gives a copy, which is nil where they are.
type book struct {
	notes map[string]*note
}

func (b *book) all() map[string]*note {
	return b.notes
}

func (b *book) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for k := range b.all() { // want `unguarded-access: .*`
		println(k)
	}
	b.notes[r.URL.Path] = &note{}
}

func serveBook() error { return http.ListenAndServe(":80", &book{notes: map[string]*note{}}) }

// Store is safe for concurrent use.
type Store struct {
	mu    sync.Mutex
	m     map[string]int
	parts map[string]map[string]int
}

// Put stores a value.
func (s *Store) Put(k string, v int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[k] = v
	s.parts[k] = map[string]int{k: v}
}

// Delete deletes a value.
func (s *Store) Delete(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.m, k)
	delete(s.parts, k)
}

// AllBad returns all values.
func (s *Store) AllBad() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.m // want `map-escape: .*`
}
