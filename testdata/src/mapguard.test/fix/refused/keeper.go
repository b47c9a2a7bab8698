package refused

import "sync"

// Keeper leaves its lock to its callers, too.
type Keeper struct {
	mu sync.Mutex
	m  map[string]int
}

// Lock takes the lock.
func (k *Keeper) Lock() { k.mu.Lock() }

// Unlock releases it.
func (k *Keeper) Unlock() { k.mu.Unlock() }

// Add counts one up.
func (k *Keeper) Add(name string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.m[name]++
}

// Has looks one up.
func (k *Keeper) Has(name string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	_, ok := k.m[name]
	return ok
}

// GetBad takes no lock.
func (k *Keeper) GetBad(name string) int {
	return k.m[name] // want `unguarded-access: .*`
}
