package threads

import "sync"

// A loop within another one starts its goroutines for what a round of the outer one makes.

func letters(word string) map[string]int {
	seen := make(map[string]int)
	for _, r := range word {
		seen[string(r)] = 0
	}
	return seen
}

func perFileBad(files, words []string) {
	for range files {
		lengths := make(map[string]int)
		var wg sync.WaitGroup
		for _, w := range words {
			wg.Add(1)
			go func() {
				defer wg.Done()
				lengths[w] = len(w) // want `goroutine-race: lengths is written in a goroutine without a lock, at the same time as the other goroutines that this loop starts`
			}()
		}
		wg.Wait()
	}
}

func perFileGivenBad(files, words []string) {
	for _, f := range files {
		counts := letters(f)
		var wg sync.WaitGroup
		for _, w := range words {
			wg.Add(1)
			go func() {
				defer wg.Done()
				counts[w]++ // want `goroutine-race: counts is written`
			}()
		}
		wg.Wait()
	}
}

// The outer round makes the lock as well.
func perFileLockedOk(files, words []string) {
	for range files {
		lengths := make(map[string]int)
		var mu sync.Mutex
		var wg sync.WaitGroup
		for _, w := range words {
			wg.Add(1)
			go func() {
				defer wg.Done()
				mu.Lock()
				defer mu.Unlock()
				lengths[w] = len(w)
			}()
		}
		wg.Wait()
	}
}

// The inner round makes the lock.
func perWordLockedBad(files, words []string) {
	for range files {
		lengths := make(map[string]int)
		for _, w := range words {
			mu := new(sync.Mutex)
			go func() {
				mu.Lock()
				defer mu.Unlock()
				lengths[w] = len(w) // want `goroutine-race: lengths is written in a goroutine under`
			}()
		}
	}
}

// The outer round makes the lock, and the map is older.
func olderMapBad(files, words []string) {
	lengths := make(map[string]int)
	for range files {
		mu := new(sync.Mutex)
		for _, w := range words {
			go func() {
				mu.Lock()
				defer mu.Unlock()
				lengths[w] = len(w) // want `goroutine-race: lengths is written in a goroutine under`
			}()
		}
	}
}

// The goroutine of the round before has ended.
func perFileWaitsOk(files, words []string) {
	for range files {
		lengths := make(map[string]int)
		for _, w := range words {
			done := make(chan struct{})
			go func() {
				defer close(done)
				lengths[w] = len(w)
			}()
			<-done
		}
	}
}

// The inner round makes the map.
func perWordOk(files, words []string) {
	for range files {
		for _, w := range words {
			lengths := make(map[string]int)
			go func() {
				lengths[w] = len(w)
			}()
		}
	}
}

// One of two maps: the full one is given away, and a new one takes its place.
func batchesOk(files, words []string, keep func(map[string]int)) {
	for range files {
		batch := make(map[string]int)
		for i, w := range words {
			batch[w] = i
			if len(batch) == 10 {
				full := batch
				go func() {
					full[w] = 0
					keep(full)
				}()
				batch = make(map[string]int)
			}
		}
	}
}

// A flag of the outer round lets one inner round start it.
func perFileOnceOk(files, words []string) {
	for range files {
		lengths := make(map[string]int)
		started := false
		for _, w := range words {
			if !started {
				started = true
				go func() { lengths[w] = len(w) }()
			}
		}
	}
}

// The flag is set back.
func perFileSetBackBad(files, words []string) {
	for range files {
		lengths := make(map[string]int)
		started := false
		for _, w := range words {
			if w == "" {
				started = false
			}
			if !started {
				started = true
				go func() {
					lengths[w] = len(w) // want `goroutine-race: lengths is written in a goroutine without a lock`
				}()
			}
		}
	}
}

// The flag is not set in each case.
func perFileSomeBad(files, words []string, all <-chan bool) {
	for range files {
		lengths := make(map[string]int)
		started := false
		for _, w := range words {
			if !started {
				started = <-all
				go func() {
					lengths[w] = len(w) // want `goroutine-race: lengths is written in a goroutine without a lock`
				}()
			}
		}
	}
}
