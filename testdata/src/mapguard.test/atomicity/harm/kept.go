package harm

import "sync"

// What is stored is one object for all who come: it was there before.

type counter struct {
	mu sync.Mutex
	n  int
}

var kept sync.Map

type counters struct {
	mu    sync.Mutex
	near  map[string]*counter
	parts map[string]*counter
	moved map[string]*counter

	all   []*counter // set when it is made
	turns []*counter // goes round
}

func newCounters(n int) *counters {
	c := &counters{near: map[string]*counter{}, parts: map[string]*counter{}, moved: map[string]*counter{}}
	for range n {
		c.all = append(c.all, &counter{})
		c.turns = append(c.turns, &counter{})
	}
	return c
}

// Both get the counter that the registry keeps.
func (c *counters) fromRegistryOk(k string) *counter {
	c.mu.Lock()
	v := c.near[k]
	c.mu.Unlock()
	if v == nil {
		got, _ := kept.LoadOrStore(k, new(counter))
		v = got.(*counter)
		c.mu.Lock()
		c.near[k] = v
		c.mu.Unlock()
	}
	return v
}

// One of those that were there from the start, by the key.
func (c *counters) shardOk(k string) *counter {
	c.mu.Lock()
	v := c.parts[k]
	c.mu.Unlock()
	if v == nil {
		v = c.all[len(k)%len(c.all)]
		c.mu.Lock()
		c.parts[k] = v
		c.mu.Unlock()
	}
	return v
}

// The next one in turn is another one for the next who comes.
func (c *counters) turnBad(k string) *counter {
	c.mu.Lock()
	v := c.moved[k]
	c.mu.Unlock()
	if v == nil {
		v = c.turns[0]
		c.mu.Lock()
		c.moved[k] = v // want `split-lock: .*high`
		c.turns = append(c.turns[1:], v)
		c.mu.Unlock()
	}
	return v
}

func (c *counter) add() { c.mu.Lock(); defer c.mu.Unlock(); c.n++ }
