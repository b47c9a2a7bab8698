package threads

import "sync"

// The package shows every goroutine that comes to these objects. What one of them
// finds only goes out of date by what another one does to it.

// A queue has a limit. Removals leave still more room under it.
type queue struct {
	mu   sync.Mutex
	jobs map[string]int
}

func (q *queue) size() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.jobs)
}

func (q *queue) joinOk(k string) bool {
	if q.size() >= 8 {
		return false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.jobs[k] = 1
	return true
}

func (q *queue) leave(k string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.jobs, k)
}

func OneJoins() {
	q := &queue{jobs: make(map[string]int)}
	go func() { q.joinOk("a"); q.joinOk("b") }()
	go q.leave("a")
}

// Two that join both find room.
type twoQueue struct {
	mu   sync.Mutex
	jobs map[string]int
}

func (q *twoQueue) size() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.jobs)
}

func (q *twoQueue) joinBad(k string) bool {
	if q.size() >= 8 {
		return false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.jobs[k] = 1 // want `split-lock: `
	return true
}

func TwoJoin() {
	q := &twoQueue{jobs: make(map[string]int)}
	go q.joinBad("a")
	go q.joinBad("b")
}

// A heap that is emptied when it is large: what leaves meanwhile matters.
type heap struct {
	mu   sync.Mutex
	jobs map[string]int
}

func (h *heap) flushBad() bool {
	h.mu.Lock()
	n := len(h.jobs)
	h.mu.Unlock()
	if n < 8 {
		return false
	}
	h.mu.Lock()
	clear(h.jobs) // want `split-lock: `
	h.mu.Unlock()
	return true
}

func (h *heap) put(k string) {
	h.mu.Lock()
	h.jobs[k] = 1
	h.mu.Unlock()
}

func OneFlushes() {
	h := &heap{jobs: make(map[string]int)}
	go h.flushBad()
	go h.put("a")
}

// A read lock keeps those out who take the lock itself, and there are no others.
type oneTally struct {
	mu sync.RWMutex
	n  map[string]int
}

func (t *oneTally) addOk(k string) {
	t.mu.RLock()
	t.n[k]++
	t.mu.RUnlock()
}

func (t *oneTally) drop(k string) {
	t.mu.Lock()
	delete(t.n, k)
	t.mu.Unlock()
}

func OneAdds() {
	t := &oneTally{n: make(map[string]int)}
	go t.addOk("a")
	go t.drop("a")
	go t.drop("b")
}

// Another reader does not wait.
type readTally struct {
	mu sync.RWMutex
	n  map[string]int
}

func (t *readTally) addBad(k string) {
	t.mu.RLock()
	t.n[k]++ // want `rlock-write: `
	t.mu.RUnlock()
}

func (t *readTally) get(k string) int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.n[k]
}

func (t *readTally) drop(k string) {
	t.mu.Lock()
	delete(t.n, k)
	t.mu.Unlock()
}

func OneAddsOneReads() {
	t := &readTally{n: make(map[string]int)}
	go t.drop("b")
	go t.addBad("a")
	go t.get("a")
}

// Nor does another writer of the same kind.
type twoTally struct {
	mu sync.RWMutex
	n  map[string]int
}

func (t *twoTally) addBad(k string) {
	t.mu.RLock()
	t.n[k]++ // want `rlock-write: `
	t.mu.RUnlock()
}

func (t *twoTally) drop(k string) {
	t.mu.Lock()
	delete(t.n, k)
	t.mu.Unlock()
}

func TwoAdd() {
	t := &twoTally{n: make(map[string]int)}
	for range 2 {
		go t.addBad("a")
	}
	go t.drop("a")
}
