package lockstates

import "sync"

// A ledger hands its lock to the batch that it opens: the one that closes the batch
// unlocks.
type ledger struct {
	mu       sync.Mutex
	balances map[string]int
}

func (l *ledger) Pay(k string, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.balances[k] += n
}

func (l *ledger) Balance(k string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.balances[k]
}

type batch struct {
	of   *ledger
	gone []string
}

func (l *ledger) Open() *batch {
	l.mu.Lock()
	return &batch{of: l}
}

func (b *batch) EachOk(f func(string)) {
	for k := range b.of.balances {
		f(k)
	}
}

func (b *batch) DropOk(k string) { b.gone = append(b.gone, k) }

func (b *batch) Abort() { b.of.mu.Unlock() }

func (b *batch) CommitOk() {
	for _, k := range b.gone {
		if b.of.balances[k] == 0 {
			delete(b.of.balances, k)
		}
	}
	b.of.mu.Unlock()
}

func (b *batch) CommitAndReadBad(k string) int {
	b.of.mu.Unlock()
	return b.of.balances[k] // want `unguarded-access: .*balances.*, low`
}

// One of two makers of a session has not locked.
type roster struct {
	mu    sync.Mutex
	names map[string]bool
}

type session struct{ of *roster }

func (r *roster) Add(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.names[k] = true
}

func (r *roster) Has(k string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.names[k]
}

func (r *roster) Locked() *session {
	r.mu.Lock()
	return &session{of: r}
}

func (r *roster) Unlocked() *session { return &session{of: r} }

func (s *session) End() { s.of.mu.Unlock() }

func (s *session) HasBad(k string) bool {
	return s.of.names[k] // want `unguarded-access: .*names.*, low`
}

// The view is made under the lock, and it is gone again when the caller
// gets the view: its unlocking belongs to a lock that it takes itself.
type gallery struct {
	mu   sync.Mutex
	pics map[string]int
}

type view struct{ of *gallery }

func (g *gallery) Hang(k string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pics[k] = 1
}

func (g *gallery) View() *view {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pics["seen"]++
	return &view{of: g}
}

func (v *view) lock()   { v.of.mu.Lock() }
func (v *view) unlock() { v.of.mu.Unlock() }

func (v *view) SeenOk(k string) int {
	v.lock()
	defer v.unlock()
	return v.of.pics[k]
}

func (v *view) HasBad(k string) bool {
	_, ok := v.of.pics[k] // want `unguarded-access: .*pics.*, low`
	return ok
}

// A cursor is made by a helper of those that lock, who unlock if that fails; it
// has the lock for reading.
type shelf struct {
	mu    sync.RWMutex
	books map[string]int
}

type cursor struct{ at *shelf }

func newCursor(s *shelf) *cursor { return &cursor{at: s} }

func (s *shelf) Place(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.books[k]++
}

func (s *shelf) Cursor(k string) (*cursor, bool) {
	s.mu.RLock()
	if s.books[k] == 0 {
		s.mu.RUnlock()
		return nil, false
	}
	return newCursor(s), true
}

func (c *cursor) Close() { c.at.mu.RUnlock() }

func (c *cursor) CountOk(k string) int { return c.at.books[k] }

func (c *cursor) TakeBad(k string) {
	delete(c.at.books, k) // want `rlock-write: .*books`
}

// Goroutines share the object that has the lock: it keeps only others out.
type field struct {
	mu   sync.Mutex
	rows map[string]int
}

type plough struct{ on *field }

func (f *field) Sow(k string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rows[k] = 1
}

func (f *field) Rows() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.rows)
}

func (f *field) Plough() *plough {
	f.mu.Lock()
	return &plough{on: f}
}

func (p *plough) Done() { p.on.mu.Unlock() }

func (p *plough) TurnBad(k string) {
	p.on.rows[k]++ // want `rows`
}

func (f *field) TurnBoth() {
	p := f.Plough()
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { defer wg.Done(); p.TurnBad("a") }()
	go func() { defer wg.Done(); p.TurnBad("b") }()
	wg.Wait()
	p.Done()
}

// Others find the object that has the lock, and use it when that is gone.
type depot struct {
	mu    sync.Mutex
	boxes map[string]int
	last  *pickup
}

type pickup struct{ at *depot }

func (d *depot) Put(k string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.boxes[k] = 1
}

func (d *depot) Count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.boxes)
}

func (d *depot) Pickup() *pickup {
	d.mu.Lock()
	d.last = &pickup{at: d}
	return d.last
}

func (d *depot) Last() *pickup {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.last
}

func (p *pickup) Leave() { p.at.mu.Unlock() }

func (p *pickup) TakeBad(k string) {
	delete(p.at.boxes, k) // want `unguarded-access: .*boxes.*, low`
}

// The field leads to another depot than the one that was locked.
type annex struct {
	mu    sync.Mutex
	boxes map[string]int
}

type transfer struct{ at *annex }

func (a *annex) Put(k string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.boxes[k] = 1
}

func (a *annex) Count() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.boxes)
}

func (a *annex) Transfer() *transfer {
	a.mu.Lock()
	return &transfer{at: a}
}

func (t *transfer) To(b *annex) { t.at = b }

func (t *transfer) Leave() { t.at.mu.Unlock() }

func (t *transfer) TakeBad(k string) {
	delete(t.at.boxes, k) // want `unguarded-access: .*boxes.*, low`
}
