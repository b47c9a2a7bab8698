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

// An entry that is deleted under the lock belongs to the one who deletes it.
type grid struct {
	mu   sync.Mutex
	rows map[string]*row
}

type row struct{ cells map[string]int }

func (t *grid) add(r, c string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.rows[r] == nil {
		t.rows[r] = &row{cells: map[string]int{}}
	}
	t.rows[r].cells[c]++
}

func (t *grid) drop(r, c string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if x := t.rows[r]; x != nil {
		delete(x.cells, c)
	}
}

func (t *grid) removeOk(r string) (n int) {
	t.mu.Lock()
	x, ok := t.rows[r]
	delete(t.rows, r)
	t.mu.Unlock()
	if ok {
		for c, v := range x.cells {
			n += v
			delete(x.cells, c)
		}
	}
	return n
}

func (t *grid) take(r string) *row {
	t.mu.Lock()
	defer t.mu.Unlock()
	x := t.rows[r]
	delete(t.rows, r)
	return x
}

func (t *grid) removeTakenOk(r string) (n int) {
	if x := t.take(r); x != nil {
		for c, v := range x.cells {
			n += v
			delete(x.cells, c)
		}
	}
	return n
}

func (t *grid) clearOk() (n int) {
	t.mu.Lock()
	rows := t.rows
	t.rows = make(map[string]*row)
	t.mu.Unlock()
	for _, x := range rows {
		for c, v := range x.cells {
			n += v
			delete(x.cells, c)
		}
	}
	return n
}

// The entry under another key is deleted, or that of this one only perhaps.
type sheet struct {
	mu    sync.Mutex
	lines map[string]*line
}

type line struct{ cells map[string]int }

func (s *sheet) add(r, c string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lines[r] == nil {
		s.lines[r] = &line{cells: map[string]int{}}
	}
	s.lines[r].cells[c]++
}

func (s *sheet) drop(r, c string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x := s.lines[r]; x != nil {
		delete(x.cells, c)
	}
}

func (s *sheet) otherBad(r, other string) (n int) {
	s.mu.Lock()
	x := s.lines[r]
	delete(s.lines, other)
	s.mu.Unlock()
	for _, v := range x.cells { // want `unguarded-access: .*cells is ranged over without`
		n += v
	}
	return n
}

func (s *sheet) perhapsBad(r string, end bool) (n int) {
	s.mu.Lock()
	x := s.lines[r]
	if end {
		delete(s.lines, r)
	}
	s.mu.Unlock()
	for _, v := range x.cells { // want `unguarded-access: .*cells is ranged over without`
		n += v
	}
	return n
}

// Who takes an element off a queue has it alone.
type queue struct {
	mu    sync.Mutex
	jobs  []*chore
	spare []*chore
}

type chore struct{ notes map[string]int }

func (q *queue) push() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.jobs = append(q.jobs, &chore{notes: map[string]int{}})
}

func (q *queue) pop() *chore {
	q.mu.Lock()
	defer q.mu.Unlock()
	j := q.jobs[0]
	q.jobs = q.jobs[1:]
	return j
}

func (q *queue) popLast() *chore {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := len(q.jobs)
	j := q.jobs[n-1]
	q.jobs = q.jobs[:n-1]
	return j
}

func (q *queue) start() {
	for range 2 {
		go q.workOk()
		go q.lastOk()
	}
}

func (q *queue) workOk() {
	j := q.pop()
	if j.notes["a"] == 0 {
		j.notes["a"] = 1
	}
}

func (q *queue) lastOk() {
	j := q.popLast()
	if j.notes["a"] == 0 {
		j.notes["a"] = 1
	}
}

// Here the element stays in the queue.
type lane struct {
	mu   sync.Mutex
	jobs []*errand
}

type errand struct{ notes map[string]int }

func (q *lane) push() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.jobs = append(q.jobs, &errand{notes: map[string]int{}})
}

func (q *lane) peek() *errand {
	q.mu.Lock()
	defer q.mu.Unlock()
	j := q.jobs[0]
	q.jobs = q.jobs[:len(q.jobs)-1]
	return j
}

func (q *lane) start() {
	for range 2 {
		go q.workBad()
	}
}

func (q *lane) workBad() {
	j := q.peek()
	if j.notes["a"] == 0 { // want `check-then-act: .*notes`
		j.notes["a"] = 1
	}
}
