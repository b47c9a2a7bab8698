package paths

import "sync"

// The element is computed from the key each time.
type bucket struct {
	mu sync.Mutex
	m  map[string]*entry
}

type entry struct{ n int }

type buckets struct {
	all  [16]bucket
	next int
}

func slot(k string) int { return len(k) }

func (b *buckets) put(k string) {
	b.all[slot(k)%16].mu.Lock()
	defer b.all[slot(k)%16].mu.Unlock()
	b.all[slot(k)%16].m[k] = &entry{}
}

func (b *buckets) ensureBad(k string) *entry {
	b.all[slot(k)%16].mu.Lock()
	e := b.all[slot(k)%16].m[k]
	b.all[slot(k)%16].mu.Unlock()
	if e == nil {
		e = &entry{}
		b.all[slot(k)%16].mu.Lock()
		b.all[slot(k)%16].m[k] = e // want `split-lock: .*high`
		b.all[slot(k)%16].mu.Unlock()
	}
	return e
}

func (b *buckets) ensureOk(k string) *entry {
	b.all[slot(k)%16].mu.Lock()
	defer b.all[slot(k)%16].mu.Unlock()
	e := b.all[slot(k)%16].m[k]
	if e == nil {
		e = &entry{}
		b.all[slot(k)%16].m[k] = e
	}
	return e
}

// The helper's callers hold the lock of the same element.
func (b *buckets) has(k string) bool { return b.all[slot(k)%16].m[k] != nil }

func (b *buckets) dropOk(k string) bool {
	b.all[slot(k)%16].mu.Lock()
	defer b.all[slot(k)%16].mu.Unlock()
	if !b.has(k) {
		return false
	}
	delete(b.all[slot(k)%16].m, k)
	return true
}

func (b *buckets) find(k string) *entry {
	b.all[slot(k)%16].mu.Lock()
	defer b.all[slot(k)%16].mu.Unlock()
	return b.all[slot(k)%16].m[k]
}

func (b *buckets) ensureThroughBad(k string) *entry {
	e := b.find(k)
	if e == nil {
		e = &entry{}
		b.all[slot(k)%16].mu.Lock()
		b.all[slot(k)%16].m[k] = e // want `split-lock: .*high`
		b.all[slot(k)%16].mu.Unlock()
	}
	return e
}
