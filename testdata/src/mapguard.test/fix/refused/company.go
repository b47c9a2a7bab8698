package refused

import (
	"os"
	"sync"
)

// What follows an insertion is more than to put the value in another place.
type drawers struct {
	mu    sync.RWMutex
	open  map[string]*os.File
	names map[*os.File]string
	uses  map[string]int
	last  *os.File
	count int
}

func (d *drawers) drop(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.open, name)
}

// To count may concern the one who comes second as well.
func (d *drawers) countBad(name string) (*os.File, error) {
	d.mu.RLock()
	x, ok := d.open[name]
	d.mu.RUnlock()
	if ok {
		return x, nil
	}
	x, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	d.open[name] = x // want `split-lock: .*`
	d.count++
	d.mu.Unlock()
	return x, nil
}

// So may what does not name the value.
func (d *drawers) useBad(name string) (*os.File, error) {
	d.mu.RLock()
	x, ok := d.open[name]
	d.mu.RUnlock()
	if ok {
		return x, nil
	}
	x, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	d.open[name] = x // want `split-lock: .*`
	d.uses[name] = 1
	d.mu.Unlock()
	return x, nil
}

// A call may do anything.
func (d *drawers) callBad(name string) (*os.File, error) {
	d.mu.RLock()
	x, ok := d.open[name]
	d.mu.RUnlock()
	if ok {
		return x, nil
	}
	x, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	d.open[name] = x // want `split-lock: .*`
	d.names[x] = x.Name()
	d.mu.Unlock()
	return x, nil
}

// A variable of the function is used later.
func (d *drawers) variableBad(name string) (*os.File, string, error) {
	var seen *os.File
	d.mu.RLock()
	x, ok := d.open[name]
	d.mu.RUnlock()
	if ok {
		return x, name, nil
	}
	x, err := os.Open(name)
	if err != nil {
		return nil, "", err
	}
	d.mu.Lock()
	d.open[name] = x // want `split-lock: .*`
	seen = x
	d.mu.Unlock()
	return seen, name, nil
}

// The insertion has no lock.
func (d *drawers) bareBad(name string) (*os.File, error) {
	d.mu.RLock()
	x, ok := d.open[name] // want `check-then-act: .*`
	d.mu.RUnlock()
	if ok {
		return x, nil
	}
	x, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	d.open[name] = x
	d.last = x
	return x, nil
}

// A count that names the value is one, too.
type leaf struct{ name, text string }

type leaves struct {
	mu    sync.Mutex
	load  func(string) leaf
	pages map[string]leaf
	uses  map[string]int
}

func (l *leaves) drop(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.pages, name)
}

func (l *leaves) getBad(name string, fresh chan<- string) leaf {
	l.mu.Lock()
	p, ok := l.pages[name]
	l.mu.Unlock()
	if ok {
		return p
	}
	p = l.load(name)
	fresh <- name
	l.mu.Lock()
	l.pages[name] = p // want `split-lock: .*`
	l.uses[p.name] = l.uses[p.name] + 1
	l.mu.Unlock()
	return p
}
