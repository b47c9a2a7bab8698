package callerlocks

import "sync"

// A transaction is there while one of two locks is held: that for readers, or that of the writer, who takes the
// readers' lock as well to change what they read.
type Archive struct {
	readers sync.RWMutex
	writer  sync.Mutex
	papers  map[string]string
}

type Dealing struct {
	of     *Archive
	writes bool
	drafts map[string]string
}

func (a *Archive) Begin(writes bool) *Dealing {
	d := &Dealing{of: a, writes: writes, drafts: map[string]string{}}
	if writes {
		a.writer.Lock()
	} else {
		a.readers.RLock()
	}
	return d
}

func (a *Archive) Commit(d *Dealing) {
	if d.writes {
		a.readers.Lock()
		d.apply()
		a.readers.Unlock()
		a.writer.Unlock()
	} else {
		a.readers.RUnlock()
	}
}

func (d *Dealing) apply() {
	for k, v := range d.drafts {
		if v == "" {
			delete(d.of.papers, k)
		} else {
			d.of.papers[k] = v
		}
	}
}

func (d *Dealing) PaperOk(k string) string {
	if v, ok := d.drafts[k]; ok {
		return v
	}
	return d.of.papers[k]
}

func (a *Archive) Clear() {
	a.writer.Lock()
	defer a.writer.Unlock()
	a.readers.Lock()
	defer a.readers.Unlock()
	clear(a.papers)
}

// A stay takes no lock for as long as it is there.
type attic struct {
	mu     sync.RWMutex
	papers map[string]string
}

type stay struct{ of *attic }

func (h *attic) Begin() *stay {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.papers["opened"] = "yes"
	return &stay{of: h}
}

func (h *attic) put(k, v string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.papers[k] = v
}

func (h *attic) drop(k string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.papers, k)
}

func (v *stay) paperBad(k string) string {
	return v.of.papers[k] // want `unguarded-access: .*papers is read without.*, low`
}
