package refused

import (
	"os"
	"sync"
)

// A walk that ends each entry: what a copy would not do.
type ended struct {
	mu sync.Mutex
	// files is guarded by mu.
	files map[string]*os.File
	calls map[string]closer
}

type closer interface{ CloseAll(*ended) }

func (e *ended) put(k string, f *os.File) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.files[k] = f
}

func (e *ended) get(k string) *os.File {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.files[k]
}

// Some entries stay.
func (e *ended) someBad() {
	for name, f := range e.files { // want `check-then-act: .*`
		if f.Sync() != nil {
			continue
		}
		delete(e.files, name)
	}
}

// It ends at the first one that fails.
func (e *ended) firstBad() error {
	for name, f := range e.files { // want `check-then-act: .*`
		if err := f.Close(); err != nil {
			return err
		}
		delete(e.files, name)
	}
	return nil
}

// Not under each condition.
func (e *ended) whenBad() {
	for name, f := range e.files { // want `check-then-act: .*`
		if f.Close() == nil {
			delete(e.files, name)
		}
	}
}

// Another entry goes.
func (e *ended) otherBad(other string) {
	for _, f := range e.files { // want `check-then-act: .*`
		f.Close()
		delete(e.files, other)
	}
}

// The body counts what is left.
func (e *ended) countsBad() {
	for name, f := range e.files { // want `check-then-act: .*`
		f.Close()
		delete(e.files, name)
		println(len(e.files))
	}
}

// What the body calls looks into the map.
func (e *ended) looksBad() {
	for name, f := range e.files { // want `check-then-act: .*`
		f.Close()
		e.tell(name)
		delete(e.files, name)
	}
}

func (e *ended) tell(name string) { println(e.get(name)) }

type reopened struct {
	mu sync.Mutex
	// calls is guarded by mu.
	calls map[string]closer
}

func (e *reopened) put(k string, f closer) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.calls[k] = f
}

// Get may be called by what is closed.
func (e *reopened) Get(k string) closer {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.calls[k]
}

func (e *reopened) closeBad() {
	for name, f := range e.calls { // want `check-then-act: .*`
		f.CloseAll(nil)
		delete(e.calls, name)
	}
}

// The key is a variable of its own, and seen afterwards.
func (e *ended) lastBad() (name string) {
	var f *os.File
	for name, f = range e.files { // want `check-then-act: .*`
		f.Close()
		delete(e.files, name)
	}
	return name
}

// The key is changed on the way.
func (e *ended) changedBad() {
	for name, f := range e.files { // want `check-then-act: .*`
		name += f.Name()
		f.Close()
		delete(e.files, name)
	}
}

// The word means something else here.
func (e *ended) clearsBad(clear func(*os.File)) {
	for name, f := range e.files { // want `check-then-act: .*`
		clear(f)
		delete(e.files, name)
	}
}
