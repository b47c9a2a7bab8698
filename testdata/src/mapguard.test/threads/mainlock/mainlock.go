// Mainlock is a command whose goroutines share a mutex of main.
package main

import "sync"

// Main runs once: its mutex is there once, as the variable is.
var sizes = map[string]int{}

// Measure may run twice at a time, each time with a mutex of its own.
var lengths = map[string]int{}

// Each round has a mutex of its own.
var turns = map[string]int{}

func main() {
	growAll()
	for range 3 {
		var own sync.Mutex
		go func() {
			own.Lock()
			defer own.Unlock()
			turns["a"]++ // want `: turns is (read|written)`
		}()
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, name := range []string{"a", "b"} {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			sizes[name] = len(name)
		})
		wg.Go(func() { measureBad(name) })
	}
	wg.Wait()
	println(len(sizes))
}

func measureBad(names ...string) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			lengths[name] = len(name) // want `unguarded-access: lengths is written`
		})
	}
	wg.Wait()
}
