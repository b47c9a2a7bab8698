package lockstates

import "sync"

// A leaf has its tree's mutex.
type leaf struct {
	lock *sync.RWMutex // protects kids
	kids map[string]int
}

type tree struct {
	mu     sync.RWMutex
	leaves map[string]*leaf
}

func (t *tree) grow(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := &leaf{kids: make(map[string]int)}
	l.lock = &t.mu
	t.leaves[k] = l
}

func (l *leaf) set(k string) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.kids[k] = 1
}

func (t *tree) resetOk() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, l := range t.leaves {
		clear(l.kids)
	}
}

func (t *tree) resetBad(l *leaf) {
	clear(l.kids) // want `unguarded-access: .*l\.kids`
}

// A twig's mutex is now its owner's, now one of its own.
type twig struct {
	lock *sync.RWMutex // protects kids
	kids map[string]int
}

func (t *tree) sprout(own bool) *twig {
	w := &twig{kids: make(map[string]int), lock: &t.mu}
	if own {
		w.lock = new(sync.RWMutex)
	}
	return w
}

func (w *twig) set(k string) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.kids[k] = 1
}

func (t *tree) resetTwigBad(w *twig) {
	t.mu.Lock()
	defer t.mu.Unlock()
	clear(w.kids) // want `unguarded-access: .*w\.kids`
}
