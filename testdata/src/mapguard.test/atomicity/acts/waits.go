package acts

import "sync"

// A look decides to give the lock up for a while, and the act is done either
// way: when the lock is taken again, nothing asks.

type hall struct {
	mu     sync.Mutex
	room   *sync.Cond
	guests map[string]int
	max    int
	ask    chan string
}

func newHall(n int) *hall {
	h := &hall{guests: make(map[string]int), max: n}
	h.room = sync.NewCond(&h.mu)
	return h
}

func (h *hall) leave(k string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.guests, k)
	h.room.Signal()
}

func (h *hall) askFor(k string) { h.ask <- k }

func (h *hall) enterBad(k string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.guests) >= h.max {
		h.room.Wait()
	}
	h.guests[k] = 1 // want `split-lock: `
}

func (h *hall) full() bool { return len(h.guests) >= h.max }

func (h *hall) enterHelperBad(k string) {
	h.mu.Lock()
	if h.full() {
		h.room.Wait()
	}
	h.guests[k] = 1 // want `split-lock: `
	h.mu.Unlock()
}

func (h *hall) enterOk(k string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for len(h.guests) >= h.max {
		h.room.Wait()
	}
	h.guests[k] = 1
}

// One more look is enough where it is not asked for more.
func (h *hall) enterOnceOk(k string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.full() {
		h.room.Wait()
		if h.full() {
			return false
		}
	}
	h.guests[k] = 1
	return true
}

func (h *hall) enterPollBad(k string) {
	h.mu.Lock()
	if len(h.guests) >= h.max {
		h.mu.Unlock()
		h.askFor("first")
		h.mu.Lock()
	}
	h.guests[k] = 1 // want `split-lock: `
	h.mu.Unlock()
}

// The way that gives the lock up does not lead to the act.
func (h *hall) enterOrLeaveOk(k string) {
	h.mu.Lock()
	if len(h.guests) >= h.max {
		h.mu.Unlock()
		h.askFor(k)
		return
	}
	h.guests[k] = 1
	h.mu.Unlock()
}

// Both sides look for themselves.
func (h *hall) enterTwiceOk(k string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.guests) < h.max {
		h.guests[k] = 1
		return true
	}
	h.mu.Unlock()
	h.askFor("first")
	h.mu.Lock()
	if len(h.guests) < h.max {
		h.guests[k] = 1
		return true
	}
	return false
}

// After the second look the lock is given up once more.
func (h *hall) enterTwoWaitsBad(k string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.guests) >= h.max {
		h.room.Wait()
		if len(h.guests) >= h.max {
			h.room.Wait()
		}
	}
	h.guests[k] = 1 // want `split-lock: `
}
