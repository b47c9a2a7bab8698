package atomic

import (
	"sync"

	"golang.org/x/sync/singleflight"
)

type flights struct {
	group singleflight.Group
	mu    sync.Mutex
	m     map[string]*conn // guarded by mu
}

func (f *flights) get(k string) *conn {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.m[k]
}

func (f *flights) put(k string, c *conn) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.m[k] = c
}

// Only one goroutine at a time works on a key, and it looks again: the
// flight covers both sections.
func (f *flights) looksAgainOk(k string) *conn {
	if c := f.get(k); c != nil {
		return c
	}
	v, _, _ := f.group.Do(k, func() (any, error) {
		if c := f.get(k); c != nil {
			return c, nil
		}
		c := dial(k)
		f.put(k, c)
		return c, nil
	})
	return v.(*conn)
}

// A flight that begins after another one has ended does not know of it.
func (f *flights) doesNotLookAgainBad(k string) *conn {
	if c := f.get(k); c != nil {
		return c
	}
	v, _, _ := f.group.Do(k, func() (any, error) {
		c := dial(k)
		f.put(k, c) // want `split-lock: .*f\.m`
		return c, nil
	})
	return v.(*conn)
}
