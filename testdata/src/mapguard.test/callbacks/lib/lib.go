// Package lib runs functions of its importers.
package lib

import "sync"

type Guard struct {
	Mu   sync.RWMutex
	hook func()
}

func (g *Guard) Do(f func()) {
	g.Mu.Lock()
	defer g.Mu.Unlock()
	each(func() { f() })
}

func each(f func()) { f() }

func (g *Guard) Read(f func()) {
	g.Mu.RLock()
	defer g.Mu.RUnlock()
	f()
}

func (g *Guard) Wrap(f func()) func() {
	return func() {
		g.Mu.Lock()
		defer g.Mu.Unlock()
		f()
	}
}

func (g *Guard) Later(f func()) {
	g.hook = func() {
		g.Mu.Lock()
		defer g.Mu.Unlock()
		f()
	}
}

func (g *Guard) Start(f func()) { go func() { f() }() }

func Plain(f func()) { each(f) }
