package refused

import (
	"os"
	"sync"
)

type counter struct {
	mu    sync.RWMutex
	names map[string]map[string]int // guarded by mu
}

func (c *counter) put(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.names[k] = map[string]int{}
}

func (c *counter) get(k string) int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	_ = os.Unsetenv(k)
	return len(c.names[k])
}

// The call is known from get, which only reads.
func (c *counter) unsetBad() {
	for k := range c.names { // want `check-then-act: .*`
		if os.Unsetenv(k) == nil {
			delete(c.names, k)
		}
	}
}
