package rlockwrite

import "sync"

// The one who rebuilds holds the lock for the goroutines, and gives each an element of its own.
type bucket struct {
	size  map[string]int
	total *totals
}

type totals struct{ sum map[string]int }

type buckets struct {
	mu    sync.RWMutex
	slots []bucket
	names []map[string]bool
	byKey map[string]*bucket
}

func (b *buckets) Put(i int, k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.slots[i].size[k]++
	b.names[i][k] = true
	b.byKey[k].size[k]++
	b.slots[i].total.sum[k]++
}

func (b *buckets) RebuildOk(keys []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var wg sync.WaitGroup
	for i := range b.slots {
		wg.Go(func() {
			b.slots[i].size = make(map[string]int)
			for _, k := range keys {
				b.slots[i].size[k] = i
			}
		})
	}
	wg.Wait()
}

func (b *buckets) RenameOk(keys []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var wg sync.WaitGroup
	for i := len(b.names) - 1; i >= 0; i-- {
		wg.Add(1)
		go func(at int) {
			defer wg.Done()
			for _, k := range keys {
				b.names[at][k] = true
			}
		}(i)
	}
	wg.Wait()
}

func (c *bucket) shrinkOk() {
	for k, n := range c.size {
		if n == 0 {
			delete(c.size, k)
		}
	}
}

func (b *buckets) ShrinkOk() {
	b.mu.Lock()
	defer b.mu.Unlock()
	var wg sync.WaitGroup
	for _, c := range b.byKey {
		wg.Go(c.shrinkOk)
	}
	wg.Wait()
}

// TwiceBad starts two goroutines for each element.
func (b *buckets) TwiceBad(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var wg sync.WaitGroup
	for i := range b.slots {
		for range 2 {
			wg.Go(func() {
				b.slots[i].size[k] = 1 // want `rlock-write: b\.slots\[…\]\.size is written under its starter's hold of b\.mu`
			})
		}
	}
	wg.Wait()
}

// OneSlotBad gives all the same one.
func (b *buckets) OneSlotBad(keys []string, at int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var wg sync.WaitGroup
	for _, k := range keys {
		wg.Go(func() {
			b.slots[at].size[k] = 1 // want `rlock-write: b\.slots\[…\]\.size is written under its starter's hold of b\.mu`
		})
	}
	wg.Wait()
}

// HalfBad gives two the same one.
func (b *buckets) HalfBad(keys []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var wg sync.WaitGroup
	for i, k := range keys {
		wg.Go(func() {
			b.names[i/2][k] = true // want `rlock-write: b\.names\[…\] is written under its starter's hold of b\.mu`
		})
	}
	wg.Wait()
}

// AllBad lets each come to all of them.
func (b *buckets) AllBad(keys []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var wg sync.WaitGroup
	for _, k := range keys {
		wg.Go(func() {
			for i := range b.slots {
				b.slots[i].size[k] = 1 // want `rlock-write: b\.slots\[…\]\.size is written under its starter's hold of b\.mu`
			}
		})
	}
	wg.Wait()
}

// TotalBad comes by the elements to what they may have in common.
func (b *buckets) TotalBad(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var wg sync.WaitGroup
	for i := range b.slots {
		wg.Go(func() {
			b.slots[i].total.sum[k]++ // want `rlock-write: b\.slots\[…\]\.total\.sum is written under its starter's hold of b\.mu`
		})
	}
	wg.Wait()
}

// MeanwhileBad comes to an element itself before it has waited.
func (b *buckets) MeanwhileBad(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var wg sync.WaitGroup
	for i := range b.names {
		wg.Go(func() {
			b.names[i][k] = true // want `rlock-write: b\.names\[…\] is written under its starter's hold of b\.mu`
		})
	}
	delete(b.names[0], k)
	wg.Wait()
}

// NeighbourBad comes to that of the next round as well.
func (b *buckets) NeighbourBad(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var wg sync.WaitGroup
	for i := range len(b.names) - 1 {
		wg.Go(func() {
			b.names[i][k] = true // want `rlock-write: b\.names\[…\] is written under its starter's hold of b\.mu`
			delete(b.names[i+1], k)
		})
	}
	wg.Wait()
}

type shelf struct {
	mu   sync.RWMutex
	rows []map[string]bool
}

// NewShelf gives all rows one map.
func NewShelf(n int) *shelf {
	common := make(map[string]bool)
	s := &shelf{}
	for range n {
		s.rows = append(s.rows, common)
	}
	return s
}

func (s *shelf) Add(i int, k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows[i][k] = true
}

func (s *shelf) Has(i int, k string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.rows[i][k]
}

// MarkBad gives each an element of its own, but those are one map.
func (s *shelf) MarkBad(keys []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var wg sync.WaitGroup
	for i := range s.rows {
		wg.Go(func() {
			for _, k := range keys {
				s.rows[i][k] = true // want `rlock-write: s\.rows\[…\] is written under its starter's hold of s\.mu`
			}
		})
	}
	wg.Wait()
}

// Two names lead to one locker, and two numbers to one door.
type lockers struct {
	mu     sync.RWMutex
	byName map[string]*locker
	doors  []map[string]bool
	keys   []map[string]bool
	racks  map[string]*locker
}

type locker struct{ has map[string]bool }

func newLockers(names []string, n int) *lockers {
	l := &lockers{byName: map[string]*locker{}, keys: make([]map[string]bool, n)}
	first := &locker{has: map[string]bool{}}
	l.byName[names[0]] = first
	l.byName["first"] = first
	doors, plain := make([]map[string]bool, n), map[string]bool{}
	for i := range doors {
		if i%2 == 0 {
			doors[i] = plain
		}
	}
	l.doors = doors
	for i := range l.keys {
		l.keys[i] = map[string]bool{}
	}
	return l
}

// fit puts one into the first free slot.
func (l *lockers) fit(key map[string]bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.keys {
		if l.keys[i] == nil {
			l.keys[i] = key
			break
		}
	}
}

// rack makes one for each name.
func (l *lockers) rack(names []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.racks = make(map[string]*locker)
	for _, n := range names {
		r := &locker{has: make(map[string]bool)}
		l.racks[n] = r
	}
}

func (l *lockers) Put(i int, k string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.byName[k].has[k] = true
	l.doors[i][k] = true
	l.keys[i][k] = true
	l.racks[k].has[k] = true
}

func (l *lockers) OpenBad(k string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var wg sync.WaitGroup
	for i := range l.doors {
		wg.Go(func() {
			l.doors[i][k] = true // want `rlock-write: l\.doors\[…\] is written under its starter's hold of l\.mu`
		})
	}
	wg.Wait()
}

func (l *lockers) LendOk(k string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var wg sync.WaitGroup
	for i := range l.keys {
		wg.Go(func() {
			l.keys[i][k] = true
		})
	}
	wg.Wait()
}

func (c *locker) clearBad() {
	for k := range c.has {
		delete(c.has, k) // want `rlock-write: c\.has is deleted under its starter's hold of mu`
	}
}

func (l *lockers) Clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	var wg sync.WaitGroup
	for _, c := range l.byName {
		wg.Go(c.clearBad)
	}
	wg.Wait()
}

func (c *locker) emptyOk() {
	for k := range c.has {
		delete(c.has, k)
	}
}

func (l *lockers) EmptyOk() {
	l.mu.Lock()
	defer l.mu.Unlock()
	var wg sync.WaitGroup
	for _, c := range l.racks {
		wg.Go(c.emptyOk)
	}
	wg.Wait()
}
