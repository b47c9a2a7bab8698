package inner

import "sync"

// A map that is set to nil for good takes its objects to their end with it; one
// that is made anew goes on without them.

type feed struct {
	mu    sync.Mutex
	queue []string
}

type feeds struct {
	mu     sync.Mutex
	active map[int]*feed
}

func newFeeds() *feeds { return &feeds{active: make(map[int]*feed)} }

func (f *feeds) add(id int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.active == nil {
		return false // closed
	}
	if _, ok := f.active[id]; !ok {
		f.active[id] = &feed{}
	}
	return true
}

func (f *feeds) putOk(id int, s string) {
	f.mu.Lock()
	in := f.active[id]
	f.mu.Unlock()
	if in == nil {
		return
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.queue = append(in.queue, s)
}

func (f *feeds) close() {
	f.mu.Lock()
	active := f.active
	f.active = nil
	f.mu.Unlock()
	for _, in := range active {
		in.mu.Lock()
		in.queue = append(in.queue, "closed")
		in.mu.Unlock()
	}
}

// batches begin again after each flush.
type batches struct {
	mu     sync.Mutex
	active map[int]*feed
}

func (b *batches) add(id int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.active == nil {
		b.active = make(map[int]*feed)
	}
	if _, ok := b.active[id]; !ok {
		b.active[id] = &feed{}
	}
}

func (b *batches) putBad(id int, s string) {
	b.mu.Lock()
	in := b.active[id]
	b.mu.Unlock()
	if in == nil {
		return
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.queue = append(in.queue, s) // want `split-lock: .*active.*queue.*released.*, low`
}

func (b *batches) flush(send func([]string)) {
	b.mu.Lock()
	active := b.active
	b.active = nil
	b.mu.Unlock()
	for _, in := range active {
		in.mu.Lock()
		send(in.queue)
		in.mu.Unlock()
	}
}
