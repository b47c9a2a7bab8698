package owned

import "sync"

type table struct {
	mu  sync.Mutex
	all map[string]int
}

func (t *table) merge(chunk map[string]int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for k, v := range chunk {
		t.all[k] = v
	}
}

// LoadOk takes the map out of a local variable, before it merges what is there.
func LoadOk(t *table, keys []string) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	loaded := make(map[string]int)
	publish := func() {
		mu.Lock()
		chunk := loaded
		loaded = make(map[string]int)
		mu.Unlock()
		t.merge(chunk)
	}
	for _, k := range keys {
		publish()
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			loaded[k] = len(k)
			mu.Unlock()
		}()
	}
	wg.Wait()
	publish()
}

// LoadBad leaves the map there as long as it is small.
func LoadBad(t *table, keys []string) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	loaded := make(map[string]int)
	publish := func() {
		mu.Lock()
		chunk := loaded
		if len(chunk) > 10 {
			loaded = make(map[string]int)
		}
		mu.Unlock()
		t.merge(chunk)
	}
	for _, k := range keys {
		publish()
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			loaded[k] = len(k) // want `goroutine-race: loaded is written in a goroutine under mu, at the same time as LoadBad`
			mu.Unlock()
		}()
	}
	wg.Wait()
	publish()
}

// KeptBad keeps the map by another name, too.
func KeptBad(keys []string, tick <-chan int) {
	var mu sync.Mutex
	counts := make(map[string]int)
	var last map[string]int
	go func() {
		for range tick {
			mu.Lock()
			last = counts
			old := counts
			counts = make(map[string]int)
			mu.Unlock()
			for k := range old {
				delete(old, k) // want `goroutine-race: counts is deleted in a goroutine without a lock`
			}
		}
	}()
	for _, k := range keys {
		mu.Lock()
		counts[k]++
		last[k] = 0
		mu.Unlock()
	}
}
