package locks

import (
	"sync"

	"golang.org/x/sync/singleflight"
)

// A single flight keeps two runs for one key apart. It protects no map: the flights of
// two keys run at one time, so where most accesses are in one, the others miss no lock.
type Flown struct {
	runs singleflight.Group
	seen map[string]bool
}

func (f *Flown) CheckOk(id string) {
	f.runs.Do(id, func() (any, error) {
		f.mark("begun")
		defer f.drop("begun")
		for k := range f.seen {
			f.mark(k + "!")
		}
		return len(f.seen), nil
	})
}

func (f *Flown) mark(k string) { f.seen[k] = true }

func (f *Flown) drop(k string) { delete(f.seen, k) }

func (f *Flown) ResetOk() {
	for k := range f.seen {
		delete(f.seen, k)
	}
}

// A ledgerTable is filled in flights. Where all have one key, one of them runs at a time.
type ledgerTable struct {
	runs singleflight.Group
	mu   sync.Mutex
	rows map[string]*rowOfTable
}

type rowOfTable struct {
	mu   sync.Mutex
	uses int
}

func (t *ledgerTable) get(k string) *rowOfTable {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.rows[k]
}

func (t *ledgerTable) put(k string, r *rowOfTable) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rows[k] = r
}

func (t *ledgerTable) name() string { return "ledgerTable" }

func (t *ledgerTable) RefreshOk(keys []string) {
	t.runs.Do(t.name(), func() (any, error) {
		return nil, t.fillOk(keys)
	})
}

func (t *ledgerTable) fillOk(keys []string) error {
	for _, k := range keys {
		if t.get(k) == nil {
			t.put(k, new(rowOfTable))
		}
	}
	return nil
}

// A flownChart is filled in flights of several keys.
type flownChart struct {
	runs singleflight.Group
	mu   sync.Mutex
	rows map[string]*rowOfTable
}

func (c *flownChart) get(k string) *rowOfTable {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rows[k]
}

func (c *flownChart) put(k string, r *rowOfTable) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rows[k] = r
}

func (c *flownChart) Refresh(name string, keys []string) {
	c.runs.Do(name, func() (any, error) {
		return nil, c.fillBad(keys)
	})
}

func (c *flownChart) fillBad(keys []string) error {
	for _, k := range keys {
		if c.get(k) == nil {
			c.put(k, new(rowOfTable)) // want `split-lock: `
		}
	}
	return nil
}
