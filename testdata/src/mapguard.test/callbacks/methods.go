package callbacks

import (
	"container/heap"
	"sort"
	"sync"
)

// Methods that the library calls on what it gets run under the caller's lock.

// Timers hold their lock around each use of the heap.
type Timers struct {
	mu sync.Mutex
	q  *queue
}

func (t *Timers) AddOk(key string, due int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if i, ok := t.q.at[key]; ok {
		t.q.items[i].due = due
		heap.Fix(t.q, i)
		return
	}
	heap.Push(t.q, &queueItem{key, due})
}

func (t *Timers) NextOk() *queueItem {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.q.Len() == 0 {
		return nil
	}
	return heap.Pop(t.q).(*queueItem)
}

func (t *Timers) HasOk(key string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, ok := t.q.at[key]
	return ok
}

type queueItem struct {
	key string
	due int
}

type queue struct {
	items []*queueItem
	at    map[string]int
}

func (q *queue) Len() int           { return len(q.items) }
func (q *queue) Less(i, j int) bool { return q.items[i].due < q.items[j].due }

func (q *queue) Swap(i, j int) {
	q.items[i], q.items[j] = q.items[j], q.items[i]
	q.at[q.items[i].key] = i
	q.at[q.items[j].key] = j
}

func (q *queue) Push(x any) {
	it := x.(*queueItem)
	q.at[it.key] = len(q.items)
	q.items = append(q.items, it)
}

func (q *queue) Pop() any {
	it := q.items[len(q.items)-1]
	q.items = q.items[:len(q.items)-1]
	delete(q.at, it.key)
	return it
}

// Ranks are sorted without the lock that protects the positions.
type rank struct {
	mu    *sync.Mutex
	names []string
	pos   map[string]int // guarded by mu
}

func (r *rank) Len() int           { return len(r.names) }
func (r *rank) Less(i, j int) bool { return r.names[i] < r.names[j] }

func (r *rank) Swap(i, j int) {
	r.names[i], r.names[j] = r.names[j], r.names[i]
	r.pos[r.names[i]] = i
	r.pos[r.names[j]] = j
}

func (r *rank) SortOk() {
	r.mu.Lock()
	defer r.mu.Unlock()
	sort.Sort(r)
}

func (r *rank) SortBad() {
	sort.Sort(r) // want `unguarded-access: `
}
