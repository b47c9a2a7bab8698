// Package wholefile pins the directives that silence a file.
package wholefile

import "sync"

//lint:file-ignore mapguard moved from another program as it is

type cache struct {
	mu sync.Mutex
	m  map[string]int // guarded by mu
}

func (c *cache) getOk(k string) int { return c.m[k] }

func (c *cache) setOk(k string) {
	if c.m[k] == 0 {
		c.m[k] = 1
	}
}
