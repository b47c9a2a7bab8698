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
	clear(l.kids) // want `unguarded-access: .*l\.kids.*, low`
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
	clear(w.kids) // want `unguarded-access: .*w\.kids.*, low`
}

// A reach has its table's lock as a sync.Locker, and the table's lock does more
// than to lock. What it calls in the table runs with the table's lock.
type fence struct {
	inner sync.RWMutex
	open  bool
	later []func()
}

func (f *fence) Lock() {
	f.inner.Lock()
	f.open = true
}

func (f *fence) Unlock() {
	defer f.inner.Unlock()
	f.open = false
	for _, do := range f.later {
		do()
	}
}

type table struct {
	mu   fence
	rows map[string]int
	ends map[string]int
}

func (t *table) locker() *fence { return &t.mu }

type reach struct {
	lock  sync.Locker
	table *table
}

func (t *table) open() *reach { return &reach{lock: t.locker(), table: t} }

func (t *table) Put(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.touchOk(k)
	t.end(k)
}

func (t *table) touchOk(k string) { t.rows[k]++ }

func (c *reach) NextOk(k string) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.next(k)
}

func (c *reach) next(k string) { c.table.touchOk(k) }

func (t *table) end(k string) { t.ends[k]++ }

func (c *reach) CloseBad(k string) {
	c.table.end(k) // want `unguarded-access: .*needs inner.*, low`
}

func (t *table) Drop(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	clear(t.rows)
	clear(t.ends)
}

// Other packages can give a hatch another lock: it holds the table's perhaps.
type hatch struct {
	Lock  *sync.Mutex // the table's
	table *shed
}

type shed struct {
	mu   sync.Mutex
	rows map[string]int
}

func (t *shed) hatch() *hatch { return &hatch{&t.mu, t} }

// t.mu must be locked.
func (t *shed) dropOk(k string) { delete(t.rows, k) }

func (t *shed) countedOk(k string) { t.dropOk(k) }

func (t *shed) Add(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rows[k]++
	t.countedOk(k)
}

func (h *hatch) CloseOk(k string) {
	h.Lock.Lock()
	defer h.Lock.Unlock()
	h.table.countedOk(k)
}
