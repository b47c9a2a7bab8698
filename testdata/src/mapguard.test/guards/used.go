package guards

import "sync"

// The only lock beside the map, held at most accesses.
type most struct {
	l sync.Mutex
	m map[string]int
}

func (u *most) insertOk(k string) {
	u.l.Lock()
	defer u.l.Unlock()
	u.m[k] = 1
}

func (u *most) deleteOk(k string) {
	u.l.Lock()
	defer u.l.Unlock()
	delete(u.m, k)
}

func (u *most) countOk() int {
	u.l.Lock()
	defer u.l.Unlock()
	return len(u.m)
}

func (u *most) forgottenBad(k string) {
	u.m[k] = 2 // want `unguarded-access: u\.m .* without l .*l protects it \(held at 3 of 4 accesses\)`
}

// One locked writer and one without: a contradiction, as the lock is plainly
// the map's.
type contradiction struct {
	mu sync.Mutex
	m  map[string]int
}

func (u *contradiction) lockedOk(k string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.m[k] = 1
}

func (u *contradiction) unlockedBad(k string) {
	u.m[k] = 2 // want `unguarded-access: u\.m .* without mu`
}

// The lock is for the counter; that a writer of the map happens to hold it
// once proves nothing against many that do not.
type coincidence struct {
	n  int
	mu sync.Mutex
	x  sync.Mutex

	m map[string]int
}

func (u *coincidence) onceUnderOk(k string) {
	u.mu.Lock()
	u.n++
	u.m[k] = 1
	u.mu.Unlock()
}

func (u *coincidence) without1Ok(k string) { u.m[k] = 1 }
func (u *coincidence) without2Ok(k string) { u.m[k] = 2 }
func (u *coincidence) without3Ok(k string) { u.m[k] = 3 }
func (u *coincidence) without4Ok(k string) { delete(u.m, k) }

// Constructors do not count and need no lock.
type constructed struct {
	mu sync.Mutex
	m  map[string]int
}

func newConstructedOk(keys []string) *constructed {
	c := &constructed{m: make(map[string]int)}
	for _, k := range keys {
		c.m[k] = 1
	}
	return c
}

func (u *constructed) useOk(k string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.m[k]++
}

func (u *constructed) useBad(k string) int {
	return u.m[k] // want `unguarded-access: u\.m .* without mu .*mu protects it \(held at 2 of 3 accesses\)`
}

// A map that is never changed once published needs no guard, whatever lock is
// held around its reads.
type readOnly struct {
	mu sync.Mutex
	m  map[string]int
	n  int
}

func newReadOnly() *readOnly { return &readOnly{m: map[string]int{"a": 1}} }

func (u *readOnly) underLockOk(k string) int {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.n++
	return u.m[k]
}

func (u *readOnly) withoutLockOk(k string) int { return u.m[k] }

// The lock of a hat stands above the map.
type hats struct {
	a  sync.Mutex
	as map[string]int

	b  sync.Mutex
	bs map[string]int
}

func (h *hats) firstOk(k string) {
	h.a.Lock()
	defer h.a.Unlock()
	h.as[k] = 1
}

func (h *hats) firstBad(k string) {
	h.as[k] = 2 // want `unguarded-access: h\.as .* without a `
}

func (h *hats) secondOk(k string) {
	h.b.Lock()
	defer h.b.Unlock()
	h.bs[k] = 1
}

func (h *hats) secondBad(k string) {
	h.b.Lock()
	v := h.bs[k] // want `check-then-act: .*h\.bs`
	h.b.Unlock()
	h.bs[k] = v + 1
}

// Position makes no guard alone.
type hatAlone struct {
	mu sync.Mutex
	m  map[string]int
}

func (h *hatAlone) positionAloneOk(k string) { h.m[k]++ }

// The parent's lock protects what hangs below it, by use.
type tree struct {
	mu    sync.Mutex
	nodes map[string]*node
}

type node struct{ labels map[string]string }

func (t *tree) labelOk(n, k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.nodes[n].labels[k] = "x"
}

func (t *tree) unlabelOk(n, k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.nodes[n].labels, k)
}

func (t *tree) relabelOk(n, k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.nodes[n].labels[k] == "" {
		t.nodes[n].labels[k] = "y"
	}
}

func (n *node) labelBad(k string) {
	n.labels[k] = "z" // want `unguarded-access: n\.labels .* without mu`
}
