package splitlock

import (
	"sync"
	"sync/atomic"
)

// A shelf counts each change of its map.
type shelf struct {
	mu    sync.RWMutex
	edits uint64
	books map[string]*book
}

type book struct{ lent int }

func (b *book) lend() { b.lent++ }

func (s *shelf) put(k string, b *book) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.books[k] = b
	s.edits++
}

func (s *shelf) lose(k string) {
	s.mu.Lock()
	delete(s.books, k)
	s.edits += 2
	s.mu.Unlock()
}

// The count has not changed, so nothing else has.
func (s *shelf) rebindOk(k string, bind func(*book) *book) bool {
	s.mu.RLock()
	b, at := s.books[k], s.edits
	s.mu.RUnlock()
	next := bind(b)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.edits != at {
		return false
	}
	s.books[k] = next
	s.edits++
	return true
}

// It tries again until nothing has come in between.
func (s *shelf) borrowOk(k string, print func(string) *book) *book {
	for {
		s.mu.Lock()
		if b, ok := s.books[k]; ok {
			s.mu.Unlock()
			return b
		}
		at := s.edits
		s.mu.Unlock()
		b := print(k)
		s.mu.Lock()
		if at == s.edits {
			s.edits++
			s.books[k] = b
			s.mu.Unlock()
			return b
		}
		s.mu.Unlock()
	}
}

// The count is read before the look, in a section of its own: nothing has come since then.
func (s *shelf) earlierOk(k string, bind func(*book) *book) {
	s.mu.RLock()
	at := s.edits
	s.mu.RUnlock()
	s.mu.RLock()
	b := s.books[k]
	s.mu.RUnlock()
	next := bind(b)
	s.mu.Lock()
	if s.edits == at {
		s.books[k] = next
		s.edits++
	}
	s.mu.Unlock()
}

// The count is read behind the look: what came in between, it has counted already.
func (s *shelf) laterBad(k string, bind func(*book) *book) {
	s.mu.RLock()
	b := s.books[k]
	s.mu.RUnlock()
	s.mu.RLock()
	at := s.edits
	s.mu.RUnlock()
	next := bind(b)
	s.mu.Lock()
	if s.edits == at {
		s.books[k] = next // want `split-lock: `
		s.edits++
	}
	s.mu.Unlock()
}

// It asks before the section of the act.
func (s *shelf) askedEarlyBad(k string, bind func(*book) *book) {
	s.mu.RLock()
	b, at := s.books[k], s.edits
	s.mu.RUnlock()
	next := bind(b)
	s.mu.RLock()
	same := s.edits == at
	s.mu.RUnlock()
	if !same {
		return
	}
	s.mu.Lock()
	s.books[k] = next // want `split-lock: `
	s.edits++
	s.mu.Unlock()
}

// It asks the wrong way round.
func (s *shelf) turnedBad(k string, bind func(*book) *book) {
	s.mu.RLock()
	b, at := s.books[k], s.edits
	s.mu.RUnlock()
	next := bind(b)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.edits == at {
		return
	}
	s.books[k] = next // want `split-lock: `
	s.edits++
}

// A drawer forgets to count what it takes out, and one of its changes.
type drawer struct {
	mu    sync.Mutex
	edits int
	books map[string]*book
}

func (d *drawer) put(k string, b *book) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.books[k] != nil {
		d.edits++
	}
	d.books[k] = b
}

func (d *drawer) rebindBad(k string, bind func(*book) *book) {
	d.mu.Lock()
	b, at := d.books[k], d.edits
	d.mu.Unlock()
	next := bind(b)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.edits == at {
		d.edits++
		d.books[k] = next // want `split-lock: `
	}
}

// A crate does not count its own act: two that come at one time both find the old count.
type crate struct {
	mu    sync.Mutex
	edits int
	books map[string]*book
}

func (c *crate) rebindBad(k string, bind func(*book) *book) {
	c.mu.Lock()
	b, at := c.books[k], c.edits
	c.mu.Unlock()
	next := bind(b)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.edits == at {
		c.books[k] = next // want `split-lock: `
	}
}

func (c *crate) drop(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.edits++
	delete(c.books, k)
}

// A rack sets its count back: it may have the same value twice.
type rack struct {
	mu    sync.Mutex
	edits int
	books map[string]*book
}

func (r *rack) put(k string, b *book) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.edits++
	r.books[k] = b
}

func (r *rack) empty() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.books)
	r.edits = 0
}

func (r *rack) rebindBad(k string, bind func(*book) *book) {
	r.mu.Lock()
	b, at := r.books[k], r.edits
	r.mu.Unlock()
	next := bind(b)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.edits == at {
		r.edits++
		r.books[k] = next // want `split-lock: `
	}
}

// A chest counts in a section of its own, so that a change can come between the two.
type chest struct {
	mu    sync.Mutex
	edits int
	books map[string]*book
}

func (c *chest) put(k string, b *book) {
	c.mu.Lock()
	c.edits++
	c.mu.Unlock()
	c.mu.Lock()
	c.books[k] = b
	c.mu.Unlock()
}

func (c *chest) rebindBad(k string, bind func(*book) *book) {
	c.mu.Lock()
	b, at := c.books[k], c.edits
	c.mu.Unlock()
	next := bind(b)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.edits == at {
		c.edits++
		c.books[k] = next // want `split-lock: `
	}
}

// A stale sum, worked out in another section, counts two changes as one.
type stale struct {
	mu    sync.Mutex
	edits int
	books map[string]*book
}

func (s *stale) rebindBad(k string, bind func(*book) *book) {
	s.mu.Lock()
	b, at := s.books[k], s.edits
	s.mu.Unlock()
	next := bind(b)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.edits == at {
		s.edits++
		s.books[k] = next // want `split-lock: `
	}
}

func (s *stale) put(k string, b *book) {
	s.mu.Lock()
	n := s.edits
	s.mu.Unlock()
	b.lend()
	s.mu.Lock()
	s.edits = n + 1
	s.books[k] = b
	s.mu.Unlock()
}

// A ledger has a count for each key, and reads and writes by helpers.
type ledger struct {
	mu    sync.RWMutex
	sums  map[string][]int
	marks map[string]int
}

func (l *ledger) add(k string, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.marks[k]++
	l.sums[k] = append(l.sums[k], n)
}

func (l *ledger) get(k string) ([]int, int) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.sums[k], l.marks[k]
}

func (l *ledger) swap(k string, sums []int, mark int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.marks[k] != mark {
		return false
	}
	l.marks[k] = l.marks[k] + 1
	l.sums[k] = sums
	return true
}

func (l *ledger) sortOk(k string, sorted func([]int) []int) {
	for {
		sums, mark := l.get(k)
		if l.swap(k, sorted(sums), mark) {
			return
		}
	}
}

func (l *ledger) sortHereOk(k string, sorted func([]int) []int) {
	l.mu.RLock()
	sums, mark := l.sums[k], l.marks[k]
	l.mu.RUnlock()
	sums = sorted(sums)
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(sums) > 0 && l.marks[k] == mark {
		l.marks[k]++
		l.sums[k] = sums
	}
}

// The count is that of another key.
func (l *ledger) otherBad(k, other string, sorted func([]int) []int) {
	l.mu.RLock()
	sums, mark := l.sums[k], l.marks[other]
	l.mu.RUnlock()
	sums = sorted(sums)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.marks[other] == mark {
		l.marks[k]++
		l.sums[k] = sums // want `split-lock: `
	}
}

// A journal forgets the count of a key with the key.
type journal struct {
	mu    sync.Mutex
	sums  map[string][]int
	marks map[string]int
}

func (j *journal) drop(k string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.marks[k]++
	delete(j.sums, k)
	delete(j.marks, k)
}

func (j *journal) sortBad(k string, sorted func([]int) []int) {
	j.mu.Lock()
	sums, mark := j.sums[k], j.marks[k]
	j.mu.Unlock()
	sums = sorted(sums)
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.marks[k] == mark {
		j.marks[k]++
		j.sums[k] = sums // want `split-lock: `
	}
}

// An index counts by an atomic, in helpers that its methods call with the lock.
type index struct {
	mu    sync.Mutex
	rev   atomic.Int64
	terms map[string]*book
}

func (x *index) touch() { x.rev.Add(1) }

func (x *index) setLocked(k string, b *book) { x.terms[k] = b }

func (x *index) set(k string, b *book) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.setLocked(k, b)
	x.touch()
}

func (x *index) revision() int64 { return x.rev.Load() }

func (x *index) rebindOk(k string, bind func(*book) *book) bool {
	at := x.revision()
	x.mu.Lock()
	b := x.terms[k]
	x.mu.Unlock()
	next := bind(b)
	x.mu.Lock()
	defer x.mu.Unlock()
	if at != x.revision() {
		return false
	}
	x.touch()
	x.setLocked(k, next)
	return true
}

// A glossary counts in one of the two callers of its helper only.
type glossary struct {
	mu    sync.Mutex
	rev   atomic.Int64
	terms map[string]*book
}

func (t *glossary) setLocked(k string, b *book) { t.terms[k] = b }

func (t *glossary) set(k string, b *book) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.setLocked(k, b)
}

func (t *glossary) rebindBad(k string, bind func(*book) *book) bool {
	t.mu.Lock()
	b, at := t.terms[k], t.rev.Load()
	t.mu.Unlock()
	next := bind(b)
	t.mu.Lock()
	defer t.mu.Unlock()
	if at != t.rev.Load() {
		return false
	}
	t.rev.Add(1)
	t.setLocked(k, next) // want `split-lock: `
	return true
}

// Catalogue can be changed by other packages, which count nothing.
type Catalogue struct {
	Mu    sync.Mutex
	Books map[string]*book
	edits int
}

// RebindBad counts.
func (c *Catalogue) RebindBad(k string, bind func(*book) *book) {
	c.Mu.Lock()
	b, at := c.Books[k], c.edits
	c.Mu.Unlock()
	next := bind(b)
	c.Mu.Lock()
	defer c.Mu.Unlock()
	if c.edits == at {
		c.edits++
		c.Books[k] = next // want `split-lock: `
	}
}

// Halls have a map and a count each.
type halls struct {
	all [8]struct {
		mu    sync.Mutex
		edits int
		seats map[string]*book
	}
}

func (h *halls) put(k string, b *book) {
	hall := &h.all[len(k)%8]
	hall.mu.Lock()
	defer hall.mu.Unlock()
	hall.edits++
	hall.seats[k] = b
}

func (h *halls) moveOk(k string, bind func(*book) *book) {
	hall := &h.all[len(k)%8]
	hall.mu.Lock()
	b, at := hall.seats[k], hall.edits
	hall.mu.Unlock()
	next := bind(b)
	hall.mu.Lock()
	defer hall.mu.Unlock()
	if hall.edits == at {
		hall.edits++
		hall.seats[k] = next
	}
}
