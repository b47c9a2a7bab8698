// Package mw has wrappers of handlers for other packages.
package mw

import (
	"net/http"
	"sync"
)

// A Space has a lock for what is in it.
type Space struct{ Lock sync.RWMutex }

// Within calls h with the lock of the space held.
func Within(s *Space, h http.Handler) http.Handler { return exclusive(&s.Lock, h) }

func exclusive(l sync.Locker, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.Lock()
		defer l.Unlock()
		h.ServeHTTP(w, r)
	})
}

// Beside calls h with a lock held for reading.
func Beside(rw *sync.RWMutex, h http.Handler) http.Handler { return exclusive(rw.RLocker(), h) }

// A Door keeps a handler.
type Door struct {
	lock *sync.RWMutex
	in   http.Handler
}

// NewDoor makes a door.
func NewDoor(s *Space, h http.Handler) *Door { return &Door{lock: &s.Lock, in: h} }

func (d *Door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.lock.Lock()
	d.in.ServeHTTP(w, r)
	d.lock.Unlock()
}

// A Hatch is a door that also gives out what is behind it.
type Hatch struct {
	lock *sync.RWMutex
	in   http.Handler
}

// NewHatch makes a hatch.
func NewHatch(s *Space, h http.Handler) *Hatch { return &Hatch{lock: &s.Lock, in: h} }

func (d *Hatch) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.lock.Lock()
	d.in.ServeHTTP(w, r)
	d.lock.Unlock()
}

// Inside gives out what is behind the hatch.
func (d *Hatch) Inside() http.Handler { return d.in }

// Logged calls h, without a lock if that is asked.
func Logged(s *Space, quick bool, h http.Handler) http.Handler {
	if quick {
		return h
	}
	return exclusive(&s.Lock, h)
}
