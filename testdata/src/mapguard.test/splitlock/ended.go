package splitlock

import (
	"errors"
	"sync"
)

type feed struct {
	mu   sync.Mutex
	done chan struct{}
}

// Feeds has the feeds that are open.
type Feeds struct {
	mu   sync.Mutex
	open map[int]*feed
}

// Open adds one.
func (f *Feeds) Open(id int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.open[id] = &feed{done: make(chan struct{})}
}

// CloseBad closes a channel that another call may close as well.
func (f *Feeds) CloseBad(id int) error {
	f.mu.Lock()
	s, ok := f.open[id]
	f.mu.Unlock()
	if !ok {
		return errors.New("no feed")
	}
	s.mu.Lock()
	close(s.done)
	s.mu.Unlock()
	f.mu.Lock()
	delete(f.open, id) // want `split-lock: f\.open is read .* two goroutines can both close or recycle what they found`
	f.mu.Unlock()
	return nil
}

// CloseOk takes it out first.
func (f *Feeds) CloseOk(id int) error {
	f.mu.Lock()
	s, ok := f.open[id]
	delete(f.open, id)
	f.mu.Unlock()
	if !ok {
		return errors.New("no feed")
	}
	close(s.done)
	return nil
}
