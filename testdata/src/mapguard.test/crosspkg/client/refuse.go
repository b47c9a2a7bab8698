package client

import (
	"errors"
	"sync"

	"mapguard.test/crosspkg/store"
)

// Two callers are both told that they have the desk.
type desks struct {
	mu    sync.Mutex
	taken map[string]bool // guarded by mu
}

// What tells the callers apart is an error; that a function of another package
// never returns nil is in no fact.
func (d *desks) FN_claimBad(k string) error {
	d.mu.Lock()
	taken := d.taken[k]
	d.mu.Unlock()
	if taken {
		return store.Refuse(k)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.taken[k] = true
	return nil
}

func (d *desks) claimBad(k string) error {
	d.mu.Lock()
	taken := d.taken[k]
	d.mu.Unlock()
	if taken {
		return errors.New("taken")
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.taken[k] = true // want `split-lock: .*taken`
	return nil
}

func (d *desks) leave(k string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.taken, k)
}
