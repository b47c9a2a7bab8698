package refused

import (
	"sync"
	"time"
)

// A goroutine hands on what it found with the mutex held, and the starter is to take it: to wait for the mutex in front of that
// would be to wait for itself.
func handsOnBad(names []string) (last string) {
	var mu sync.Mutex
	seen := make(map[string]bool)
	found := make(chan string)
	for _, name := range names {
		go func() {
			mu.Lock()
			defer mu.Unlock()
			seen[name] = true // want `goroutine-race: .*`
			found <- name
		}()
	}
	seen[""] = true
	for range names {
		last = <-found
	}
	return last
}

type signup struct {
	mu    sync.Mutex
	names []string
}

// The goroutine takes the lock of the object with the mutex held, and the starter is called with that lock.
func (r *signup) addSignups(done chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.startSignupBad(done)
}

func (r *signup) startSignupBad(done chan struct{}) {
	var local sync.Mutex
	waits := make(map[string]bool)
	go func() {
		local.Lock()
		waits["a"] = true // want `goroutine-race: .*`
		r.mu.Lock()
		r.names = append(r.names, "a")
		r.mu.Unlock()
		local.Unlock()
	}()
	waits["b"] = true
}

// What the starter looks up decides what it stores.
func numberBad(names []string) {
	var mu sync.Mutex
	numbers := make(map[string]int)
	for _, name := range names {
		go func() {
			mu.Lock()
			numbers[name] = 0 // want `goroutine-race: .*`
			mu.Unlock()
		}()
	}
	for _, name := range names {
		n := numbers[name]
		time.Sleep(time.Second)
		numbers[name] = n + 1
	}
}

// Another goroutine runs beside the section in front of the walk: it waits for that section, and may be waited for there.
func probeRoundsBad(names []string, look func(string) string) {
	var mu sync.Mutex
	known := make(map[string]string)
	for range 2 {
		mu.Lock()
		known[look("")] = ""
		mu.Unlock()
		go func() {
			for _, name := range names {
				mu.Lock()
				known[name] = "" // want `goroutine-race: .*`
				mu.Unlock()
			}
		}()
		for name := range known {
			look(name)
		}
	}
}
