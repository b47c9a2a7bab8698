// Package goroutinerace pins the rule goroutine-race: a local map captured by
// a goroutine is shared, too. The rule is not built yet: every FN_ here waits
// for it.
package goroutinerace

import "sync"

// The rule is not built yet.
func FN_localLoopBad(keys []string) map[string]int {
	m := make(map[string]int)
	for i, k := range keys {
		go func() {
			m[k] = i
		}()
	}
	return m
}

// The rule is not built yet.
func FN_localBesideBad(k string) int {
	m := make(map[string]int)
	go func() {
		m[k] = 1
	}()
	return m[k]
}

// The rule is not built yet.
func FN_localCheckThenActBad(keys []string) {
	m := make(map[string]int)
	var wg sync.WaitGroup
	for _, k := range keys {
		wg.Go(func() {
			if _, ok := m[k]; !ok {
				m[k] = 1
			}
		})
	}
	wg.Wait()
}

// The rule is not built yet.
func FN_twoGoroutinesBad() {
	m := make(map[string]int)
	go func() { m["a"] = 1 }()
	go func() { m["b"] = 1 }()
}

// The rule is not built yet.
func FN_parameterBad(m map[string]int) {
	go func() {
		m["a"] = 1
	}()
	m["b"] = 2
}

// The rule is not built yet.
func FN_argumentBad(m map[string]int) {
	for range 3 {
		go fill(m)
	}
}

func fill(m map[string]int) { m["a"]++ }

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
