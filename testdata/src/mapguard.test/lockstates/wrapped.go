package lockstates

import "sync"

// A struct that is made around a parameter has the lock and the map of that.

type drawer struct {
	mu    sync.Mutex
	pages map[string]int
	count map[string]int
}

type openDrawer struct{ *drawer }

func (d *drawer) DoOk(f func(*openDrawer)) {
	o := &openDrawer{d}
	o.mu.Lock()
	if d.pages == nil {
		d.pages = make(map[string]int)
	}
	f(o)
	d.mu.Unlock()
}

func (d *drawer) GetOk(k string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.pages[k]
}

func (d *drawer) CountOk(k string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.count[k]++
}

func (d *drawer) UncountOk(k string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.count, k)
}

// Another one's lock protects nothing of this one.
func (d *drawer) CountedBad(other *drawer, k string) int {
	o := &openDrawer{other}
	o.mu.Lock()
	defer o.mu.Unlock()
	return d.count[k] // want `unguarded-access: d\.count is read without`
}
