package mapescape

import "sync"

// An object is given a map of another one together with the mutex that guards it there.

type depot struct {
	mu    sync.Mutex
	items map[int]string
	ship  *shipper
	clerk *clerk
	cart  *cart
	count *counter
}

type shipper struct {
	lock  *sync.Mutex
	items map[int]string
	out   chan int
}

func newShipper(items map[int]string, lock *sync.Mutex) *shipper {
	return &shipper{lock: lock, items: items, out: make(chan int)}
}

func (s *shipper) loop() {
	for id := range s.out {
		s.send(id)
	}
}

func (s *shipper) send(id int) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if known := func(n int) bool { _, ok := s.items[n]; return ok }; known(id) {
		s.take(id)
	}
}

func (s *shipper) take(id int) { delete(s.items, id) }

func (d *depot) shipOk() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ship = newShipper(d.items, &d.mu)
	go d.ship.loop()
}

func (d *depot) StoreOk(id int, s string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.items[id] = s
}

func (d *depot) ItemOk(id int) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.items[id]
}

func (d *depot) ScrapOk(id int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.items, id)
}

// Of one the mutex is another depot's.
type clerk struct {
	lock  sync.Locker
	items map[int]string
}

func newClerk(items map[int]string, l sync.Locker) *clerk { return &clerk{lock: l, items: items} }

func (d *depot) clerkBad(other *depot) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clerk = newClerk(d.items, &other.mu) // want `map-escape: d\.items`
}

func (c *clerk) readOk(id int) string {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.items[id]
}

// Of one a use does without the mutex.
type cart struct {
	lock  sync.Locker
	items map[int]string
}

func newCart(items map[int]string, l sync.Locker) *cart { return &cart{lock: l, items: items} }

func (d *depot) cartBad() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.cart = newCart(d.items, &d.mu) // want `map-escape: d\.items`
}

func (c *cart) fill(id int) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.items[id] = ""
}

func (c *cart) hasBad(id int) bool {
	return c.items[id] != "" // want `unguarded-access: c\.items`
}

// One gets another mutex later.
type counter struct {
	lock  *sync.Mutex
	items map[int]string
}

func newCounter(items map[int]string, l *sync.Mutex) *counter { return &counter{lock: l, items: items} }

func (d *depot) countBad() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.count = newCounter(d.items, &d.mu) // want `map-escape: d\.items`
}

func (c *counter) split() { c.lock = new(sync.Mutex) }

func (c *counter) all() int {
	c.lock.Lock()
	defer c.lock.Unlock()
	return len(c.items)
}
