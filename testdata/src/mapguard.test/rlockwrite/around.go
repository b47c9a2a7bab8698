package rlockwrite

import "sync"

// Desk takes tickets out under its read lock, but that only where the office that has the desk holds its own lock: all others hold the
// desk's lock for writing. Code outside can name the type, but gets no desk of an office.
type Desk struct {
	mu   sync.RWMutex
	open map[string]bool
}

type desker interface {
	NextOk(k string) bool
	Fill(k string)
}

type Office struct {
	mu    sync.Mutex
	desks []desker
}

func newDesk() *Desk { return &Desk{open: make(map[string]bool)} }

func (o *Office) Begin() {
	o.mu.Lock()
	defer o.mu.Unlock()
	d := newDesk()
	go d.Fill("a")
	o.desks = append(o.desks, d)
}

func (d *Desk) Fill(k string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open[k] = true
}

func (d *Desk) NextOk(k string) bool {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.dropOk(k)
}

func (d *Desk) dropOk(k string) bool {
	delete(d.open, k)
	return true
}

func (o *Office) Serve(k string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.serve(k)
}

func (o *Office) serve(k string) {
	for _, d := range o.desks {
		d.NextOk(k)
	}
}

// The office gives its desks away.

type GivenDesk struct {
	mu   sync.RWMutex
	open map[string]bool
}

type GivingOffice struct {
	mu    sync.Mutex
	desks []*GivenDesk
}

func (o *GivingOffice) Begin() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.desks = append(o.desks, &GivenDesk{open: make(map[string]bool)})
}

func (o *GivingOffice) Desk(i int) *GivenDesk {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.desks[i]
}

func (d *GivenDesk) Fill(k string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open[k] = true
}

func (d *GivenDesk) NextBad(k string) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	delete(d.open, k) // want `rlock-write`
}

func (o *GivingOffice) Serve(k string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, d := range o.desks {
		d.NextBad(k)
		d.Fill(k)
	}
}

// The office holds its lock for reading, as two can do at one time.

type sharedDesk struct {
	mu   sync.RWMutex
	open map[string]bool
}

type SharedOffice struct {
	mu    sync.RWMutex
	desks []*sharedDesk
}

func (o *SharedOffice) Begin() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.desks = append(o.desks, &sharedDesk{open: make(map[string]bool)})
}

func (d *sharedDesk) nextBad(k string) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	delete(d.open, k) // want `rlock-write`
}

func (o *SharedOffice) Serve(k string) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	for _, d := range o.desks {
		d.nextBad(k)
	}
}

// One of two ways there comes without the lock of the office.

type lateDesk struct {
	mu   sync.RWMutex
	open map[string]bool
}

type LateOffice struct {
	mu    sync.Mutex
	desks []*lateDesk
}

func (o *LateOffice) Begin() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.desks = append(o.desks, &lateDesk{open: make(map[string]bool)})
}

func (d *lateDesk) nextBad(k string) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	delete(d.open, k) // want `rlock-write`
}

func (o *LateOffice) Serve(k string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, d := range o.desks {
		d.nextBad(k)
	}
}

func (o *LateOffice) Hurry(i int, k string) {
	o.mu.Lock()
	d := o.desks[i]
	o.mu.Unlock()
	d.nextBad(k)
}

// Who makes a desk of his own has a map by its method, and shares that.

type LazyDesk struct {
	mu   sync.RWMutex
	open map[string]bool
}

type LazyOffice struct {
	mu    sync.Mutex
	desks []*LazyDesk
}

func (o *LazyOffice) Begin() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.desks = append(o.desks, &LazyDesk{})
}

func (d *LazyDesk) Fill(k string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open == nil {
		d.open = make(map[string]bool)
	}
	d.open[k] = true
}

func (d *LazyDesk) NextBad(k string) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	delete(d.open, k) // want `rlock-write`
}

func (o *LazyOffice) Serve(k string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, d := range o.desks {
		d.NextBad(k)
	}
}

// Code outside gets a desk by a function that it passes.

type ToldDesk struct {
	mu   sync.RWMutex
	open map[string]bool
}

type TellingOffice struct {
	mu    sync.Mutex
	desks []*ToldDesk
}

func (o *TellingOffice) Begin(tell func(*ToldDesk)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	d := &ToldDesk{open: make(map[string]bool)}
	o.desks = append(o.desks, d)
	tell(d)
}

func (d *ToldDesk) NextBad(k string) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	delete(d.open, k) // want `rlock-write`
}

func (o *TellingOffice) Serve(k string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, d := range o.desks {
		d.NextBad(k)
	}
}

// All sessions have one table, and each session its own lock.

type SharedTable struct {
	lk   sync.RWMutex
	rows map[string]int
}

type TableSession struct {
	mu  sync.Mutex
	tbl *SharedTable
}

type TableStore struct{ tbl *SharedTable }

func OpenTables() *TableStore { return &TableStore{tbl: &SharedTable{rows: make(map[string]int)}} }

func (s *TableStore) Session() *TableSession { return &TableSession{tbl: s.tbl} }

func (s *TableSession) Put(k string, v int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tbl.PutBad(k, v)
}

func (s *TableSession) Drop(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tbl.Drop(k)
}

func (t *SharedTable) PutBad(k string, v int) {
	t.lk.RLock()
	defer t.lk.RUnlock()
	t.rows[k] = v // want `rlock-write`
}

func (t *SharedTable) Drop(k string) {
	t.lk.Lock()
	defer t.lk.Unlock()
	delete(t.rows, k)
}

// Two branches get the same desk.

type BranchDesk struct {
	lk   sync.RWMutex
	open map[string]bool
}

type Branch struct {
	mu    sync.Mutex
	desks []*BranchDesk
}

func NewBranches() (a, b *Branch) {
	d := &BranchDesk{open: make(map[string]bool)}
	return &Branch{desks: []*BranchDesk{d}}, &Branch{desks: []*BranchDesk{d}}
}

func (b *Branch) Serve(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, d := range b.desks {
		d.NextBad(k)
		d.Fill(k)
	}
}

func (d *BranchDesk) NextBad(k string) {
	d.lk.RLock()
	defer d.lk.RUnlock()
	delete(d.open, k) // want `rlock-write`
}

func (d *BranchDesk) Fill(k string) {
	d.lk.Lock()
	defer d.lk.Unlock()
	d.open[k] = true
}

// A desk is made for each branch, and one branch gives up its own.

type ownDesk struct {
	lk   sync.RWMutex
	open map[string]bool
}

type OwnBranch struct {
	mu    sync.Mutex
	desks []*ownDesk
}

func NewOwnBranch(n int) *OwnBranch {
	b := new(OwnBranch)
	for range n {
		b.desks = append(b.desks, &ownDesk{open: make(map[string]bool)})
	}
	return b
}

func (b *OwnBranch) Serve(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, d := range b.desks {
		d.nextOk(k)
		d.fill(k)
	}
}

func (b *OwnBranch) Close(i int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.desks = append(b.desks[:i], b.desks[i+1:]...)
}

func (d *ownDesk) nextOk(k string) {
	d.lk.RLock()
	defer d.lk.RUnlock()
	delete(d.open, k)
}

func (d *ownDesk) fill(k string) {
	d.lk.Lock()
	defer d.lk.Unlock()
	d.open[k] = true
}

// Code outside gets a desk as a value of any type.

type AnyDesk struct {
	lk   sync.RWMutex
	open map[string]bool
}

type AnyOffice struct {
	mu    sync.Mutex
	desks []*AnyDesk
}

func (o *AnyOffice) Begin() any {
	o.mu.Lock()
	defer o.mu.Unlock()
	d := &AnyDesk{open: make(map[string]bool)}
	o.desks = append(o.desks, d)
	return d
}

func (d *AnyDesk) Fill(k string) {
	d.lk.Lock()
	defer d.lk.Unlock()
	d.open[k] = true
}

func (d *AnyDesk) NextBad(k string) {
	d.lk.RLock()
	defer d.lk.RUnlock()
	delete(d.open, k) // want `rlock-write`
}

func (o *AnyOffice) Serve(k string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, d := range o.desks {
		d.NextBad(k)
		d.Fill(k)
	}
}

// Code outside has a place for the desk.

type PlacedDesk struct {
	lk   sync.RWMutex
	open map[string]bool
}

type PlacingOffice struct {
	mu    sync.Mutex
	desks []*PlacedDesk
}

func (o *PlacingOffice) Begin(to **PlacedDesk) {
	o.mu.Lock()
	defer o.mu.Unlock()
	d := &PlacedDesk{open: make(map[string]bool)}
	o.desks = append(o.desks, d)
	*to = d
}

func (d *PlacedDesk) Fill(k string) {
	d.lk.Lock()
	defer d.lk.Unlock()
	d.open[k] = true
}

func (d *PlacedDesk) NextBad(k string) {
	d.lk.RLock()
	defer d.lk.RUnlock()
	delete(d.open, k) // want `rlock-write`
}

func (o *PlacingOffice) Serve(k string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, d := range o.desks {
		d.NextBad(k)
		d.Fill(k)
	}
}
