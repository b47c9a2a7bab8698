package owned

import "sync"

// Two buffers change places under the lock; who has taken one out has it alone.
type buffers struct {
	mu       sync.Mutex
	cur, old *buffer
}

type buffer struct {
	values map[string]int
	full   bool
}

func (b *buffers) add(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.cur.values[k]++
	b.cur.full = len(b.cur.values) > 10
}

func (b *buffers) get(k string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.cur.values[k]
}

func (b *buffers) drop(k string) {
	b.mu.Lock()
	delete(b.cur.values, k)
	b.mu.Unlock()
}

func (b *buffers) flushOk() (n int) {
	b.mu.Lock()
	out := b.cur
	b.cur = &buffer{values: map[string]int{}}
	b.mu.Unlock()
	for k, v := range out.values {
		n += v
		delete(out.values, k)
	}
	return n
}

func (b *buffers) endOk() (n int) {
	b.mu.Lock()
	out := b.cur
	b.cur = nil
	b.mu.Unlock()
	for _, v := range out.values {
		n += v
	}
	return n
}

// It is replaced on one way only.
type baskets struct {
	mu  sync.Mutex
	cur *basket
}

type basket struct{ values map[string]int }

func (h *baskets) add(k string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cur.values[k]++
}

func (h *baskets) drop(k string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.cur.values, k)
}

func (h *baskets) flushBad(all bool) (n int) {
	h.mu.Lock()
	out := h.cur
	if all {
		h.cur = &basket{values: map[string]int{}}
	}
	h.mu.Unlock()
	for _, v := range out.values { // want `unguarded-access: .*values is ranged over without`
		n += v
	}
	return n
}

// What was taken out stays in another place, where others come to it.
type pairs struct {
	mu        sync.Mutex
	cur, prev *pair
}

type pair struct{ values map[string]int }

func (p *pairs) add(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cur.values[k]++
}

func (p *pairs) drop(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.cur.values, k)
	delete(p.prev.values, k)
}

func (p *pairs) flushBad() (n int) {
	p.mu.Lock()
	out := p.cur
	p.cur = &pair{values: map[string]int{}}
	p.prev = out
	p.mu.Unlock()
	for _, v := range out.values { // want `unguarded-access: .*values is ranged over without`
		n += v
	}
	return n
}

// Here another place leads to the object already.
type views struct {
	mu       sync.Mutex
	cur, all *view
}

type view struct{ values map[string]int }

func newViews() *views {
	v := &view{values: map[string]int{}}
	return &views{cur: v, all: v}
}

func (p *views) add(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all.values[k]++
}

func (p *views) drop(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.all.values, k)
}

func (p *views) flushBad() (n int) {
	p.mu.Lock()
	out := p.cur
	p.cur = &view{values: map[string]int{}}
	p.mu.Unlock()
	for _, v := range out.values { // want `unguarded-access: .*values is ranged over without`
		n += v
	}
	return n
}
