package goroutinerace

import (
	"context"
	"sync"
	"time"
)

// A context that the function makes, of one that never ends, and that it cancels behind a
// select alone, does not end that select: the other case has been waited for.

func cancelledLaterOk(in chan string, all []string) int {
	got := make(map[string]bool)
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	go func() {
		for {
			select {
			case s := <-in:
				func() {
					defer wg.Done()
					got[s] = true
				}()
			case <-ctx.Done():
				return
			}
		}
	}()
	for _, n := range all {
		wg.Add(1)
		in <- n
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		wg.Wait()
	}()
	select {
	case <-done:
		println("done")
	case <-ctx.Done():
		println("cancelled")
	}
	cancel()
	return len(got)
}

// It gives up, it never does.
func cancelledAtEndOk(in chan string, all []string) int {
	got := make(map[string]bool)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var wg sync.WaitGroup
	go func() {
		for {
			select {
			case s := <-in:
				func() {
					defer wg.Done()
					got[s] = true
				}()
			case <-ctx.Done():
				return
			}
		}
	}()
	for _, n := range all {
		wg.Add(1)
		in <- n
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		wg.Wait()
	}()
	select {
	case <-done:
		println("done")
	case <-ctx.Done():
		return 0
	}
	return len(got)
}

// The caller may cancel it.
func parentBad(in chan string, all []string, parent context.Context) int {
	got := make(map[string]bool)
	ctx, cancel := context.WithCancel(parent)
	var wg sync.WaitGroup
	go func() {
		for {
			select {
			case s := <-in:
				func() {
					defer wg.Done()
					got[s] = true // want `goroutine-race: got`
				}()
			case <-ctx.Done():
				return
			}
		}
	}()
	for _, n := range all {
		wg.Add(1)
		in <- n
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		wg.Wait()
	}()
	select {
	case <-done:
		println("done")
	case <-ctx.Done():
		println("cancelled")
	}
	cancel()
	return len(got)
}

// Time does.
func timeoutBad(in chan string, all []string) int {
	got := make(map[string]bool)
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	var wg sync.WaitGroup
	go func() {
		for {
			select {
			case s := <-in:
				func() {
					defer wg.Done()
					got[s] = true // want `goroutine-race: got`
				}()
			case <-ctx.Done():
				return
			}
		}
	}()
	for _, n := range all {
		wg.Add(1)
		in <- n
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		wg.Wait()
	}()
	select {
	case <-done:
		println("done")
	case <-ctx.Done():
		println("cancelled")
	}
	cancel()
	return len(got)
}

// It is cancelled before.
func cancelledBeforeBad(in chan string, all []string) int {
	got := make(map[string]bool)
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	go func() {
		for {
			select {
			case s := <-in:
				func() {
					defer wg.Done()
					got[s] = true // want `goroutine-race: got`
				}()
			case <-ctx.Done():
				return
			}
		}
	}()
	for _, n := range all {
		wg.Add(1)
		in <- n
	}
	if len(all) > 10 {
		cancel()
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		wg.Wait()
	}()
	select {
	case <-done:
		println("done")
	case <-ctx.Done():
		println("cancelled")
	}
	cancel()
	return len(got)
}

// Others can cancel it.
func cancelGivenBad(in chan string, all []string) int {
	got := make(map[string]bool)
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	go func() {
		for {
			select {
			case s := <-in:
				func() {
					defer wg.Done()
					got[s] = true // want `goroutine-race: got`
				}()
			case <-ctx.Done():
				return
			}
		}
	}()
	for _, n := range all {
		wg.Add(1)
		in <- n
	}
	time.AfterFunc(time.Second, cancel)
	done := make(chan struct{})
	go func() {
		defer close(done)
		wg.Wait()
	}()
	select {
	case <-done:
		println("done")
	case <-ctx.Done():
		println("cancelled")
	}
	cancel()
	return len(got)
}

func cancelStartedBad(in chan string, all []string) int {
	got := make(map[string]bool)
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	go func() {
		for {
			select {
			case s := <-in:
				func() {
					defer wg.Done()
					got[s] = true // want `goroutine-race: got`
				}()
			case <-ctx.Done():
				return
			}
		}
	}()
	for _, n := range all {
		wg.Add(1)
		in <- n
	}
	go cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		wg.Wait()
	}()
	select {
	case <-done:
		println("done")
	case <-ctx.Done():
		println("cancelled")
	}
	cancel()
	return len(got)
}
