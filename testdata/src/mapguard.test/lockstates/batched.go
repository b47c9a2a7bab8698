package lockstates

import "sync"

// unit is used under its lock, or by who has the lock and says so.
type unit struct {
	mu      sync.Mutex
	batched bool
	state   *unitState
}

type unitState struct {
	runs  map[string]int
	other map[string]int
}

func (u *unit) startOk(k string) {
	go func() { u.resize(k) }()
	u.enterOk(k)
}

// enterOk takes the lock of the object around the state's, unless it is told not to.
func (u *unit) enterOk(k string) {
	if !u.batched {
		u.mu.Lock()
		defer u.mu.Unlock()
	}
	u.note(k)
}

func (u *unit) note(k string) { u.state.runs[k] = 1 }

func (u *unit) resize(k string) {
	if !u.batched {
		u.mu.Lock()
		defer u.mu.Unlock()
	}
	delete(u.state.runs, k)
}

// begin takes no lock at all.
func (u *unit) begin(k string) {
	go func() { u.resizeBad(k) }()
	u.state.other[k] = 2
}

func (u *unit) resizeBad(k string) { delete(u.state.other, k) } // want `goroutine-race: `
