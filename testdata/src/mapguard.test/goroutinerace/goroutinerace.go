// Package goroutinerace pins the rule goroutine-race: a local map captured by
// a goroutine is shared, too.
package goroutinerace

import "sync"

func localLoopBad(keys []string) map[string]int {
	m := make(map[string]int)
	for i, k := range keys {
		go func() {
			m[k] = i // want `goroutine-race: m is written .* the other goroutines that this loop starts`
		}()
	}
	return m
}

func localBesideBad(k string) int {
	m := make(map[string]int)
	go func() {
		m[k] = 1 // want `goroutine-race: m is written .* localBesideBad, which goes on`
	}()
	return m[k]
}

func localCheckThenActBad(keys []string) {
	m := make(map[string]int)
	var wg sync.WaitGroup
	for _, k := range keys {
		wg.Go(func() {
			if _, ok := m[k]; !ok {
				m[k] = 1 // want `goroutine-race: m is written`
			}
		})
	}
	wg.Wait()
}

func twoGoroutinesBad() {
	m := make(map[string]int)
	go func() { m["a"] = 1 }() // want `goroutine-race: m is written .* another goroutine`
	go func() { m["b"] = 1 }()
}

func parameterBad(m map[string]int) {
	go func() {
		m["a"] = 1 // want `goroutine-race: .*medium`
	}()
	m["b"] = 2
}

func argumentBad(m map[string]int) {
	for range 3 {
		go fill(m) // want `goroutine-race: .*medium`
	}
}

func fill(m map[string]int) { m["a"]++ }

// Each round waits for its goroutine.
func oneAtATimeOk(keys []string) {
	m := make(map[string]int)
	for i, k := range keys {
		done := make(chan struct{})
		go func() {
			defer close(done)
			m[k] = i
		}()
		<-done
	}
}

// The wait comes before the goroutine, not after it.
func waitedTooEarlyBad(keys []string) {
	m := make(map[string]int)
	var wg sync.WaitGroup
	wg.Go(func() { println(len(keys)) })
	wg.Wait()
	go func() {
		m["a"] = 1 // want `goroutine-race: m is written`
	}()
	m["b"] = 2
}

func lockedOk(keys []string) map[string]int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	m := make(map[string]int)
	for i, k := range keys {
		wg.Go(func() {
			mu.Lock()
			m[k] = i
			mu.Unlock()
		})
	}
	wg.Wait()
	return m
}

func readersOk(keys []string) {
	m := map[string]int{"a": 1}
	for _, k := range keys {
		go func() { println(m[k]) }()
	}
}

func filledBeforeOk(keys []string) {
	m := make(map[string]int)
	for i, k := range keys {
		m[k] = i
	}
	go func() { println(m["a"]) }()
}

func oneGoroutineOk(keys []string) {
	m := make(map[string]int)
	go func() {
		for i, k := range keys {
			m[k] = i
		}
	}()
}

func eachItsOwnOk(keys []string) {
	for i, k := range keys {
		m := make(map[string]int)
		go func() { m[k] = i }()
	}
}

func joinedOk(k string) int {
	m := make(map[string]int)
	done := make(chan struct{})
	go func() {
		defer close(done)
		m[k] = 1
	}()
	<-done
	return m[k]
}
