package threads

import "sync"

// Goroutines that are started in others which a helper waits for.

// onEach runs f for each site in a goroutine of its own, and waits for all.
func onEach(sites []string, f func(string)) {
	var wg sync.WaitGroup
	for _, s := range sites {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f(s)
		}()
	}
	wg.Wait()
}

// sendEach runs f for each site in a goroutine of its own, and does not wait.
func sendEach(sites []string, f func(string)) {
	for _, s := range sites {
		go f(s)
	}
}

func countNestedOk(sites, racks []string, full func(string, string) bool) int {
	var mu sync.Mutex
	found := map[string]bool{}
	onEach(sites, func(site string) {
		var wg sync.WaitGroup
		for _, rack := range racks {
			wg.Add(1)
			go func() {
				defer wg.Done()
				if full(site, rack) {
					mu.Lock()
					found[rack] = true
					mu.Unlock()
				}
			}()
		}
		wg.Wait()
	})
	n := 0
	for range found {
		n++
	}
	return n
}

func countOutlivesBad(sites, racks []string, full func(string, string) bool) int {
	var mu sync.Mutex
	found := map[string]bool{}
	onEach(sites, func(site string) {
		for _, rack := range racks { // nothing waits for these
			go func() {
				if full(site, rack) {
					mu.Lock()
					found[rack] = true // want `goroutine-race: found is written in a goroutine under mu, at the same time as countOutlivesBad`
					mu.Unlock()
				}
			}()
		}
	})
	n := 0
	for range found {
		n++
	}
	return n
}

func countSentBad(sites, racks []string, full func(string, string) bool) int {
	var mu sync.Mutex
	found := map[string]bool{}
	sendEach(sites, func(site string) { // they wait for theirs, but nothing for them
		var wg sync.WaitGroup
		for _, rack := range racks {
			wg.Add(1)
			go func() {
				defer wg.Done()
				if full(site, rack) {
					mu.Lock()
					found[rack] = true // want `goroutine-race: found is written in a goroutine under mu, at the same time as countSentBad`
					mu.Unlock()
				}
			}()
		}
		wg.Wait()
	})
	n := 0
	for range found {
		n++
	}
	return n
}

func countUnlockedBad(sites, racks []string, full func(string, string) bool) int {
	found := map[string]bool{}
	onEach(sites, func(site string) {
		var wg sync.WaitGroup
		for _, rack := range racks {
			wg.Add(1)
			go func() {
				defer wg.Done()
				if full(site, rack) {
					found[rack] = true // want `goroutine-race: `
				}
			}()
		}
		wg.Wait()
	})
	return len(found)
}

func countBesideBad(sites, racks []string, full func(string, string) bool) int {
	var mu sync.Mutex
	found := map[string]bool{}
	onEach(sites, func(site string) {
		var wg sync.WaitGroup
		for _, rack := range racks {
			wg.Add(1)
			go func() {
				defer wg.Done()
				if full(site, rack) {
					mu.Lock()
					found[rack] = true // want `goroutine-race: found`
					mu.Unlock()
				}
			}()
		}
		found[site] = false // want `goroutine-race: found`
		wg.Wait()
	})
	return len(found)
}
