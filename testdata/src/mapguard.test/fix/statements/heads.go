package statements

import "sync"

type heads struct {
	mu sync.Mutex
	n  map[string]int // guarded by mu
}

func (h *heads) put(k string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.n[k]++
}

// What may wait is part of what the head defines: the access alone moves in front of it.
func (h *heads) shownBad(show func(int) int, k string) {
	if shown := show(h.n[k]); shown > 0 { // want `unguarded-access: .*`
		show(shown)
	}
}

// It is assigned.
func (h *heads) assignedBad(show func(string, int) error, k string) (err error) {
	if err = show(k, len(h.n)); err != nil { // want `unguarded-access: .*`
		return err
	}
	return show(k, 0)
}

// A comment in the head stays.
func (h *heads) commentBad(ch chan int, k string) {
	if n := /* so far */ h.n[k]; n > 0 { // want `unguarded-access: .*`
		ch <- n
	}
}
