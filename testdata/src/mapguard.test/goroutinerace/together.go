package goroutinerace

import "sync"

// A loop makes a lock in each round, and hands the function that takes it to a helper. The
// goroutines of one round have the lock in common.

func waitAll(names []string, visit func(string)) {
	done := make(chan struct{})
	for _, name := range names {
		go func() {
			visit(name)
			done <- struct{}{}
		}()
	}
	for range names {
		<-done
	}
}

func waitNone(names []string, visit func(string)) {
	for _, name := range names {
		go visit(name)
	}
}

func bothAnewOk(batches chan []string) {
	for names := range batches {
		var mu sync.Mutex
		known := make(map[string]int, len(names))
		waitAll(names, func(name string) {
			mu.Lock()
			known[name]++
			mu.Unlock()
		})
	}
}

// The helper has waited for all of a round when the next one begins.
func lockAnewOk(batches chan []string) map[string]int {
	known := map[string]int{}
	for names := range batches {
		mu := new(sync.Mutex)
		waitAll(names, func(name string) {
			mu.Lock()
			known[name]++
			mu.Unlock()
		})
	}
	return known
}

// Those of the next round come with another lock.
func lockAnewBad(batches chan []string) {
	known := map[string]int{}
	for names := range batches {
		mu := new(sync.Mutex)
		waitNone(names, func(name string) {
			mu.Lock()
			known[name]++ // want `goroutine-race: known`
			mu.Unlock()
		})
	}
}

// Each goroutine makes the lock for itself.
func lockInsideBad(batches chan []string) {
	for names := range batches {
		known := make(map[string]int, len(names))
		waitAll(names, func(name string) {
			var mu sync.Mutex
			mu.Lock()
			known[name]++ // want `goroutine-race: known`
			mu.Unlock()
		})
	}
}

// One for which nothing waits goes on beside those that the helper starts.
func outsiderBad(batches chan []string) {
	known := map[string]int{}
	for names := range batches {
		mu := new(sync.Mutex)
		count := func(name string) {
			mu.Lock()
			known[name]++ // want `goroutine-race: known`
			mu.Unlock()
		}
		go count(names[0])
		waitAll(names[1:], count)
	}
}

// The seat of a round is the same for its goroutines.
func seatOfRoundOk(seats []*seat, names []string) map[string]int {
	known := map[string]int{}
	for _, s := range seats {
		waitAll(names, func(name string) {
			s.mu.Lock()
			defer s.mu.Unlock()
			known[name]++
		})
	}
	return known
}
