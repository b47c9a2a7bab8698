package threads

import "sync"

// A goroutine that has waited for others meets them no more, in what it calls then, if
// it was started after them.

type marks struct{ m map[string]bool }

func (s *marks) add(k string)      { s.m[k] = true }
func (s *marks) has(k string) bool { return s.m[k] }

func eachOf(all []string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for _, n := range all {
			if !yield(n) {
				return
			}
		}
	}
}

func siblingOk(all []string) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	seen := &marks{m: make(map[string]bool)}
	for _, n := range all {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			seen.add(n)
		}()
	}
	go func() {
		wg.Wait()
		for n := range eachOf(all) {
			println(seen.has(n))
		}
	}()
}

// It waits for others.
func strangerBad(all []string) {
	var wg, others sync.WaitGroup
	var mu sync.Mutex
	seen := make(map[string]bool)
	others.Add(1)
	go others.Done()
	for _, n := range all {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			seen[n] = true // want `goroutine-race: seen`
		}()
	}
	go func() {
		others.Wait()
		showMarks(seen)
	}()
}

// What starts later is not waited for.
func laterBad(all []string) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	seen := make(map[string]bool)
	go func() { // want `goroutine-race: seen`
		wg.Wait()
		showMarks(seen)
	}()
	for _, n := range all {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			seen[n] = true
		}()
	}
}

// What runs before the wait meets them.
func impatientBad(all []string) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	seen := make(map[string]bool)
	for _, n := range all {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			seen[n] = true // want `goroutine-race: seen`
		}()
	}
	go func() {
		showMarks(seen)
		wg.Wait()
		showMarks(seen)
	}()
}

func showMarks(seen map[string]bool) { println(len(seen)) }
