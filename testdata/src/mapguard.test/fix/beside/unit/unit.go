// Package unit has what works beside its owner, and a lock that others take.
package unit

import (
	"runtime"
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

// Least returns the least number below most that suits, or most.
func Least(most int, suits func(int) bool) int {
	for n := 0; n < most; n++ {
		if suits(n) {
			return n
		}
	}
	return most
}

// Poll asks again and again.
func Poll(n int, suits func(int) bool) int {
	for !suits(n) {
		runtime.Gosched()
	}
	return n
}

// Tries counts how often it has to ask.
func Tries(n int, suits func(int) bool) (tries int) {
	for {
		tries++
		if suits(n) {
			return tries
		}
	}
}

// InTurn asks of those at the end again that do not suit yet.
func InTurn(list []int, suits func(int) bool) (last int) {
	for i := 0; i < len(list); i++ {
		if last = list[i]; !suits(last) {
			list = append(list, last)
		}
	}
	return last
}

// Ahead steps until a number behind the pointer is there.
func Ahead(most int, at *int, step func()) int {
	again := 0
	for *at < most {
		step()
		again++
	}
	return again
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
