package again

import (
	"os"
	"sync"
)

// What is inserted goes to a second map, too: that belongs to the insertion.
type files struct {
	mu    sync.RWMutex
	open  map[string]*os.File
	names map[*os.File]string
	last  *os.File
	count int
}

func (f *files) drop(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.open, name)
}

func (f *files) openBad(name string) (*os.File, error) {
	f.mu.RLock()
	x, ok := f.open[name]
	f.mu.RUnlock()
	if ok {
		return x, nil
	}
	x, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	f.open[name] = x // want `split-lock: .*`
	f.names[x] = name
	f.last = x
	f.mu.Unlock()
	return x, nil
}

// The section ends with the function.
func (f *files) deferredBad(name string) (*os.File, error) {
	f.mu.RLock()
	x, ok := f.open[name]
	f.mu.RUnlock()
	if ok {
		return x, nil
	}
	x, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.open[name] = x // want `split-lock: .*`
	f.names[x] = name
	return x, nil
}

// The value needs no end, and is not used any more.
type sheets struct {
	mu    sync.Mutex
	load  func(string) []byte
	pages map[string][]byte
	last  []byte
}

func (s *sheets) drop(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.pages, name)
}

func (s *sheets) fillBad(name string, fresh chan<- string) {
	s.mu.Lock()
	_, ok := s.pages[name]
	s.mu.Unlock()
	if ok {
		return
	}
	page := s.load(name)
	fresh <- name
	s.mu.Lock()
	s.pages[name] = page // want `split-lock: .*`
	s.last = page
	s.mu.Unlock()
}

// It is returned.
func (s *sheets) pageBad(name string) []byte {
	s.mu.Lock()
	page, ok := s.pages[name]
	s.mu.Unlock()
	if ok {
		return page
	}
	page = s.load(name)
	s.mu.Lock()
	s.pages[name] = page // want `split-lock: .*`
	s.last = page
	s.mu.Unlock()
	return page
}
