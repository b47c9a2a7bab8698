package goroutinerace

import "sync"

// A goroutine that a goroutine starts runs beside the function around both.

func insideOk(keys []string) int {
	m := make(map[string]int)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		go func() {
			defer wg.Done()
			for _, k := range keys {
				m[k]++
			}
		}()
	}()
	wg.Wait()
	return len(m)
}

func insideBad(keys []string) int {
	m := make(map[string]int)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		go func() {
			defer wg.Done()
			for _, k := range keys {
				m[k]++ // want `goroutine-race: `
			}
		}()
	}()
	n := len(m)
	wg.Wait()
	return n
}

func insideLoopBad(keys []string) map[string]int {
	m := make(map[string]int)
	var wg sync.WaitGroup
	for _, k := range keys {
		wg.Add(1)
		go func() {
			println(k)
			go func() {
				defer wg.Done()
				m[k]++ // want `goroutine-race: `
			}()
		}()
	}
	wg.Wait()
	return m
}

// Each round has a map of its own.
func insideLoopOk(keys []string) {
	for _, k := range keys {
		m := make(map[string]int)
		go func() {
			go func() { m[k]++ }()
		}()
	}
}
