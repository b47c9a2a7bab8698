// Package crew starts as many goroutines as it is told.
package crew

import "sync"

// Work has n goroutines run f, and waits for them.
func Work(n int, f func()) {
	var wg sync.WaitGroup
	for range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f()
		}()
	}
	wg.Wait()
}

// Hire has n goroutines run f, and goes on.
func Hire(n int, f func()) {
	for i := 0; i < n; i++ {
		go f()
	}
}

// Shift passes the number on.
func Shift(hands int, name string, f func(string)) {
	Work(hands, func() { f(name) })
}

// Twice has twice as many.
func Twice(n int, f func()) {
	for range 2 {
		for range n {
			go f()
		}
	}
}

// Spare has one more.
func Spare(n int, f func()) {
	for i := 0; i <= n; i++ {
		go f()
	}
}

// Rework begins anew as long as it is told so.
func Rework(n int, more func() bool, f func()) {
	for {
		for i := 0; i < n; i++ {
			go f()
		}
		if !more() {
			return
		}
	}
}

// Recount starts one more each time that it is told to count again.
func Recount(n int, again func() bool, f func()) {
	for i := 0; i < n; i++ {
	start:
		go f()
		if again() {
			goto start
		}
	}
}

// Lead has n goroutines run f, and runs it itself meanwhile.
func Lead(n int, f func()) {
	var wg sync.WaitGroup
	for range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f()
		}()
	}
	f()
	wg.Wait()
}

// Thrice hires one three times.
func Thrice(f func()) {
	Hire(1, f)
	Hire(1, f)
	Hire(1, f)
}

// Either hires one, in one way or the other.
func Either(one bool, f func()) {
	if one {
		Hire(1, f)
	} else {
		Work(1, f)
	}
}
