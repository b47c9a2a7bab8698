package messages

import "sync"

// A crew has a lock that its starter holds for all of them.
type crew struct {
	mu    sync.Mutex
	meals map[string]int
}

func (c *crew) feed(names []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Go(func() {
			c.meals[name] = 1
		})
	}
	wg.Wait()
}

func (c *crew) ate(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.meals[name] > 0
}
