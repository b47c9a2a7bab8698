package inner

import "sync"

// A Directory reads an entry where it is not there yet, whichever goroutine asks.
type Directory struct {
	mu    sync.Mutex
	known map[string]*entry
}

type entry struct {
	mu   sync.Mutex
	uses int
}

func (d *Directory) get(k string) *entry {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.known[k]
}

func (d *Directory) put(k string, e *entry) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.known[k] = e
}

// FindBad is to blame: two callers go on with two entries.
func (d *Directory) FindBad(k string) *entry {
	if e := d.get(k); e != nil {
		return e
	}
	e := new(entry)
	d.put(k, e) // want `split-lock`
	return e
}

func (d *Directory) all() (out []*entry) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, e := range d.known {
		out = append(out, e)
	}
	return out
}

func (d *Directory) load(read func() map[string]*entry) []*entry {
	if all := d.all(); len(all) > 0 {
		return all
	}
	var out []*entry
	for k, e := range read() {
		d.put(k, e)
		out = append(out, e)
	}
	return out
}

func (d *Directory) unused(n int, read func() map[string]*entry) bool {
	for _, e := range d.load(read) {
		if e.uses == n {
			return false
		}
	}
	return true
}

// TwiceOk asks twice: what it found first decides nothing of what the second call puts in.
func (d *Directory) TwiceOk(n, m int, read func() map[string]*entry) bool {
	return d.unused(n, read) && d.unused(m, read)
}

// ReplaceBad decides by what a call found, and another one acts on that.
func (d *Directory) ReplaceBad(k string) *entry {
	old := d.get(k)
	if old != nil {
		return old
	}
	e := &entry{uses: 1}
	d.put(k, e) // want `split-lock`
	return e
}
