package lockstates

import "sync"

// An atlas is changed by goroutines that the holder of its lock waits for.
type atlas struct {
	mu     sync.Mutex
	towns  map[string]int
	rivers map[string]int
}

func (a *atlas) Refresh(ks []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.addOk(ks)
}

func (a *atlas) Shrink(ks []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.removeOk(ks)
}

// Each map has one of the goroutines, and the caller's lock keeps out others.
func (a *atlas) addOk(ks []string) {
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		for _, k := range ks {
			if a.towns[k] == 0 {
				a.towns[k] = 1
			}
		}
	}()
	go func() {
		defer wg.Done()
		for _, k := range ks {
			a.rivers[k]++
		}
	}()
	wg.Wait()
}

func (a *atlas) removeOk(ks []string) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for _, k := range ks {
			if a.towns[k] == 1 {
				delete(a.towns, k)
			}
		}
	}()
	wg.Wait()
}

// Nothing waits: the caller has unlocked when the goroutine comes.
type almanac struct {
	mu   sync.Mutex
	days map[string]int
}

func (a *almanac) Fill(ks []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.days["start"] = 0
	a.fillBad(ks)
}

func (a *almanac) fillBad(ks []string) {
	go func() {
		for _, k := range ks {
			a.days[k]++ // want `days`
		}
	}()
}

// The helper gives the caller's lock up while the goroutine runs.
type diary struct {
	mu    sync.Mutex
	pages map[string]int
}

func (d *diary) Write(ks []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pages["start"] = 0
	d.writeBad(ks)
}

func (d *diary) writeBad(ks []string) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for _, k := range ks {
			d.pages[k]++ // want `pages`
		}
	}()
	d.mu.Unlock()
	wg.Wait()
	d.mu.Lock()
}

// Both goroutines are at one map: the lock around them keeps neither out.
type chart struct {
	mu    sync.Mutex
	lines map[string]int
}

func (c *chart) Line(k string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lines[k]
}

func (c *chart) Draw(ks []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drawBad(ks)
}

func (c *chart) drawBad(ks []string) {
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		for _, k := range ks {
			c.lines[k]++ // want `lines`
		}
	}()
	go func() {
		defer wg.Done()
		for _, k := range ks {
			c.lines[k]-- // want `lines`
		}
	}()
	wg.Wait()
}

// The same with the lock taken beside them.
func (c *chart) DrawBad(ks []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		for _, k := range ks {
			c.lines[k]++ // want `lines`
		}
	}()
	go func() {
		defer wg.Done()
		for _, k := range ks {
			c.lines[k]-- // want `lines`
		}
	}()
	wg.Wait()
}
