package lockstates

import "sync"

// A cast keeps each two of its accesses apart that conflict, by one lock or another: readers
// and adders by one, readers and clearers by the other.
type cast struct {
	stage  sync.RWMutex
	back   sync.RWMutex
	actors map[string]int
}

func (c *cast) Hire(k string) {
	c.stage.RLock()
	defer c.stage.RUnlock()
	c.back.Lock()
	defer c.back.Unlock()
	c.actors[k]++
}

func (c *cast) Seen(k string) int {
	c.back.Lock()
	defer c.back.Unlock()
	return c.actors[k]
}

func (c *cast) Known(k string) bool {
	c.back.Lock()
	defer c.back.Unlock()
	_, ok := c.actors[k]
	return ok
}

// AllOk reads under the one lock that keeps Hire out, and Fire under both.
func (c *cast) AllOk() (out []string) {
	c.stage.Lock()
	defer c.stage.Unlock()
	for k := range c.actors {
		out = append(out, k)
	}
	return out
}

func (c *cast) Fire(k string) {
	c.stage.Lock()
	defer c.stage.Unlock()
	c.back.Lock()
	defer c.back.Unlock()
	delete(c.actors, k)
}

// A crew has one who changes the map under the other lock alone.
type crew struct {
	stage  sync.RWMutex
	back   sync.RWMutex
	actors map[string]int
}

func (c *crew) Hire(k string) {
	c.stage.RLock()
	defer c.stage.RUnlock()
	c.back.Lock()
	defer c.back.Unlock()
	c.actors[k]++
}

func (c *crew) Seen(k string) int {
	c.back.Lock()
	defer c.back.Unlock()
	return c.actors[k]
}

func (c *crew) Fire(k string) {
	c.back.Lock()
	defer c.back.Unlock()
	delete(c.actors, k)
}

func (c *crew) AllBad() (out []string) {
	c.stage.Lock()
	defer c.stage.Unlock()
	for k := range c.actors { // want `actors`
		out = append(out, k)
	}
	return out
}
