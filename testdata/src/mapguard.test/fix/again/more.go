package again

import (
	"errors"
	"sync"
)

var errNone = errors.New("none")

// The entry's absence is one of two conditions.

type watcher struct {
	sync.RWMutex
	watched map[string]bool
	every   int
	done    chan string
}

func (w *watcher) poll(name string) {
	for range w.every {
		println(name)
	}
}

func (w *watcher) seen(name string) bool {
	w.RLock()
	defer w.RUnlock()
	return w.watched[name]
}

func (w *watcher) startBad(name string) bool {
	if w.every > 9 {
		w.Lock()
		delete(w.watched, name)
		w.Unlock()
		w.done <- name
	}

	w.RLock()
	_, ok := w.watched[name]
	w.RUnlock()

	if w.every > 0 && !ok {
		w.Lock()

		// noted
		w.watched[name] = true // want `split-lock: .*`
		go w.poll(name)
		w.Unlock()
	}
	println(name)
	return <-w.done == name
}

type zone struct {
	name string
	size int
}

type atlas struct {
	mu    sync.Mutex
	zones map[string]*zone
	list  func(string) ([]*zone, error)
}

func (a *atlas) drop(k string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.zones, k)
}

func (a *atlas) known(k string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.zones[k] != nil
}

// Who inserts returns at once: the return at the end is for those who found nothing.
func (a *atlas) firstBad(k string) (*zone, error) {
	if z, ok := a.zones[k]; ok { // want `check-then-act: .*`
		return z, nil
	}
	all, err := a.list(k)
	if err != nil {
		return nil, err
	}
	for _, z := range all {
		if z != nil && z.name == k {
			a.zones[k] = z
			return z, nil
		}
	}
	return nil, errNone
}

// The variable has what the look found before, and is returned with it.
func (a *atlas) sumBad(k string) (*zone, error) {
	z, ok := a.zones[k] // want `check-then-act: .*`
	if ok {
		return z, nil
	}
	z = &zone{name: k}
	all, err := a.list(k)
	if err != nil {
		return nil, err
	}
	for _, o := range all {
		z.size += o.size
	}
	a.zones[k] = z
	return z, nil
}

// The lock is given up for a while.
func (a *atlas) pauseBad(k string) *zone {
	a.mu.Lock()
	defer a.mu.Unlock()
	z, ok := a.zones[k]
	if ok {
		return z
	}
	a.mu.Unlock()
	all, _ := a.list(k)
	a.mu.Lock()
	z = &zone{size: len(all)}
	a.zones[k] = z // want `split-lock: .*`
	return z
}
