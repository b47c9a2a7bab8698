package threads

import "sync"

// A loop that starts a goroutine for the element of its round, in one branch or in another one, starts no two for one element.

func load(from string) map[string]int { return map[string]int{from: len(from)} }

func loadWhereItIsOk(hosts []string, self string) []map[string]int {
	pages := make([]map[string]int, len(hosts))
	var wg sync.WaitGroup
	for at, host := range hosts {
		at := at
		wg.Add(1)
		if host == self {
			go func() {
				defer wg.Done()
				pages[at] = load("here")
			}()
		} else {
			go func() {
				defer wg.Done()
				pages[at] = load(host)
			}()
		}
	}
	wg.Wait()
	return pages
}

// Both are started for the element of a round.
func loadBothBad(hosts []string) []map[string]int {
	twice := make([]map[string]int, len(hosts))
	var wg sync.WaitGroup
	for at, host := range hosts {
		wg.Add(2)
		go func() {
			defer wg.Done()
			twice[at] = load("here") // want `goroutine-race: twice\[…\] is assigned in a goroutine without a lock, at the same time as another goroutine`
		}()
		go func() {
			defer wg.Done()
			twice[at] = load(host)
		}()
	}
	wg.Wait()
	return twice
}

// By arguments, to maps that the elements hold.
func fillByArgumentsOk(hosts []string, self string) []map[string]int {
	filled := make([]map[string]int, len(hosts))
	for i := range filled {
		filled[i] = make(map[string]int)
	}
	var wg sync.WaitGroup
	for i := 0; i < len(hosts); i++ {
		wg.Add(1)
		if hosts[i] != self {
			go func(k int) {
				defer wg.Done()
				filled[k][hosts[k]] = 1
			}(i)
			continue
		}
		go func(at int) {
			defer wg.Done()
			filled[at]["here"] = 1
		}(i)
	}
	wg.Wait()
	return filled
}

// Each round of the outer loop makes another list.
func loadBatchesOk(batches [][]string, self string) (all []map[string]int) {
	var wg sync.WaitGroup
	for _, hosts := range batches {
		part := make([]map[string]int, len(hosts))
		for i, host := range hosts {
			wg.Add(1)
			if host == self {
				go func() { defer wg.Done(); part[i] = load("here") }()
			} else {
				go func() { defer wg.Done(); part[i] = load(host) }()
			}
		}
		wg.Wait()
		all = append(all, part...)
	}
	return all
}

// All rounds of the outer loop come to the elements of one list.
func loadOverBad(batches [][]string, self string, into []map[string]int) {
	var wg sync.WaitGroup
	for _, hosts := range batches {
		for i, host := range hosts {
			wg.Add(1)
			if host == self {
				go func() { defer wg.Done(); into[i] = load("here") }() // want `goroutine-race: into\[…\] is assigned in a goroutine without a lock, at the same time as another goroutine`
			} else {
				go func() { defer wg.Done(); into[i] = load(host) }()
			}
		}
	}
	wg.Wait()
}

// The number of the element does not change with the rounds.
func loadOneBad(hosts []string, self string, at int) []map[string]int {
	one := make([]map[string]int, len(hosts))
	var wg sync.WaitGroup
	for _, host := range hosts {
		wg.Add(1)
		if host == self {
			go func() { defer wg.Done(); one[at] = load("here") }() // want `goroutine-race: one\[…\] is assigned in a goroutine without a lock, at the same time as another goroutine`
		} else {
			go func() { defer wg.Done(); one[at] = load(host) }()
		}
	}
	wg.Wait()
	return one
}
