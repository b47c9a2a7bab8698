package acts

import (
	"slices"
	"sync"
)

type quota struct{ used, max int }

type counters struct {
	mu    sync.Mutex
	n     map[string]int            // guarded by mu
	lists map[string][]string       // guarded by mu
	flags map[string]uint           // guarded by mu
	quota map[string]quota          // guarded by mu
	by    map[string]map[string]int // guarded by mu
}

// Read, modify and write over two sections: an update is lost.

func (c *counters) addBad(k string, d int) {
	c.mu.Lock()
	n := c.n[k]
	c.mu.Unlock()
	n += d
	c.mu.Lock()
	c.n[k] = n // want `split-lock: `
	c.mu.Unlock()
}

func (c *counters) addOk(k string, d int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n[k] += d
}

func (c *counters) appendBad(k, v string) {
	c.mu.Lock()
	l := c.lists[k]
	c.mu.Unlock()
	l = append(slices.Clone(l), v)
	c.mu.Lock()
	c.lists[k] = l // want `split-lock: `
	c.mu.Unlock()
}

func (c *counters) appendOk(k, v string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lists[k] = append(c.lists[k], v)
}

func (c *counters) flagBad(k string, bit uint) {
	c.mu.Lock()
	f := c.flags[k]
	c.mu.Unlock()
	c.mu.Lock()
	c.flags[k] = f | bit // want `split-lock: `
	c.mu.Unlock()
}

// A copy of a struct, one field changed.
func (c *counters) spendBad(k string, d int) bool {
	c.mu.Lock()
	q := c.quota[k]
	c.mu.Unlock()
	if q.used+d > q.max {
		return false
	}
	q.used += d
	c.mu.Lock()
	c.quota[k] = q // want `split-lock: `
	c.mu.Unlock()
	return true
}

func (c *counters) spendOk(k string, d int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	q := c.quota[k]
	if q.used+d > q.max {
		return false
	}
	q.used += d
	c.quota[k] = q
	return true
}

// The higher of two wins, unless the lower one is later.
func (c *counters) maxBad(k string, v int) {
	c.mu.Lock()
	old := c.n[k]
	c.mu.Unlock()
	if v <= old {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n[k] = v // want `split-lock: `
}

func (c *counters) maxOk(k string, v int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v > c.n[k] {
		c.n[k] = v
	}
}

// The last reference goes while another one is taken.
func (c *counters) releaseBad(k string) {
	c.mu.Lock()
	c.n[k]--
	n := c.n[k]
	c.mu.Unlock()
	if n == 0 {
		c.mu.Lock()
		delete(c.n, k) // want `split-lock: `
		c.mu.Unlock()
	}
}

func (c *counters) releaseOk(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n[k]--; c.n[k] <= 0 {
		delete(c.n, k)
	}
}

// The caller computes; both sides lock.

func (c *counters) get(k string) int { c.mu.Lock(); defer c.mu.Unlock(); return c.n[k] }

func (c *counters) put(k string, n int) { c.mu.Lock(); defer c.mu.Unlock(); c.n[k] = n }

func (c *counters) helpersBad(k string) {
	c.put(k, c.get(k)+1) // want `split-lock: `
}

func (c *counters) doubledBad(k string) {
	n := c.get(k)
	n *= 2
	c.put(k, n) // want `split-lock: `
}

func (c *counters) transferBad(from, to string, d int) {
	if c.get(from) < d {
		return
	}
	c.put(from, c.get(from)-d) // want `split-lock: `
	c.put(to, c.get(to)+d)
}

func (c *counters) otherValueOk(k string, d int) int {
	old := c.get(k)
	c.put(k, d)
	return old
}

// A map in the map, made when it is missing, over two sections.
func (c *counters) innerBad(k, j string) {
	c.mu.Lock()
	_, ok := c.by[k]
	c.mu.Unlock()
	if !ok {
		c.mu.Lock()
		c.by[k] = make(map[string]int) // want `split-lock: `
		c.mu.Unlock()
	}
	c.mu.Lock()
	c.by[k][j]++
	c.mu.Unlock()
}

func (c *counters) innerOk(k, j string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.by[k] == nil {
		c.by[k] = make(map[string]int)
	}
	c.by[k][j]++
}

// Two maps of which one says what is in the other.
type scheduler struct {
	mu      sync.Mutex
	waiting map[string]*conn // guarded by mu
	running map[string]*conn // guarded by mu
}

// A delete that only depends on presence is low, and the insert is into another
// map than the check looked at.
// It would take the harm of an insert into another map that comes too late:
// another goroutine must have taken the entry out of that one.
func (s *scheduler) FN_moveBad(k string) {
	s.mu.Lock()
	c, ok := s.waiting[k]
	s.mu.Unlock()
	if !ok {
		return
	}
	s.mu.Lock()
	delete(s.waiting, k)
	s.running[k] = c
	s.mu.Unlock()
}

func (s *scheduler) moveOk(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c, ok := s.waiting[k]; ok {
		delete(s.waiting, k)
		s.running[k] = c
	}
}
