package unguarded

import (
	"encoding/json"
	"io"
	"sync"
)

type leavers struct {
	mu   sync.Mutex
	seen map[string]io.Closer
}

func (h *leavers) add(k string, c io.Closer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seen[k] = c
}

func (h *leavers) stop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seen = nil
}

// showBad goes on with the map that it has tested.
func (h *leavers) showBad(w io.Writer) error {
	m := h.seen
	if m == nil { // want `unguarded-access: h\.seen is compared with nil`
		return nil
	}
	return json.NewEncoder(w).Encode(m)
}

// leaveBad relies on there being a map.
func (h *leavers) leaveBad(k string) error {
	if h.seen == nil { // want `check-then-act: h\.seen is compared with nil here without a lock`
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	err := h.seen[k].Close()
	delete(h.seen, k)
	return err
}

// dropBad looks again before it deletes: an old answer does no harm.
func (h *leavers) dropBad(k string) {
	if h.seen == nil { // want `check-then-act: h\.seen is compared with nil here without a lock.*, low`
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, ok := h.seen[k]; ok {
		delete(h.seen, k)
	}
}
