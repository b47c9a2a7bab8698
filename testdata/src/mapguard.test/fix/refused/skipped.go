package refused

import (
	"errors"
	"os"
	"sync"
)

// A return at the second look would leave out what ends what was begun since the first one.

type errand struct {
	wg   sync.WaitGroup
	note []string
	file *os.File
	err  error
}

type errands struct {
	mu      sync.Mutex
	notes   map[string][]string
	files   map[string]*os.File
	running map[string]*errand
	done    chan string
	others  sync.Mutex
}

func (e *errands) put(k string, n []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.notes[k] = n
}

// Those who wait for the errand would wait for ever.
func (e *errands) awaitedBad(k string, ask func(string) ([]string, error)) ([]string, error) {
	e.mu.Lock()
	if n, ok := e.notes[k]; ok {
		e.mu.Unlock()
		return n, nil
	}
	if r, ok := e.running[k]; ok {
		e.mu.Unlock()
		r.wg.Wait()
		return r.note, r.err
	}
	r := new(errand)
	r.wg.Add(1)
	e.running[k] = r
	e.mu.Unlock()
	r.note, r.err = ask(k)
	e.mu.Lock()
	defer e.mu.Unlock()
	r.wg.Done()
	if r.err == nil {
		e.notes[k] = r.note // want `split-lock: .*`
	}
	if e.running[k] == r {
		delete(e.running, k)
	}
	return r.note, r.err
}

// The mark would stay.
func (e *errands) markedBad(k string, marks map[string]bool, ask func(string)) []string {
	e.mu.Lock()
	n, ok := e.notes[k]
	e.mu.Unlock()
	if ok {
		return n
	}
	ask(k)
	e.mu.Lock()
	made := []string{k}
	e.notes[k] = made // want `split-lock: .*`
	e.mu.Unlock()
	delete(marks, k)
	return made
}

// No one would be told.
func (e *errands) toldBad(k string, ask func(string)) []string {
	e.mu.Lock()
	n, ok := e.notes[k]
	e.mu.Unlock()
	if ok {
		return n
	}
	ask(k)
	e.mu.Lock()
	made := []string{k}
	e.notes[k] = made // want `split-lock: .*`
	e.mu.Unlock()
	e.done <- k
	return made
}

// The other lock would be kept.
func (e *errands) keptBad(k string) []string {
	e.mu.Lock()
	n, ok := e.notes[k]
	e.mu.Unlock()
	if ok {
		return n
	}
	e.others.Lock()
	e.mu.Lock()
	made := []string{k}
	e.notes[k] = made // want `split-lock: .*`
	e.mu.Unlock()
	e.others.Unlock()
	return made
}

// What others see would not be set back.
func (r *errand) seenBad(e *errands, k string, ask func(string)) []string {
	e.mu.Lock()
	n, ok := e.notes[k]
	e.mu.Unlock()
	if ok {
		return n
	}
	r.err = errors.New("busy")
	ask(k)
	e.mu.Lock()
	defer e.mu.Unlock()
	made := []string{k}
	e.notes[k] = made // want `split-lock: .*`
	r.err = nil
	return made
}

// The file that was opened would never be closed.
func (e *errands) openedBad(k string) (*os.File, error) {
	e.mu.Lock()
	if f, ok := e.files[k]; ok {
		e.mu.Unlock()
		return f, nil
	}
	e.mu.Unlock()
	r := errand{}
	r.file, r.err = os.Open(k)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.files[k] = r.file // want `split-lock: .*`
	return r.file, r.err
}
