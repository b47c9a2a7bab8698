package unguarded

import "sync"

type harvest struct {
	mu    sync.Mutex // protects sacks
	sacks map[string]int
}

func (h *harvest) carry(k string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sacks[k]++
}

func (h *harvest) drop(k string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.sacks, k)
}

func (h *harvest) clear() {
	h.mu.Lock()
	defer h.mu.Unlock()
	clear(h.sacks)
}

func (h *harvest) has(k string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, ok := h.sacks[k]
	return ok
}

func (h *harvest) of(k string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.sacks[k]
}

func (h *harvest) each(f func(string)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for k := range h.sacks {
		f(k)
	}
}

func (h *harvest) all() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.sacks)
}

func (h *harvest) SumLow() int {
	// This is outside of the scope of carry, so we don't need to hold h.mu.
	n := 0
	for _, s := range h.sacks { // want `unguarded-access: h.sacks is ranged over without mu.*, low`
		n += s
	}
	return n
}

func (h *harvest) BarnLow() int {
	// No lock is needed here, since all workers have gone by now.
	return h.sacks["barn"] // want `unguarded-access: h.sacks is read without mu.*, low`
}

type threshing struct {
	mu    sync.Mutex // protects sacks
	sacks map[string]int
}

func (h *threshing) carry(k string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sacks[k]++
}

func (h *threshing) drop(k string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.sacks, k)
}

func (h *threshing) clear() {
	h.mu.Lock()
	defer h.mu.Unlock()
	clear(h.sacks)
}

func (h *threshing) has(k string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, ok := h.sacks[k]
	return ok
}

func (h *threshing) of(k string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.sacks[k]
}

func (h *threshing) each(f func(string)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for k := range h.sacks {
		f(k)
	}
}

func (h *threshing) all() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.sacks)
}

func (h *threshing) ReadsBad() int {
	// No lock is needed here: this only reads.
	return h.sacks["barn"] // want `unguarded-access: h.sacks is read without mu`
}

func (h *threshing) LaterBad() int {
	// All workers have gone, so nothing else has the lock.
	return h.sacks["barn"] // want `unguarded-access: h.sacks is read without mu`
}

func (h *threshing) EntryBad() int {
	// No lock is needed, because no other sack has what is in the barn.
	return h.sacks["barn"] // want `unguarded-access: h.sacks is read without mu`
}

func (h *threshing) OftenBad() int {
	// There is no need to lock, since it is asked for once every hour.
	return h.sacks["barn"] // want `unguarded-access: h.sacks is read without mu`
}

func (h *threshing) WithoutBad() int {
	// All workers have gone by now, so this goes without the lock.
	return h.sacks["barn"] // want `unguarded-access: h.sacks is read without mu`
}

func (h *threshing) OpenBad() int {
	// TODO: find out if no lock is needed, since all workers have gone by now.
	return h.sacks["barn"] // want `unguarded-access: h.sacks is read without mu`
}

func (h *threshing) weighBad() int {
	// No lock is needed, since all workers have gone by now.
	return h.sacks["barn"] // want `unguarded-access: h.sacks is read without mu`
}

// Weigh does so in several goroutines.
func (h *threshing) Weigh() {
	for range 3 {
		go h.weighBad()
	}
}
