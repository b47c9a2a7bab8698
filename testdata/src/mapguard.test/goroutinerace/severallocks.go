package goroutinerace

import "sync"

// Locks of which each goroutine has another one keep none of them apart.

type seat struct{ mu sync.Mutex }

func seatsBad(seats []*seat, names []string) {
	taken := map[string]int{}
	for i, s := range seats {
		go func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			taken[names[i]]++ // want `goroutine-race: taken`
		}()
	}
}

func madeBad(names []string) {
	taken := map[string]int{}
	for _, name := range names {
		mu := new(sync.Mutex)
		go func() {
			mu.Lock()
			defer mu.Unlock()
			taken[name]++ // want `goroutine-race: taken`
		}()
	}
}

func oneSeatOk(s *seat, names []string) {
	taken := map[string]int{}
	for _, name := range names {
		go func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			taken[name]++
		}()
	}
}

func firstSeatOk(seats []*seat, names []string) {
	taken, first := map[string]int{}, len(names)
	for _, name := range names {
		go func() {
			seats[first].mu.Lock()
			defer seats[first].mu.Unlock()
			taken[name]++
		}()
	}
}

// Each has its own map, too.
func ownMapsOk(names []string) {
	for _, name := range names {
		taken, mu := map[string]int{}, new(sync.Mutex)
		for range 2 {
			go func() {
				mu.Lock()
				defer mu.Unlock()
				taken[name]++
			}()
		}
	}
}
