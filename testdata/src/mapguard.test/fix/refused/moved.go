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
