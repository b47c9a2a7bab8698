// Package putback changes maps that functions give back, and puts them back.
package putback

import (
	"fmt"
	"net/http"
	"sync"
)

// Rooms are safe for concurrent use.
type Rooms struct {
	changing   sync.Mutex
	roomsMutex sync.RWMutex
	rooms      map[string]bool
}

func (r *Rooms) all() map[string]bool {
	r.roomsMutex.RLock()
	defer r.roomsMutex.RUnlock()
	return r.rooms
}

func (r *Rooms) set(rooms map[string]bool) {
	r.roomsMutex.Lock()
	defer r.roomsMutex.Unlock()
	r.rooms = rooms
}

// OpenBad changes what the rooms are in turn with others that do so.
func (r *Rooms) OpenBad(name string, open bool) bool {
	r.changing.Lock()
	defer r.changing.Unlock()
	rooms := r.all()
	if _, ok := rooms[name]; !ok {
		return false
	}
	rooms[name] = open // want `unguarded-access: .*`
	r.set(rooms)
	return true
}

// IsOpenBad looks a room up.
func (r *Rooms) IsOpenBad(name string) bool {
	return r.all()[name] // want `unguarded-access: .*`
}

// CountBad counts the open rooms.
func (r *Rooms) CountBad() int {
	n := 0
	for _, open := range r.all() { // want `unguarded-access: .*`
		if open {
			n++
		}
	}
	return n
}

// Doors are safe for concurrent use. Two that change them at one time would each put back a copy
// without what the other has changed.
type Doors struct {
	doorsMutex sync.RWMutex
	doors      map[string]bool
}

func (d *Doors) all() map[string]bool {
	d.doorsMutex.RLock()
	defer d.doorsMutex.RUnlock()
	return d.doors
}

func (d *Doors) set(doors map[string]bool) {
	d.doorsMutex.Lock()
	defer d.doorsMutex.Unlock()
	d.doors = doors
}

// OpenBad changes what the doors are.
func (d *Doors) OpenBad(name string, open bool) {
	doors := d.all()
	doors[name] = open // want `unguarded-access: .*`
	d.set(doors)
}

// Site serves both.
type Site struct {
	rooms Rooms
	doors Doors
}

// ServeHTTP serves a request.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, open := r.URL.Path, r.Method == http.MethodPut
	s.rooms.OpenBad(name, open)
	s.doors.OpenBad(name, open)
	fmt.Fprint(w, s.rooms.IsOpenBad(name), s.rooms.CountBad())
}
