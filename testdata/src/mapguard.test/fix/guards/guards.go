// Package guards has accesses that lack the map's guard, and looks and acts in
// two critical sections of it.
package guards

import (
	"errors"
	"fmt"
	"strings"
	"sync"
)

var errTaken = errors.New("taken")

type entry struct{ n int }

type table struct {
	mu sync.RWMutex
	m  map[string]*entry
	n  map[string]int
}

func (t *table) get(k string) *entry {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.m[k]
}

func (t *table) put(k string, e *entry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.m[k] = e
	t.n[k]++
}

func (t *table) drop(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.m, k)
	delete(t.n, k)
}

func (t *table) lenBad() int {
	return len(t.m) // want `unguarded-access: .*`
}

// The rest of the function is brief: the section goes on to its end.
func (t *table) namesBad(prefix string) []string {
	var out []string
	prefix = strings.TrimSpace(prefix)
	for k := range t.m { // want `unguarded-access: .*`
		if strings.HasPrefix(k, prefix) {
			out = append(out, k)
		}
	}
	return out
}

// What follows may wait: the section is the statement alone.
func (t *table) sendBad(ch chan int, k string) {
	n := t.n[k] // want `unguarded-access: .*`
	ch <- n
}

// A call that may wait gets what was read before.
func (t *table) showBad(show func(int) error, k string) error {
	return show(t.n[k]) // want `unguarded-access: .*`
}

// What is stored takes a call that may wait.
func (t *table) loadBad(load func() int, k string) {
	t.n[k] = load() // want `unguarded-access: .*`
}

// The head of an if statement: what it defines moves in front of it.
func (t *table) headBad(ch chan *entry, k string) {
	if e, ok := t.m[k]; ok { // want `unguarded-access: .*`
		ch <- e
	}
}

// The names of the head mean something else around it.
func (t *table) shadowBad(ch chan *entry, k string) bool {
	ok := k != ""
	if e, ok := t.m[k]; ok { // want `unguarded-access: .*`
		ch <- e
	}
	return ok
}

func (t *table) conditionBad(ch chan int) {
	if len(t.m) > 10 { // want `unguarded-access: .*`
		ch <- 1
	}
}

// The body may wait: a copy is walked.
func (t *table) walkBad(ch chan string) {
	for k := range t.m { // want `unguarded-access: .*`
		ch <- k
	}
}

// A comment of its own, and one behind.
func (t *table) commentBad(ch chan int, k string) {
	// Before.
	delete(t.m, k) // behind // want `unguarded-access: .*`
	// After.
	ch <- 1
}

// One section to the end of the function.
func (t *table) claimBad(k string) error {
	t.mu.RLock()
	_, ok := t.m[k]
	t.mu.RUnlock()
	if ok {
		return fmt.Errorf("%s: %w", k, errTaken)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.m[k] = &entry{} // want `split-lock: .*`
	return nil
}

// The section ends before what may wait.
func (t *table) addBad(ch chan int, k string) bool {
	t.mu.Lock()
	n := t.n[k]
	t.mu.Unlock()
	if n > 10 {
		return false
	}
	t.mu.Lock()
	t.n[k] = n + 1 // want `split-lock: .*`
	t.mu.Unlock()
	ch <- n
	return true
}

// Neither step holds the lock.
func (t *table) bareBad(k string) bool {
	if _, ok := t.m[k]; ok { // want `check-then-act: .*`
		return false
	}
	t.m[k] = &entry{}
	return true
}

// The act alone holds it.
func (t *table) halfBad(k string) {
	if t.m[k] == nil { // want `check-then-act: .*`
		t.mu.Lock()
		t.m[k] = &entry{}
		t.mu.Unlock()
	}
}

var (
	registryMu sync.Mutex
	registry   = map[string]int{}
)

func register(k string, v int) {
	registryMu.Lock()
	defer registryMu.Unlock()
	registry[k] = v
}

func unregister(k string) {
	registryMu.Lock()
	defer registryMu.Unlock()
	delete(registry, k)
}

func sizeBad() int {
	return len(registry) // want `unguarded-access: .*`
}

// hub embeds its lock.
type hub struct {
	sync.Mutex
	peers map[int]string
}

func (h *hub) join(id int, name string) {
	h.Lock()
	defer h.Unlock()
	h.peers[id] = name
}

func (h *hub) leave(id int) {
	h.Lock()
	defer h.Unlock()
	delete(h.peers, id)
}

func (h *hub) nameBad(id int) string {
	return h.peers[id] // want `unguarded-access: .*`
}

// A helper runs under the lock of its callers; one forgets it.
func (h *hub) resetLocked() {
	clear(h.peers)
}

func (h *hub) reset() {
	h.Lock()
	h.resetLocked()
	h.Unlock()
}

func (h *hub) restart() {
	h.Lock()
	defer h.Unlock()
	h.resetLocked()
}

func (h *hub) stopBad(ch chan bool) {
	h.resetLocked() // want `unguarded-access: .*`
	ch <- true
}

// Neighbours share one section.
func (t *table) neighboursBad(ch chan int, k string) {
	t.n[k] = 0
	ch <- 1
	e := t.m[k] // want `unguarded-access: .*`
	n := e.n
	t.n[k] = n
	ch <- n
}

// knowsLocked runs under the lock of its callers.
func (t *table) knowsLocked(k string) bool {
	_, ok := t.m[k]
	return ok
}

// The look is made in a helper that takes no lock itself.
func (t *table) helperBad(k string) bool {
	t.mu.Lock()
	known := t.knowsLocked(k)
	t.mu.Unlock()
	if known {
		return false
	}
	t.mu.Lock()
	t.m[k] = &entry{} // want `split-lock: .*`
	t.mu.Unlock()
	return true
}

// weight holds the lock at all that it does, as most do.
func (t *table) weight(a, b string) int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	w := len(t.m)
	for _, e := range t.m {
		w += e.n
	}
	return w + t.m[a].n + t.m[b].n
}

// A monitor is watched by goroutines that are started again and again.
type monitor struct {
	mu    sync.Mutex
	stop  bool
	seen  map[string]int
	names []string
}

func (m *monitor) halt() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stop = true
	for name := range m.seen {
		m.names = append(m.names, name)
	}
}

func (m *monitor) watch(ch <-chan string) {
	for name := range ch {
		m.seen[name] = 1 // want `goroutine-race: .*`
	}
}

func watchAll(m *monitor, ch <-chan string) {
	go m.watch(ch)
	m.halt()
}
