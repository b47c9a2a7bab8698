package threads

import "sync"

// A lock that an activation makes keeps its own goroutines apart.

type report struct{ took map[string]int }

type collector struct {
	mu    sync.Mutex
	names []string
	total map[string]int
}

func (c *collector) CollectOk() (r report, err error) {
	var wg sync.WaitGroup
	var own sync.Mutex
	r.took = make(map[string]int)
	for _, name := range c.names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			own.Lock()
			defer own.Unlock()
			r.took[name] = len(name)
		}()
	}
	wg.Wait()
	return r, nil
}

func (c *collector) CollectBad() (r report, err error) {
	var wg sync.WaitGroup
	var own sync.Mutex
	r.took = make(map[string]int)
	for _, name := range c.names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			own.Lock()
			n := len(name)
			own.Unlock()
			r.took[name] = n // want `took is written`
		}()
	}
	wg.Wait()
	return r, nil
}

// A folder is walked by a goroutine for each subfolder, which walks on: what
// an activation makes is its own, although all have one name.
type folder struct{ subs []*folder }

func (f *folder) SizesOk() map[string]int {
	sizes := make(map[string]int)
	if len(sizes) == 0 {
		sizes["."] = 1
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, sub := range f.subs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			below := sub.SizesOk()
			mu.Lock()
			defer mu.Unlock()
			for name, n := range below {
				sizes[name] += n
			}
		}()
	}
	wg.Wait()
	return sizes
}

func (f *folder) SizesBad() map[string]int {
	sizes := make(map[string]int)
	var wg sync.WaitGroup
	for _, sub := range f.subs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for name, n := range sub.SizesBad() {
				sizes[name] += n // want `sizes`
			}
		}()
	}
	wg.Wait()
	return sizes
}
