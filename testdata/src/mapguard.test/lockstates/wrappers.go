package lockstates

import "sync"

// A named mutex counts how often it was taken.
type named struct {
	sync.Mutex
	name string
}

// An own mutex has methods of its own.
type own struct {
	inner sync.Mutex
	taken int
}

func (o *own) Lock() {
	o.inner.Lock()
	o.taken++
}

func (o *own) Unlock() {
	o.taken--
	o.inner.Unlock()
}

type wrapped struct {
	mu named
	m  map[string]*item
}

func (w *wrapped) put(k string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.m[k] = &item{}
}

func (w *wrapped) get(k string) *item {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.m[k]
}

func (w *wrapped) loadBad() {
	w.m["x"] = &item{} // want `unguarded-access: w\.m is written without mu`
}

type wrappedOwn struct {
	mu own
	m  map[string]*item
}

func (w *wrappedOwn) put(k string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.m[k] == nil {
		w.m[k] = &item{}
	}
}

func (w *wrappedOwn) get(k string) *item {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.m[k]
}

func (w *wrappedOwn) loadBad() {
	w.m["x"] = &item{} // want `unguarded-access: w\.m is written without mu`
}

// A locker is known by its methods alone.
type locked struct {
	mu sync.Locker
	m  map[string]*item
}

func (l *locked) put(k string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.m[k] == nil {
		l.m[k] = &item{}
	}
}

func (l *locked) loadBad(k string) {
	if l.m[k] == nil { // want `check-then-act: .*l\.m`
		l.m[k] = &item{}
	}
}
