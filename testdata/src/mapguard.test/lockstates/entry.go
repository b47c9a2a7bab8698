package lockstates

import "sync"

// two has a map that some callers of add lock by one mutex, others by another.
type two struct {
	a, b sync.Mutex
	m    map[string]int
}

func (t *two) underA(k string) {
	t.a.Lock()
	defer t.a.Unlock()
	t.addBad(k)
}

func (t *two) underB(k string) {
	t.b.Lock()
	defer t.b.Unlock()
	t.addBad(k)
}

func (t *two) alsoUnderA(k string) {
	t.a.Lock()
	defer t.a.Unlock()
	t.m[k] = 2
}

func (t *two) readsUnderA(k string) int {
	t.a.Lock()
	defer t.a.Unlock()
	return t.m[k]
}

func (t *two) addBad(k string) {
	t.m[k] = 1 // want `unguarded-access: t\.m is written.*, low`
}
