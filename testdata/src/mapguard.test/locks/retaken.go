package locks

import "sync"

// A callee that drops its caller's lock on one path takes it again before it
// returns; on the other path it leaves it alone. Either way the caller holds it.
type expiring struct {
	mu sync.Mutex
	// guarded by mu
	items map[string]int
}

// dropBad is called with mu held and calls out without it: two that find the entry
// both do.
func (e *expiring) dropBad(k string, notify func()) {
	if _, ok := e.items[k]; !ok {
		return
	}
	e.mu.Unlock()
	notify()
	e.mu.Lock()
	delete(e.items, k) // want `split-lock: .*, low`
}

func (e *expiring) CleanUpOk(k string, notify func()) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.dropBad(k, notify)
	return e.items[k]
}

func (e *expiring) FillOk(k string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.items[k] = 1
}
