package goroutinerace

import "sync"

// One of the two holds a lock.
func halfHeldBad(done chan bool) {
	var mu sync.Mutex
	seen := make(map[string]int)
	go func() {
		mu.Lock()
		defer mu.Unlock()
		delete(seen, "a") // want `goroutine-race: seen is deleted in a goroutine under mu, at the same time as another goroutine`
		done <- true
	}()
	go func() {
		done <- seen["a"] > 0
	}()
}
