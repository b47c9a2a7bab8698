// Package takenout pins the fix of a walk that ends each entry and deletes it: the
// entries are taken out under the lock first.
package takenout

import (
	"os"
	"sync"
)

type pool struct {
	mu sync.Mutex
	// files is guarded by mu.
	files map[string]*os.File
	names []string
}

func (p *pool) put(k string, f *os.File) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.files[k] = f
}

func (p *pool) get(k string) *os.File {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.files[k]
}

func (p *pool) closeBad() {
	for name, f := range p.files { // want `check-then-act: .*`
		f.Close()
		delete(p.files, name)
	}
}

// The key is used once more, and the entry goes first.
func (p *pool) keyBad() (first error) {
	for name, f := range p.files { // want `check-then-act: .*`
		delete(p.files, name) // it is gone
		if err := f.Close(); err != nil && first == nil {
			first = &os.PathError{Op: "close", Path: name, Err: err}
		}
	}
	return first
}

// The values are not named.
func (p *pool) namesBad() {
	for name := range p.files { // want `check-then-act: .*`
		os.Remove(name)
		delete(p.files, name)
	}
}

func (p *pool) valuesBad() {
	for name := range p.files { // want `check-then-act: .*`
		_ = os.Getpid()
		os.Stdout.Sync()
		delete(p.files, name)
	}
}
