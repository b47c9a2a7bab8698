// Package lib gives boats, each with its lock held.
package lib

import "sync"

type Boat struct {
	Mu   sync.Mutex
	Oars map[string]int
}

type Pier struct {
	mu    sync.Mutex
	boats map[string]*Boat
}

func (b *Boat) Put(k string) {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	b.Oars[k]++
}

func (p *Pier) find(name string) *Boat {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.boats[name]
}

// Hire gives the boat that is there, or a new one.
func (p *Pier) Hire(name string) (*Boat, bool) {
	if b := p.find(name); b != nil {
		b.Mu.Lock()
		return b, false
	}
	mine := &Boat{Oars: map[string]int{}}
	mine.Mu.Lock()
	p.mu.Lock()
	defer p.mu.Unlock()
	if b, ok := p.boats[name]; ok {
		b.Mu.Lock()
		return b, false
	}
	p.boats[name] = mine
	return mine, true
}
