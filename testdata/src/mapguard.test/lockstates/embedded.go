package lockstates

import "sync"

// A type that embeds a mutex is no lock by itself: it is what the mutex protects, though
// one other type alone holds such an object.

type arbiter struct {
	sync.Mutex
	active map[string]int
}

type courthouse struct {
	arbiter *arbiter
}

func (a *arbiter) AddOk(k string) {
	a.Lock()
	defer a.Unlock()
	a.active[k]++
}

func (a *arbiter) RemoveOk(k string) {
	a.Lock()
	defer a.Unlock()
	delete(a.active, k)
}

func (a *arbiter) StartBad() (all []string) {
	for k := range a.active { // want `unguarded-access: a\.active is ranged over without Mutex.*high`
		all = append(all, k)
	}
	return all
}

func (c *courthouse) AddOk(k string) { c.arbiter.AddOk(k) }

// A map of the function's own, filled under a lock that some object has.
func (c *courthouse) localOk(ks []string, locked sync.Locker) int {
	seen := make(map[string]bool)
	for _, k := range ks {
		c.arbiter.Lock()
		if !seen[k] {
			seen[k] = true
		}
		c.arbiter.Unlock()
	}
	go func() {
		locked.Lock()
		defer locked.Unlock()
		_ = len(ks)
	}()
	return len(seen)
}
