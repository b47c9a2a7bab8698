package lockstates

import "sync"

// What a function value gets as an interface, under a lock, uses it under that lock.

// A Till is what a visitor sees of the cash desk.
type Till interface{ PayOk(coin string) }

type cash struct{ coins map[string]int }

// A Kiosk lends its cash to visitors.
type Kiosk struct {
	mu    sync.Mutex
	cash  *cash
	visit func(Till)
}

// NewKiosk makes a kiosk.
func NewKiosk(visit func(Till)) *Kiosk {
	return &Kiosk{cash: &cash{coins: map[string]int{}}, visit: visit}
}

func (c *cash) PayOk(coin string) { c.coins[coin] = 1 }

// OpenOk lends the cash under the lock.
func (k *Kiosk) OpenOk() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.visit(k.cash)
}

// ReopenOk does so in a helper.
func (k *Kiosk) ReopenOk() {
	k.mu.Lock()
	k.lendOk()
	k.mu.Unlock()
}

func (k *Kiosk) lendOk() { k.visit(k.cash) }

// TakeOk takes a coin.
func (k *Kiosk) TakeOk(coin string) int {
	k.mu.Lock()
	defer k.mu.Unlock()
	n := k.cash.coins[coin]
	delete(k.cash.coins, coin)
	return n
}

// EmptyOk takes all.
func (k *Kiosk) EmptyOk() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for c := range k.cash.coins {
		delete(k.cash.coins, c)
	}
	k.cash.coins = map[string]int{}
}

// A Shelf is lent without the lock once.
type Shelf interface{ PutBad(book string) }

type books struct{ titles map[string]int }

// A Library lends its books.
type Library struct {
	mu    sync.Mutex
	books *books
	visit func(Shelf)
}

func (b *books) PutBad(book string) {
	b.titles[book] = 1 // want `unguarded-access: b.titles is written without mu`
}

// OpenOk lends them under the lock.
func (l *Library) OpenOk() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.visit(l.books)
}

// LeaveOk makes the interface under the lock, and lends it when that is gone.
func (l *Library) LeaveOk() {
	l.mu.Lock()
	s := Shelf(l.books)
	l.mu.Unlock()
	l.visit(s)
}

// TakeOk takes a book.
func (l *Library) TakeOk(book string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.books.titles[book]
	delete(l.books.titles, book)
	return n
}

// EmptyOk takes all.
func (l *Library) EmptyOk() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for b := range l.books.titles {
		delete(l.books.titles, b)
	}
	l.books.titles = map[string]int{}
}

// A Rack is kept by the one who lends it, too.
type Rack interface{ HangBad(coat string) }

type coats struct{ hooks map[string]int }

// A Cloakroom lends its coats, and shows them to all.
type Cloakroom struct {
	mu    sync.Mutex
	coats *coats
	visit func(Rack)
}

func (c *coats) HangBad(coat string) {
	c.hooks[coat] = 1 // want `unguarded-access: c.hooks is written without mu`
}

// OpenOk lends them under the lock.
func (c *Cloakroom) OpenOk() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.visit(c.coats)
}

// Rack gives them to anyone.
func (c *Cloakroom) Rack() Rack { return c.coats }

// TakeOk takes a coat.
func (c *Cloakroom) TakeOk(coat string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.coats.hooks[coat]
	delete(c.coats.hooks, coat)
	return n
}

// EmptyOk takes all.
func (c *Cloakroom) EmptyOk() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for h := range c.coats.hooks {
		delete(c.coats.hooks, h)
	}
	c.coats.hooks = map[string]int{}
}

// A Bin is lent to a goroutine as well.
type Bin interface{ DropBad(can string) }

type cans struct{ kinds map[string]int }

// A Dump lends its cans.
type Dump struct {
	mu    sync.Mutex
	cans  *cans
	visit func(Bin)
}

func (c *cans) DropBad(can string) {
	c.kinds[can] = 1 // want `unguarded-access: c.kinds is written without mu`
}

// OpenOk lends them under the lock, which the goroutine does not wait for.
func (d *Dump) OpenOk() {
	d.mu.Lock()
	defer d.mu.Unlock()
	go d.visit(d.cans)
}

// TakeOk takes a can.
func (d *Dump) TakeOk(can string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := d.cans.kinds[can]
	delete(d.cans.kinds, can)
	return n
}

// EmptyOk takes all.
func (d *Dump) EmptyOk() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for k := range d.cans.kinds {
		delete(d.cans.kinds, k)
	}
	d.cans.kinds = map[string]int{}
}

// A Pen is lent under the lock, but anyone can get the sheep themselves.
type Pen interface{ GrazeBad(name string) }

type sheep struct{ names map[string]int }

// A Farm has sheep.
type Farm struct {
	mu    sync.Mutex
	Sheep *sheep
	visit func(Pen)
}

// GrazeBad is called on the field by others.
func (s *sheep) GrazeBad(name string) {
	s.names[name] = 1 // want `unguarded-access: s.names is written without mu`
}

// OpenOk lends them under the lock.
func (f *Farm) OpenOk() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.visit(f.Sheep)
}

// TakeOk takes one.
func (f *Farm) TakeOk(name string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := f.Sheep.names[name]
	delete(f.Sheep.names, name)
	return n
}

// EmptyOk takes all.
func (f *Farm) EmptyOk() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for n := range f.Sheep.names {
		delete(f.Sheep.names, n)
	}
	f.Sheep.names = map[string]int{}
}
