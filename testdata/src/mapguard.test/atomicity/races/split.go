package races

import "sync"

// Local maps that goroutines share under a lock which is given up between look
// and act.

type page struct{ body string }

func load(k string) *page { return &page{k} }

func countsBad(words []string) map[string]int {
	counts := make(map[string]int)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, w := range words {
		wg.Add(1)
		go func(w string) {
			defer wg.Done()
			mu.Lock()
			n := counts[w]
			mu.Unlock()
			mu.Lock()
			counts[w] = n + 1 // want `split-lock: `
			mu.Unlock()
		}(w)
	}
	wg.Wait()
	return counts
}

func countsOk(words []string) map[string]int {
	counts := make(map[string]int)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, w := range words {
		wg.Add(1)
		go func(w string) {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			n := counts[w]
			counts[w] = n + 1
		}(w)
	}
	wg.Wait()
	return counts
}

// The lock and the map are handed to the goroutine.
func visitBad(mu *sync.RWMutex, pages map[string]*page, k string, out chan<- *page) {
	mu.RLock()
	p, ok := pages[k]
	mu.RUnlock()
	if !ok {
		p = load(k)
		mu.Lock()
		pages[k] = p // want `split-lock: `
		mu.Unlock()
	}
	out <- p
}

func handed(keys []string, out chan<- *page) {
	pages := map[string]*page{}
	mu := new(sync.RWMutex)
	for _, k := range keys {
		go visitBad(mu, pages, k, out)
	}
}

// The second look is in the section of the act.
func twoLooksOk(keys []string, out chan<- *page) {
	pages := map[string]*page{}
	var mu sync.RWMutex
	for _, k := range keys {
		go func() {
			mu.RLock()
			p := pages[k]
			mu.RUnlock()
			if p == nil {
				mu.Lock()
				if p = pages[k]; p == nil {
					p = load(k)
					pages[k] = p
				}
				mu.Unlock()
			}
			out <- p
		}()
	}
}

// One goroutine fills the map; the other only reads.
func oneFillerOk(keys []string) int {
	pages := map[string]*page{}
	var mu sync.Mutex
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, k := range keys {
			mu.Lock()
			p := pages[k]
			mu.Unlock()
			if p == nil {
				mu.Lock()
				pages[k] = load(k)
				mu.Unlock()
			}
		}
	}()
	mu.Lock()
	n := len(pages)
	mu.Unlock()
	<-done
	return n
}

// The starter fills it, too.
func starterBad(k string) *page {
	pages := map[string]*page{}
	var mu sync.Mutex
	go func() {
		mu.Lock()
		pages[k] = load(k)
		mu.Unlock()
	}()
	mu.Lock()
	p := pages[k]
	mu.Unlock()
	if p == nil {
		p = load(k)
		mu.Lock()
		pages[k] = p // want `split-lock: `
		mu.Unlock()
	}
	return p
}

// What the goroutine does, it has done.
func starterAfterOk(k string) *page {
	pages := map[string]*page{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	wg.Go(func() {
		mu.Lock()
		pages[k] = load(k)
		mu.Unlock()
	})
	wg.Wait()
	mu.Lock()
	p := pages[k]
	mu.Unlock()
	if p == nil {
		p = load(k)
		mu.Lock()
		pages[k] = p
		mu.Unlock()
	}
	return p
}

// Each goroutine holds a lock of its own around all of it, beside the shared
// one: that keeps no other goroutine out.
func lockEachBad(keys []string) {
	pages := map[string]*page{}
	var mu sync.Mutex
	for _, k := range keys {
		go func() {
			var own sync.Mutex
			own.Lock()
			defer own.Unlock()
			mu.Lock()
			_, ok := pages[k]
			mu.Unlock()
			if ok {
				return
			}
			p := load(k)
			mu.Lock()
			pages[k] = p // want `split-lock: `
			mu.Unlock()
			println(p.body)
		}()
	}
}

// A lock of the starter around all of it does.
func outerLockOk(keys []string) {
	pages := map[string]*page{}
	var mu, outer sync.Mutex
	for _, k := range keys {
		go func() {
			outer.Lock()
			defer outer.Unlock()
			mu.Lock()
			_, ok := pages[k]
			mu.Unlock()
			if !ok {
				mu.Lock()
				pages[k] = load(k)
				mu.Unlock()
			}
		}()
	}
}

// Each round makes a map of its own.
func ownMapOk(keys []string) {
	var mu sync.Mutex
	for _, k := range keys {
		pages := map[string]*page{}
		go func() {
			mu.Lock()
			_, ok := pages[k]
			mu.Unlock()
			if !ok {
				mu.Lock()
				pages[k] = load(k)
				mu.Unlock()
			}
		}()
	}
}
