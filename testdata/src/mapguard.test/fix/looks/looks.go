// Package looks has looks without the lock, of which two sections are enough.
package looks

import (
	"errors"
	"sync"
)

// Plugins are loaded by one method, with a section of its own; others look first whether there is one.
type Plugins struct {
	mu     sync.RWMutex
	loaded map[string]string
	disk   func() map[string]string
}

// Get returns one.
func (p *Plugins) Get(id string) (string, bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	path, ok := p.loaded[id]
	return path, ok
}

// Reload takes in what is on the disk.
func (p *Plugins) Reload() {
	for id, path := range p.disk() {
		println(id)
		p.mu.Lock()
		p.loaded[id] = path
		p.mu.Unlock()
	}
}

// UninstallBad looks without the lock, and decides nothing about what Reload puts in.
func (p *Plugins) UninstallBad(id string, remove func(path string) error) error {
	path, ok := p.loaded[id] // want `check-then-act: p.loaded is read here without a lock, then written at line \d+ in Plugins.Reload under p.mu`
	if !ok {
		return errors.New("no such plugin: " + id)
	}
	if err := remove(path); err != nil {
		return err
	}
	p.Reload()
	return nil
}

// WalkBad walks without the lock, and reloads in between.
func (p *Plugins) WalkBad(changed func(path string) bool) {
	for id, path := range p.loaded { // want `check-then-act: p.loaded is ranged over here without a lock, then written at line \d+ under p.mu`
		if changed(path) {
			println(id)
			p.Reload()
		}
	}
}
