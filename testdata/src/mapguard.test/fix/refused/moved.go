package refused

import "sync"

// A link has a map, and leads to the next one.
type link struct {
	mu   sync.RWMutex
	m    map[string]int
	next *link
}

func (l *link) put(k string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.m[k]++
}

func (l *link) drop(k string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.m, k)
}

func (l *link) replace() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.m = map[string]int{}
}

// What leads to the map is the next one when that is read.
func sumBad(l *link, out chan<- int) {
	for l != nil {
		m := l.m
		l = l.next
		n := m["x"] // want `unguarded-access: .*without mu`
		out <- n
	}
}

// Under the lock, no one could end the loop.
func (l *link) awaitBad() (n int) {
	for l.m["go"] == 0 { // want `unguarded-access: .*without mu`
		n++
	}
	return n
}

// What was found is added to another entry, by the function that deletes it.
func (l *link) moveBad(a, b string) {
	n, ok := l.m[a] // want `check-then-act: .*`
	if !ok {
		return
	}
	l.shift(a, b, n)
}

func (l *link) shift(a, b string, n int) {
	println(a)
	l.mu.Lock()
	delete(l.m, a)
	l.m[b] += n
	l.mu.Unlock()
}

// A generation has a map and a lock. The one that is walked has another lock than the one that is filled, which
// no one else has yet.
type generation struct {
	mu    sync.Mutex
	items map[string]int // guarded by mu
}

type generations struct {
	mu   sync.Mutex
	head *generation // guarded by mu
}

func (g *generations) current() *generation {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.head
}

func (g *generations) touch(key string) {
	cur := g.current()
	cur.mu.Lock()
	defer cur.mu.Unlock()
	cur.items[key]++
}

func (g *generations) rotateBad(stop func() bool) {
	cur := g.current()
	for !stop() {
		next := &generation{items: make(map[string]int)}
		for k, n := range cur.items { // want `unguarded-access: .*without mu`
			if n > 1 {
				next.items[k] = n
			}
		}
		g.mu.Lock()
		g.head = next
		g.mu.Unlock()
		cur = next
	}
}

// The receiver has a lock, but not the one of the generation that is walked.
func (g *generation) sumBad(next func(*generation) *generation) (n int) {
	for at := g; at != nil; at = next(at) {
		n += at.items["x"] // want `unguarded-access: .*without mu`
	}
	return n
}

// An epoch has no lock yet, and would get one: the one that is walked has another one than what is new.
type epoch struct {
	seen map[string]int
}

func (e *epoch) touchBad(key string) {
	e.seen[key]++ // want `check-then-act: .*`
}

func (e *epoch) startBad(stop func() bool, show func(*epoch)) {
	go e.touchBad("x")
	cur := e
	for !stop() {
		next := &epoch{seen: make(map[string]int)}
		for k, n := range cur.seen { // want `unguarded-access: .*`
			next.seen[k] = n
		}
		show(next)
		cur = next
	}
}

type chained struct {
	mu    sync.Mutex
	parts map[string][]int // guarded by mu
	next  *chained
}

// The receiver is another object by the time of the release: it is set once, beside what it was before.
func (c *chained) nextBad(k string) {
	for c != nil {
		c.mu.Lock()
		v, ok := c.parts[k]
		c.mu.Unlock()
		if !ok {
			c = c.next
			continue
		}
		c.mu.Lock()
		c.parts[k] = append(v, 1) // want `split-lock: .*`
		c.mu.Unlock()
		return
	}
}

func (c *chained) put(k string, v []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.parts[k] = v
}
