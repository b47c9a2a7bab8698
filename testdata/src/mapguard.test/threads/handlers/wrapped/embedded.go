package main

import (
	"net/http"
	"sync"
)

// A hushed handler embeds the one that it wraps, and hides all methods of it.
type hushed struct {
	http.Handler
	mu *sync.Mutex
}

func (h hushed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.Handler.ServeHTTP(w, r)
}

type hushOk struct{ of *shelf }

func (v *hushOk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if v.of.books[r.URL.Path] == 0 {
		v.of.books[r.URL.Path] = 1
	}
}

type talker interface {
	http.Handler
	Talk(name string)
}

// A halfHushed one hides one method of two: the other is called without the lock.
type halfHushed struct {
	talker
	mu *sync.Mutex
}

func (h halfHushed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.talker.ServeHTTP(w, r)
}

type halfBin struct {
	mu    sync.Mutex
	books map[string]int
}

type talkBad struct{ of *halfBin }

func (v *talkBad) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if v.of.books[r.URL.Path] == 0 { // want `check-then-act: .*`
		v.of.books[r.URL.Path] = 1
	}
}

// The server has the object, too, which a goroutine calls this on.
func (v *talkBad) Talk(name string) { v.of.books[name]++ } // want `unguarded-access: v.of.books is read without a lock, and no lock protects it`
