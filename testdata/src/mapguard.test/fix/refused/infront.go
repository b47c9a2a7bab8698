package refused

import (
	"net/http"
	"sync"
)

// Of this lock it is said what it is for.
type saidHits struct {
	mu    sync.Mutex // protects last
	last  string
	count map[string]int
}

func (h *saidHits) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	h.count[r.URL.Path]++ // want `check-then-act: .*`
	h.mu.Lock()
	h.last = r.URL.Path
	h.mu.Unlock()
}

// There are two.
type twoHits struct {
	mu    sync.Mutex
	last  string
	lock  sync.Mutex
	first string
	count map[string]int
}

func (h *twoHits) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	h.count[r.URL.Path]++ // want `check-then-act: .*`
	h.mu.Lock()
	h.last = r.URL.Path
	h.mu.Unlock()
	h.lock.Lock()
	h.first = r.URL.Path
	h.lock.Unlock()
}

// Its name says what it is for.
type namedHits struct {
	lastMu sync.Mutex
	last   string
	count  map[string]int
}

func (h *namedHits) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	h.count[r.URL.Path]++ // want `check-then-act: .*`
	h.lastMu.Lock()
	h.last = r.URL.Path
	h.lastMu.Unlock()
}

// It stands behind the map.
type behindHits struct {
	count map[string]int
	mu    sync.Mutex
	last  string
}

func (h *behindHits) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	h.count[r.URL.Path]++ // want `check-then-act: .*`
	h.mu.Lock()
	h.last = r.URL.Path
	h.mu.Unlock()
}

// A caller may hold it already, in code that nothing follows.
type heldHits struct {
	mu    sync.Mutex
	last  string
	done  func(h *heldHits)
	count map[string]int
}

func (h *heldHits) finish() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.done(h)
}

func (h *heldHits) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	h.countBad(r.URL.Path)
	h.finish()
}

func (h *heldHits) countBad(name string) {
	h.count[name]++ // want `check-then-act: .*`
}

func newHeldHits() *heldHits {
	return &heldHits{count: make(map[string]int), done: func(h *heldHits) { h.countBad("done") }}
}

// It is held while goroutines that use the map are waited for.
type awaitedHits struct {
	mu    sync.Mutex
	open  sync.WaitGroup
	count map[string]int
}

func (h *awaitedHits) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	h.open.Add(1)
	defer h.open.Done()
	h.count[r.URL.Path]++ // want `check-then-act: .*`
}

func (h *awaitedHits) stop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open.Wait()
}

// It tells who runs.
type triedHits struct {
	mu    sync.Mutex
	last  string
	count map[string]int
}

func (h *triedHits) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	h.count[r.URL.Path]++ // want `check-then-act: .*`
	if !h.mu.TryLock() {
		return
	}
	defer h.mu.Unlock()
	h.last = r.URL.Path
}

// It keeps the answers apart.
type busyHits struct {
	mu    sync.Mutex
	to    http.ResponseWriter
	count map[string]int
}

func (h *busyHits) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	h.count[r.URL.Path]++ // want `check-then-act: .*`
	h.mu.Lock()
	defer h.mu.Unlock()
	_, _ = h.to.Write([]byte(r.URL.Path))
}

// With the struct the lock is another one.
type resetHits struct {
	mu    sync.Mutex
	last  string
	count map[string]int
}

func (h *resetHits) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	h.count[r.URL.Path]++ // want `check-then-act: .*`
	h.mu.Lock()
	h.last = r.URL.Path
	h.mu.Unlock()
}

func (h *resetHits) reset() { *h = resetHits{count: make(map[string]int)} }

// LockedHits can be locked by others.
type LockedHits struct {
	mu    sync.Mutex
	last  string
	count map[string]int
}

// Lock locks.
func (h *LockedHits) Lock() { h.mu.Lock() }

// Unlock unlocks.
func (h *LockedHits) Unlock() { h.mu.Unlock() }

// Add counts.
func (h *LockedHits) Add(name string) { h.addBad(name) }

func (h *LockedHits) addBad(name string) {
	h.count[name]++ // want `check-then-act: .*`
}

func (h *LockedHits) ServeHTTP(_ http.ResponseWriter, r *http.Request) { h.Add(r.URL.Path) }
