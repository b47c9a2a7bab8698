package testsupport12

import "sync"

// Tally is used in production, whatever the next file is for.
type Tally struct {
	mu   sync.Mutex
	seen map[string]int
}

func (t *Tally) Note(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seen[k]++
}

func (t *Tally) CountBad(k string) int {
	return t.seen[k] // want `unguarded-access: t.seen is read without mu`
}
