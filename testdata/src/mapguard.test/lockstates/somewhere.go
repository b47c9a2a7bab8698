package lockstates

import (
	"sync"
	"sync/atomic"
)

// A caller that knows only that the lock of some object is held agrees with one
// that knows of which.

type hall struct {
	mu    sync.Mutex
	seats map[string]int
}

type theatre struct {
	main *hall
	cur  atomic.Pointer[hall]
}

func (t *theatre) hall() *hall { return t.cur.Load() }

func (h *hall) Open(row string, n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seats[row] = n
}

func (h *hall) Shut(row string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.seats, row)
}

// freeOk is called by one who names the lock, and by one who cannot.
func (h *hall) freeOk(row string) int { return h.seats[row] }

func (t *theatre) Free(row string) int {
	h := t.main
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.freeOk(row)
}

func (t *theatre) Book(row string) bool {
	h := t.hall()
	h.mu.Lock()
	defer h.mu.Unlock()
	return bookLocked(t, row)
}

func bookLocked(t *theatre, row string) bool { return t.hall().freeOk(row) > 0 }

// One that holds nothing still spoils it.
func (h *hall) left(row string) int { return h.seats[row] }

func (t *theatre) Left(row string) int {
	h := t.main
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.left(row)
}

func (t *theatre) LeftAtAllBad(row string) bool {
	return t.hall().left(row) > 0 // want `unguarded-access:.*, low`
}
