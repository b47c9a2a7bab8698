// Program is a command: nothing but its main and what that starts comes to its
// variables.
package main

import "sync"

var (
	mu     sync.Mutex
	byName = map[string]int{}
)

func add(name string) {
	mu.Lock()
	byName[name]++
	mu.Unlock()
}

var (
	lateMu sync.Mutex
	late   = map[string]int{}
)

func addLate(name string) {
	lateMu.Lock()
	late[name]++
	lateMu.Unlock()
}

func main() {
	byName["first"] = 1 // before the goroutines
	late["first"] = 1
	var wg sync.WaitGroup
	wg.Go(func() { add("a"); addLate("a") })
	wg.Go(func() { add("b") })
	late["second"] = 2 // want `unguarded-access: `
	wg.Wait()
	println(len(byName))
}
