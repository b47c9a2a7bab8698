package shapes

import (
	"sync"
	"sync/atomic"
)

// A table's maps are replaced as a whole, never changed in place.
type table struct {
	mu   sync.Mutex
	rows map[string]string // guarded by mu
}

func (t *table) Load(rows map[string]string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rows = rows
}

// The helper gets what was fetched under the lock.
func (t *table) DescribeOk() int {
	t.mu.Lock()
	rows := t.rows
	t.mu.Unlock()
	return describe(rows)
}

func describe(rows map[string]string) int {
	n := 0
	for range rows {
		n++
	}
	return n
}

// prepare makes the map under the lock, once.
func (t *table) prepare() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.rows == nil {
		t.rows = map[string]string{"a": "b"}
	}
}

func (t *table) PreparedOk(k string) string {
	t.prepare()
	return t.rows[k]
}

func (t *table) UnpreparedBad(k string) string {
	return t.rows[k] // want `unguarded-access: t\.rows`
}

// An entry's own reference count is looked at again under the lock.
type counted struct{ refs atomic.Int64 }

type interner struct {
	mu sync.RWMutex
	m  map[string]*counted // guarded by mu
}

func (i *interner) Intern(s string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	e, ok := i.m[s]
	if !ok {
		e = &counted{}
		i.m[s] = e
	}
	e.refs.Add(1)
}

func (i *interner) ReleaseOk(s string) {
	i.mu.RLock()
	e, ok := i.m[s]
	i.mu.RUnlock()
	if !ok || e.refs.Add(-1) > 0 {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if e.refs.Load() != 0 {
		return
	}
	delete(i.m, s)
}

// The count was read before the lock was taken.
func (i *interner) ReleaseBad(s string) {
	i.mu.RLock()
	e, ok := i.m[s]
	i.mu.RUnlock()
	if !ok || e.refs.Add(-1) > 0 {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	delete(i.m, s) // want `split-lock: .*i\.m.*, low`
}

// Two locks: the comment on one mentions the map, the other bears its name.
type queue struct {
	refsMu sync.RWMutex
	refs   map[int]string

	// runningMu protects running. It orders the adding of jobs to refs too.
	runningMu sync.Mutex
	running   bool
}

func (q *queue) AddOk(n int) {
	q.refsMu.Lock()
	defer q.refsMu.Unlock()
	q.refs[n] = ""
}

func (q *queue) GetOk(n int) string {
	q.refsMu.RLock()
	defer q.refsMu.RUnlock()
	return q.refs[n]
}

func (q *queue) GetBad(n int) string {
	q.runningMu.Lock()
	defer q.runningMu.Unlock()
	return q.refs[n] // want `unguarded-access: q\.refs`
}
