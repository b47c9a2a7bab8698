package locks

import "sync"

const drawersOf = 4

// All of an array are locked, by a number that counts to its length.
type chest struct {
	drawers [drawersOf]struct {
		sync.RWMutex
		m map[string]int
	}
}

func (c *chest) lockAll() {
	for i := range drawersOf {
		c.drawers[i].RLock()
	}
}

func (c *chest) unlockAll() {
	for i := range drawersOf {
		c.drawers[i].RUnlock()
	}
}

func (c *chest) put(i int, k string) {
	c.drawers[i].Lock()
	defer c.drawers[i].Unlock()
	c.drawers[i].m[k] = 1
}

func (c *chest) drop(i int, k string) {
	c.drawers[i].Lock()
	defer c.drawers[i].Unlock()
	delete(c.drawers[i].m, k)
}

func (c *chest) sumOk() (n int) {
	c.lockAll()
	defer c.unlockAll()
	for i := range drawersOf {
		for range c.drawers[i].m {
			n++
		}
	}
	return n
}

func (c *chest) laterBad() (n int) {
	c.lockAll()
	c.unlockAll()
	for i := range drawersOf {
		for range c.drawers[i].m { // want `unguarded-access: c.drawers\[…\].m is ranged over without RWMutex`
			n++
		}
	}
	return n
}

// The last one is not locked.
func (c *chest) someBad() (n int) {
	for i := range drawersOf - 1 {
		c.drawers[i].RLock()
	}
	for i := range drawersOf {
		for range c.drawers[i].m { // want `unguarded-access: c.drawers\[…\].m is ranged over without RWMutex`
			n++
		}
	}
	for i := range drawersOf - 1 {
		c.drawers[i].RUnlock()
	}
	return n
}
