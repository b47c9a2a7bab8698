// Package unit has what works beside its owner, and a lock that others take.
package unit

import (
	"sync"
	"time"
)

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

// First returns the first of a list that suits.
func First[E any, S ~[]E](list S, suits func(E) bool) (first E, ok bool) {
	for _, e := range list {
		if suits(e) {
			return e, true
		}
	}
	return first, false
}

// Has reports whether one of a list suits.
func Has[E any, S ~[]E](list S, suits func(E) bool) bool {
	for _, e := range list {
		if suits(e) {
			return true
		}
	}
	return false
}

// Even waits for a while.
func Even(n int) bool {
	time.Sleep(time.Second)
	return n%2 == 0
}

// FirstOf asks what is kept where nothing is given.
func FirstOf(u *Unit, list []int, suits func(int) bool) bool {
	if suits == nil {
		suits = func(int) bool {
			u.kept()
			return true
		}
	}
	for _, e := range list {
		if suits(e) {
			return true
		}
	}
	return false
}

// Keep keeps f for Later.
func (u *Unit) Keep(f func()) { u.kept = f }

// Later runs what was kept, alone.
func (u *Unit) Later() {
	u.Lock()
	defer u.Unlock()
	u.kept()
}
