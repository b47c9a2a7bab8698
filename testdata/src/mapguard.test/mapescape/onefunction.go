package mapescape

import "sync"

// Event is what a handler gets.
type Event struct {
	ID   string
	Data map[string]any
}

type report struct{ data map[string]any }

// Reports has the reports.
var Reports = make(chan *report, 10)

var eventMu sync.Mutex

// Handle holds a lock for other things: nothing else comes to the event under it.
func Handle(e *Event) {
	eventMu.Lock()
	defer eventMu.Unlock()
	if e.Data == nil {
		e.Data = make(map[string]any)
	}
	e.Data["id"] = e.ID
	Reports <- &report{e.Data} // want `map-escape: .*, low`
}

// Shared has its data under the lock of two functions.
type Shared struct {
	Data map[string]any
}

var sharedMu sync.Mutex

// PutBad passes on what others change under the lock.
func PutBad(s *Shared, k string) {
	sharedMu.Lock()
	defer sharedMu.Unlock()
	s.Data[k] = k
	Reports <- &report{s.Data} // want `map-escape: .*, medium`
}

// Drop changes it.
func Drop(s *Shared, k string) {
	sharedMu.Lock()
	defer sharedMu.Unlock()
	delete(s.Data, k)
}

// Show shows one.
func Show() {
	r := <-Reports
	for k := range r.data {
		println(k)
	}
}

type session struct{ vals map[string]int }

var (
	sessionsMu sync.Mutex
	sessions   = make(map[string]*session)
)

// UpdateBad returns the map of an object that it has found itself, under the lock of the objects.
func UpdateBad(id, k string) map[string]int {
	sessionsMu.Lock()
	defer sessionsMu.Unlock()
	s := sessions[id]
	if s == nil {
		s = &session{vals: make(map[string]int)}
		sessions[id] = s
	}
	s.vals[k]++
	return s.vals // want `map-escape: .*, medium`
}
