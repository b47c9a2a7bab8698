package user

import (
	"sync"

	"mapguard.test/locks/perkey"
)

// The goroutines that work on what was put into a map have its lock, by whichever name.

type site struct {
	mu  sync.Mutex
	bin *perkey.Bin
}

type Sites struct {
	mu  sync.Mutex
	all map[string]*site
}

func (s *Sites) OpenOk(name string) {
	w := &site{bin: perkey.NewBin()}
	s.mu.Lock()
	if _, ok := s.all[name]; ok {
		s.mu.Unlock()
		return
	}
	s.all[name] = w
	s.mu.Unlock()
	for i := 0; i < 4; i++ {
		go workOk(w)
	}
}

func workOk(w *site) {
	for n := w.next(); n > 1; n = w.next() {
		w.put("again", n-1)
	}
}

func (w *site) next() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.bin.Next()
}

func (w *site) put(id string, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bin.Put(id, n)
}

type openSite struct {
	mu  sync.Mutex
	bin *perkey.Bin
}

type OpenSites struct {
	mu  sync.Mutex
	all map[string]*openSite
}

func (s *OpenSites) OpenBad(name string) {
	w := &openSite{bin: perkey.NewBin()}
	s.mu.Lock()
	if _, ok := s.all[name]; ok {
		s.mu.Unlock()
		return
	}
	s.all[name] = w
	s.mu.Unlock()
	for i := 0; i < 4; i++ {
		go workOpen(w) // want `goroutine-race`
	}
}

func workOpen(w *openSite) {
	for n := w.next(); n > 1; n = w.next() {
		w.put("again", n-1)
	}
}

func (w *openSite) next() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.bin.Next()
}

func (w *openSite) put(id string, n int) {
	w.mu.Lock()
	w.mu.Unlock()
	w.bin.Put(id, n)
}
