package threads

import "sync"

// Origin is filled by goroutines that one call starts and waits for; what reads it later needs no lock,
// though it runs in such goroutines of its own.
type Origin struct {
	Passed map[string]int
	passMu *sync.Mutex
}

// NewOrigin makes one.
func NewOrigin() *Origin { return &Origin{Passed: map[string]int{}, passMu: new(sync.Mutex)} }

// AddOk counts.
func (o *Origin) AddOk(name string, n int) {
	o.passMu.Lock()
	o.Passed[name] += n
	o.passMu.Unlock()
}

// GatherOk fills one for each name.
func GatherOk(names []string) []Origin {
	origins := map[string]*Origin{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	wg.Add(len(names))
	for _, n := range names {
		go func() {
			defer wg.Done()
			mu.Lock()
			o, ok := origins[n]
			if !ok {
				o = NewOrigin()
				origins[n] = o
			}
			mu.Unlock()
			o.AddOk(n, 1)
		}()
	}
	wg.Wait()
	var out []Origin
	for _, o := range origins {
		out = append(out, *o)
	}
	return out
}

// SiftOk reads them in goroutines, and fills new ones.
func SiftOk(origins []Origin) []Origin {
	var out []Origin
	var mu sync.Mutex
	var wg sync.WaitGroup
	wg.Add(len(origins))
	for _, o := range origins {
		go func(from Origin) {
			defer wg.Done()
			to := NewOrigin()
			for name, n := range from.Passed {
				to.AddOk(name, n)
			}
			mu.Lock()
			out = append(out, *to)
			mu.Unlock()
		}(o)
	}
	wg.Wait()
	return out
}

// Shared is filled like it, and read by the goroutines that fill it.
type Shared struct {
	passed   map[string]int
	passedMu sync.Mutex
}

func (s *Shared) add(name string) {
	s.passedMu.Lock()
	s.passed[name]++
	s.passedMu.Unlock()
}

// GatherBad reads without the lock what the other goroutines of the call fill.
func GatherBad(names []string) *Shared {
	s := &Shared{passed: map[string]int{}}
	var wg sync.WaitGroup
	for _, n := range names {
		wg.Go(func() {
			s.add(n)
			for _, n := range s.passed { // want `passed is ranged over.*, low`
				println(n)
			}
		})
	}
	wg.Wait()
	return s
}
