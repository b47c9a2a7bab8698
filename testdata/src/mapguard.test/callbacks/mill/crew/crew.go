// Package crew runs functions in a few goroutines, and tells when none is left.
package crew

import "sync"

type shift struct {
	busy    int
	waiting []func()
	rested  chan struct{}
}

// A Crew does what it is given.
type Crew struct {
	size  int
	shift chan shift
}

// New makes a crew.
func New(size int) *Crew {
	c := &Crew{size: size, shift: make(chan shift, 1)}
	c.shift <- shift{}
	return c
}

// Give has f done beside.
func (c *Crew) Give(f func()) {
	s := <-c.shift
	if s.busy == c.size {
		s.waiting = append(s.waiting, f)
		c.shift <- s
		return
	}
	if s.busy == 0 {
		s.rested = nil
	}
	s.busy++
	c.shift <- s
	go func() {
		for {
			f()
			s := <-c.shift
			if len(s.waiting) == 0 {
				if s.busy--; s.busy == 0 && s.rested != nil {
					close(s.rested)
				}
				c.shift <- s
				return
			}
			f, s.waiting = s.waiting[0], s.waiting[1:]
			c.shift <- s
		}
	}()
}

// Rested gives a channel that is closed when all is done.
func (c *Crew) Rested() <-chan struct{} {
	s := <-c.shift
	defer func() { c.shift <- s }()
	if s.rested == nil {
		s.rested = make(chan struct{})
		if s.busy == 0 {
			close(s.rested)
		}
	}
	return s.rested
}

// A Team does each thing at once.
type Team struct {
	mu    sync.Mutex
	left  int
	ended chan struct{}
}

// Send has f done beside.
func (t *Team) Send(f func()) {
	t.mu.Lock()
	if t.left == 0 {
		t.ended = nil
	}
	t.left++
	t.mu.Unlock()
	go t.run(f)
}

func (t *Team) run(f func()) {
	f()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.left--
	if t.left == 0 && t.ended != nil {
		close(t.ended)
	}
}

// Ended gives a channel that is closed when all is done.
func (t *Team) Ended() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended == nil {
		t.ended = make(chan struct{})
		if t.left == 0 {
			close(t.ended)
		}
	}
	return t.ended
}

// A Pack does each thing at once.
type Pack struct {
	mu    sync.Mutex
	left  int
	begun chan struct{}
	one   chan struct{}
}

// NewPack makes a pack.
func NewPack() *Pack {
	return &Pack{begun: make(chan struct{}), one: make(chan struct{})}
}

// Begin has f done beside, and tells when that begins.
func (t *Pack) Begin(f func()) {
	t.mu.Lock()
	t.left++
	t.mu.Unlock()
	go func() {
		t.mu.Lock()
		if t.left--; t.left == 0 {
			close(t.begun)
		}
		t.mu.Unlock()
		f()
	}()
}

// Begun gives a channel that is closed when all has begun.
func (t *Pack) Begun() <-chan struct{} { return t.begun }

// Race has f done beside, and tells when the first one is.
func (t *Pack) Race(f func()) {
	go func() {
		f()
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.one != nil {
			close(t.one)
			t.one = nil
		}
	}()
}

// One gives a channel that is closed when one is done.
func (t *Pack) One() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.one
}
