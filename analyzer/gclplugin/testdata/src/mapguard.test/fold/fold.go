// Package fold pins what golangci-lint shows of findings with other places: in
// this file, in another one of the package, and in another package.
package fold

import "mapguard.test/fold/store"

func (c *Cache) SplitBad(key string) *entry {
	c.mu.Lock()
	e, ok := c.entries[key]
	c.mu.Unlock()
	if !ok {
		e = &entry{key}
		c.mu.Lock()
		c.entries[key] = e // want `two goroutines can both add it \[split-lock, .*\]; see fold\.go:9 \(read here under c\.mu\), fold\.go:10 \(released in between\), types\.go:10 \(mu is declared here\)$`
		c.mu.Unlock()
	}
	return e
}

func NewSizeBad(key string) {
	if _, ok := store.ByName[key]; !ok { // want `concurrent map writes \[check-then-act, .*\]; see fold\.go:22 \(written here without a lock\), store/store\.go:7 \(Mu is declared here\)$`
		store.ByName[key] = len(key)
	}
}

// golangci-lint applies its directive itself, and reports it when it is stale.
func (c *Cache) FirstBad() bool {
	return c.entries["a"] != nil //nolint:mapguard // want `c\.entries is read without mu \[unguarded-access, .*\]; see types\.go:10 \(mu is declared here\)$`
}

//nolint:mapguard // nothing to silence, and yet no finding
func (c *Cache) HasOk(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.entries[key] != nil
}

// What stands in the source alone has no other place.
func (c *Cache) Purge() {
	//mapguard:ignore // want `\[directive\]$`
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.entries)
}
