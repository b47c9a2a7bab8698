package goroutinerace

import "sync"

// A parameter tells whether to take the lock: what it is where a goroutine calls
// decides.

func mark(mu *sync.Mutex, seen map[string]bool, k string, lock bool) {
	if lock {
		mu.Lock()
		defer mu.Unlock()
	}
	seen[k] = true
}

func AskedOk(keys []string) {
	var mu sync.Mutex
	seen := make(map[string]bool)
	for _, k := range keys {
		go func() {
			mark(&mu, seen, k, true)
		}()
	}
}

func DeclinedBad(keys []string) {
	var mu sync.Mutex
	seen := make(map[string]bool)
	for _, k := range keys {
		go func() { // want `seen is written in a goroutine without a lock`
			mark(&mu, seen, k, false)
		}()
	}
}

// The second call comes without the lock.

func note(mu *sync.Mutex, seen map[string]bool, k string, lock bool) {
	if lock {
		mu.Lock()
		defer mu.Unlock()
	}
	seen[k] = true
}

func OnceDeclinedBad(keys []string) {
	var mu sync.Mutex
	seen := make(map[string]bool)
	for _, k := range keys {
		go func() { // want `seen is written in a goroutine without a lock`
			note(&mu, seen, k, true)
			note(&mu, seen, k+"x", false)
		}()
	}
}
