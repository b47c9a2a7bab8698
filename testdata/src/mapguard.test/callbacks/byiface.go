package callbacks

import (
	"net/http"
	"sync"
)

// What a call of an interface's method by its value, or by an expression, runs is what the
// value in the interface has.

type putter interface{ put(k string) }

type getter interface{ get(k string) int }

type byValue struct {
	mu sync.Mutex
	m  map[string]int
}

func (s *byValue) put(k string) { s.putBad(k) }

func (s *byValue) putBad(k string) {
	if _, ok := s.m[k]; !ok { // want `check-then-act: `
		s.m[k] = 1
	}
}

func (s *byValue) has(k string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.m[k] > 0
}

var putters putter = &byValue{m: make(map[string]int)}

func servesByValue(w http.ResponseWriter, r *http.Request) {
	put := putters.put
	put(r.URL.Path)
}

type byExpression struct {
	mu sync.Mutex
	m  map[string]int
}

func (s *byExpression) get(k string) int { return s.getBad(k) }

func (s *byExpression) getBad(k string) int {
	if s.m[k] == 0 { // want `check-then-act: `
		s.m[k] = 1
	}
	return 2
}

func (s *byExpression) has(k string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.m[k] > 0
}

var getters getter = &byExpression{m: make(map[string]int)}

func servesByExpression(w http.ResponseWriter, r *http.Request) {
	defer getter.get(getters, r.URL.Path)
}

// One that holds the lock for what it calls.

type lockedPutter interface{ putLocked(k string) }

type byLocked struct {
	mu sync.Mutex
	m  map[string]int
}

func (s *byLocked) putLocked(k string) { s.storeOk(k) }

func (s *byLocked) storeOk(k string) {
	if _, ok := s.m[k]; !ok {
		s.m[k] = 1
	}
}

func (s *byLocked) addOk(to lockedPutter, k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	apply(to.putLocked, k)
	lockedPutter.putLocked(to, k)
}

func apply(f func(string), k string) { f(k) }

var locked = &byLocked{m: make(map[string]int)}

func servesLocked(w http.ResponseWriter, r *http.Request) { locked.addOk(locked, r.URL.Path) }

func init() {
	http.HandleFunc("/value", servesByValue)
	http.HandleFunc("/expression", servesByExpression)
	http.HandleFunc("/locked", servesLocked)
}
