package threads

import "sync"

// The workers wait for their first work, which comes after the map was ranged over.
func fedOk(all map[string]int, n int) {
	work := make(chan string)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for k := range work {
				mu.Lock()
				delete(all, k)
				mu.Unlock()
			}
		}()
	}
	var keys []string
	for k := range all {
		keys = append(keys, k)
	}
	for _, k := range keys {
		work <- k
	}
	close(work)
	wg.Wait()
}

// Here the first worker deletes while the others' work is looked for.
func fedBad(all map[string]int, n int) {
	work := make(chan string)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for k := range work {
				mu.Lock()
				delete(all, k) // want `goroutine-race: all is deleted in a goroutine`
				mu.Unlock()
			}
		}()
	}
	for k := range all {
		work <- k
	}
	close(work)
	wg.Wait()
}

// The goroutine does something before it waits.
func fedLateBad(all map[string]int) {
	work := make(chan string)
	done := make(chan struct{})
	go func() {
		defer close(done)
		all["first"] = 1 // want `goroutine-race: all is written in a goroutine`
		for k := range work {
			delete(all, k)
		}
	}()
	for k := range all {
		println(k)
	}
	work <- "a"
	close(work)
	<-done
}

// A second goroutine sends as well.
func fedTwiceBad(all map[string]int) {
	work := make(chan string)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for k := range work {
			delete(all, k) // want `goroutine-race: all is deleted in a goroutine`
		}
	}()
	go func() { work <- "b" }()
	for k := range all {
		println(k)
	}
	work <- "a"
	close(work)
	<-done
}
