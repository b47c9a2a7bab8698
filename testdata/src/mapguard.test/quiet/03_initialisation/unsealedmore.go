package initialisation

import (
	"sync"
	"sync/atomic"
)

// A writer that has the map under another name does not ask for the flag.
type listedSeal struct {
	mu    sync.Mutex
	done  atomic.Bool
	names map[string]int
	other map[string]int
}

func (l *listedSeal) add(k string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.done.Load() {
		return
	}
	l.names[k]++
}

func (l *listedSeal) seal() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done.Store(true)
}

func (l *listedSeal) reset(k string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range []map[string]int{l.names, l.other} {
		m[k] = 0
	}
}

func (l *listedSeal) getBad(k string) int {
	if !l.done.Load() {
		return 0
	}
	return l.names[k] // want `unguarded-access: l.names is read without mu`
}

// A writer runs once, and that late.
type onceSeal struct {
	mu    sync.Mutex
	once  sync.Once
	done  atomic.Bool
	names map[string]int
}

func (o *onceSeal) add(k string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.done.Load() {
		return
	}
	o.names[k]++
}

func (o *onceSeal) seal() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.done.Store(true)
}

func (o *onceSeal) extend(k string) {
	o.once.Do(func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.names[k] = 1
	})
}

func (o *onceSeal) getBad(k string) int {
	if !o.done.Load() {
		return 0
	}
	return o.names[k] // want `unguarded-access: o.names is read without mu`
}

// Two objects can have one map and one lock, and each has a flag.
type twinSeal struct {
	mu    *sync.Mutex
	done  atomic.Bool
	names map[string]int
}

func newTwinSeal(mu *sync.Mutex, names map[string]int) *twinSeal {
	return &twinSeal{mu: mu, names: names}
}

func (t *twinSeal) add(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.done.Load() {
		return
	}
	t.names[k]++
}

func (t *twinSeal) seal() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done.Store(true)
}

func (t *twinSeal) getBad(k string) int {
	if !t.done.Load() {
		return 0
	}
	return t.names[k] // want `unguarded-access: t.names is read without mu`
}
