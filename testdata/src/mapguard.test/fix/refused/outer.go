package refused

import "sync"

type rack struct {
	mu    sync.Mutex
	items map[string]int // guarded by mu
}

func (r *rack) put(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.items[k]++
}

func (r *rack) drop(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.items, k)
}

type room struct{ rack *rack }

// By then the name is that of another object, and so is the lock.
func (r *room) CountBad(other *rack) (n int) {
	rack := r.rack
	items := rack.items
	rack = other
	func() {
		n = items["a"] // want `unguarded-access: .*`
	}()
	rack.put("a")
	return n
}

// In older versions of the language the loop has one variable for all rounds.
func (r *room) EachBad(racks []*rack) (n int) {
	for _, rack := range racks {
		items := rack.items
		func() {
			n += items["a"] // want `unguarded-access: .*`
		}()
	}
	return n
}

// The address of the name is taken.
func (r *room) LentBad(with func(**rack)) (n int) {
	rack := r.rack
	with(&rack)
	items := rack.items
	func() {
		n = items["a"] // want `unguarded-access: .*`
	}()
	return n
}

type drawer struct {
	mu    sync.RWMutex
	items map[string]int // guarded by mu
}

type chest struct{ top, low *drawer }

func (d *drawer) put(k string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.items[k]++
}

func (d *drawer) get(k string) int {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.items[k]
}

func choose(c *chest, d **drawer) { *d = c.low }

// The name means another object after the call.
func (c *chest) addressBad(k string) int {
	d := c.top
	n := d.items[k] // want `unguarded-access: .*`
	choose(c, &d)
	return n + d.items[k]
}
