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

// A meter counts from when it is switched on, before its workers start; mu protects the entries.
type meter struct {
	mu    sync.Mutex // protects calls and sizes
	calls map[string]int
	sizes map[string]int
}

func (m *meter) switchOn() {
	m.calls = make(map[string]int)
}

// countLowBad races with switchOn alone, if at all: an old answer is as good as the new one.
func (m *meter) countLowBad(k string) {
	if m.calls == nil { // want `check-then-act: m\.calls is compared with nil here without a lock.*, low`
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls[k]++
}

func (m *meter) switchSizes(on bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sizes = nil
	if on {
		m.sizes = make(map[string]int)
	}
}

// measureBad may find that the map was taken away when it has the lock.
func (m *meter) measureBad(k string) {
	if m.sizes == nil { // want `check-then-act: m\.sizes is compared with nil here without a lock.*: a data race on the map`
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sizes[k]++
}

// countBareBad changes the entry without the lock: that is raced on.
func (m *meter) countBareBad(k string) {
	if m.calls == nil { // want `check-then-act: m\.calls is compared with nil.*, low`
		return
	}
	m.calls[k]++
}
