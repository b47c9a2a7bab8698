package why

import (
	"io/fs"
	"log"
	"os"
	"sync"
)

// Each function has a grade or a reason that is rare elsewhere.

type store struct {
	mu sync.Mutex // protects m, n and ts
	m  map[string]*int
	n  map[string]int
	ts map[string]fs.FS
}

func (t *store) get(k string) *int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.m[k]
}

func (t *store) del(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.m, k)
	delete(t.n, k)
	delete(t.ts, k)
}

func (t *store) madeSure(k string) {
	t.mu.Lock()
	if _, ok := t.m[k]; !ok {
		t.m[k] = new(int)
	}
	t.mu.Unlock()
	t.mu.Lock()
	p := t.m[k] // why `the entry that was made sure of can be gone by then`
	*p = 1
	t.mu.Unlock()
}

func (t *store) purge() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(t.m)
	t.m = make(map[string]*int)
	return n
}

func (t *store) cleanOk(k string) {
	if t.purge() > 0 { // why `the callee says what it has done, not what it saw`
		t.mu.Lock()
		t.m[k] = new(int)
		t.mu.Unlock()
	}
}

func (t *store) putsBackOk(k string) {
	p := t.get(k) // why `the act puts back what was there`
	if p == nil {
		return
	}
	t.mu.Lock()
	t.m[k] = p
	t.mu.Unlock()
}

func (t *store) rootOk(k string) fs.FS {
	t.mu.Lock()
	p := t.ts[k] // why `nothing shows that the two objects can come to differ`
	t.mu.Unlock()
	if p == nil {
		p = os.DirFS(k)
		t.mu.Lock()
		t.ts[k] = p
		t.mu.Unlock()
	}
	return p
}

func (t *store) load() {
	m := make(map[string]*int)
	m["a"] = new(int)
	t.mu.Lock()
	t.m = m
	t.mu.Unlock()
}

func (t *store) empty() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.m) == 0
}

func (t *store) refreshOk() {
	if t.empty() { // why `the last refresh has the newest state`
		t.load()
	}
}

// other has a lock that happens to be held where the map of another is let go.
type other struct {
	mu   sync.Mutex
	held *loose
}

type loose struct{ m map[string]int }

var taken chan map[string]int

func (o *other) add(k string)  { o.mu.Lock(); o.held.m[k] = 1; o.mu.Unlock() }
func (o *other) drop(k string) { o.mu.Lock(); delete(o.held.m, k); o.mu.Unlock() }
func (o *other) letGoOk()      { o.mu.Lock(); taken <- o.held.m; o.mu.Unlock() } // why `the lock is another object's`

// gallery has lengths that are measured without the lock, each for another end.
type gallery struct {
	mu   sync.Mutex // protects pics
	pics map[string]int
}

func (g *gallery) hang(k string) { g.mu.Lock(); g.pics[k]++; g.mu.Unlock() }

func (g *gallery) logOk() { log.Print(len(g.pics)) } // why `the length is only told` `=> low`

func (g *gallery) namesOk() []string {
	out := make([]string, 0, len(g.pics)) // why `the length is a hint of how much to reserve` `=> low`
	g.mu.Lock()
	defer g.mu.Unlock()
	for k := range g.pics {
		out = append(out, k)
	}
	return out
}

func (g *gallery) fullOk() bool { return len(g.pics) > 10 } // why `a length is one word` `=> low`

type orchard struct {
	mu    sync.Mutex // protects trees
	trees map[string]int
}

func (o *orchard) plant(k string) { o.mu.Lock(); o.trees[k]++; o.mu.Unlock() }

func (o *orchard) fell(k string) { o.mu.Lock(); delete(o.trees, k); o.mu.Unlock() }

func (o *orchard) countOk() int {
	// All readers have gone by now, so no lock is needed.
	return o.trees["elm"] // why `the function says that it needs no lock` `=> low`
}
