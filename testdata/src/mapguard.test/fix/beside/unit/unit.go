// Package unit has what works beside its owner, and a lock that others take.
package unit

import "sync"

// Unit is one.
type Unit struct {
	wg   sync.WaitGroup
	kept func()
	sync.Mutex
}

// Launch runs f in a goroutine.
func (u *Unit) Launch(f func()) {
	u.wg.Add(1)
	go func() {
		defer u.wg.Done()
		f()
	}()
}

// Keep keeps f for Later.
func (u *Unit) Keep(f func()) { u.kept = f }

// Later runs what was kept, alone.
func (u *Unit) Later() {
	u.Lock()
	defer u.Unlock()
	u.kept()
}
