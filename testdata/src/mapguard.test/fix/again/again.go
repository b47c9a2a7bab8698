// Package again has insertions of what takes long to make: a second look stands
// before them.
package again

import (
	"context"
	"io"
	"sync"
)

type conn struct{ name string }

type file struct{ name string }

func (f *file) Close() error { return nil }

type cache struct {
	mu    sync.RWMutex
	conns map[string]*conn
	files map[string]*file
	open  func(ctx context.Context, name string) (*file, error)
	dial  func(ctx context.Context, name string) (*conn, error)
}

func (c *cache) drop(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.conns, k)
	delete(c.files, k)
}

// The winner's value is used.
func (c *cache) connBad(ctx context.Context, k string) (*conn, error) {
	c.mu.RLock()
	got, ok := c.conns[k]
	c.mu.RUnlock()
	if ok {
		return got, nil
	}
	made, err := c.dial(ctx, k)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conns[k] = made // want `split-lock: .*`
	return made, nil
}

// The loser is closed.
func (c *cache) fileBad(ctx context.Context, k string) (*file, error) {
	c.mu.RLock()
	got, ok := c.files[k]
	c.mu.RUnlock()
	if ok {
		return got, nil
	}
	made, err := c.open(ctx, k)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.files[k] = made // want `split-lock: .*`
	c.mu.Unlock()
	return made, nil
}

// A release at the end becomes one behind the insertion, since the loser is
// closed without the lock.
func (c *cache) deferredBad(ctx context.Context, k string) (io.Closer, error) {
	c.mu.RLock()
	got, ok := c.files[k]
	c.mu.RUnlock()
	if ok {
		return got, nil
	}
	made, err := c.open(ctx, k)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.files[k] = made // want `split-lock: .*`
	return made, nil
}

// Nothing uses the value any more.
func (c *cache) warmBad(ctx context.Context, k string) {
	c.mu.RLock()
	_, ok := c.conns[k]
	c.mu.RUnlock()
	if !ok {
		made, err := c.dial(ctx, k)
		if err != nil {
			return
		}
		c.mu.Lock()
		c.conns[k] = made // want `split-lock: .*`
		c.mu.Unlock()
	}
}

// Neither step holds the lock: both get it.
func (c *cache) bareBad(ctx context.Context, k string) (*file, error) {
	if f, ok := c.files[k]; ok { // want `check-then-act: .*`
		return f, nil
	}
	f, err := c.open(ctx, k)
	if err != nil {
		return nil, err
	}
	c.files[k] = f // behind
	return f, nil
}

// The value is made in the section of the insertion: the look stands once more at
// its start.
func (c *cache) insideBad(ctx context.Context, k string) (*file, error) {
	c.mu.RLock()
	if got, ok := c.files[k]; ok {
		c.mu.RUnlock()
		return got, nil
	}
	c.mu.RUnlock()

	c.mu.Lock()
	made, err := c.open(ctx, k)
	if err == nil {
		c.files[k] = made // want `split-lock: .*`
	}
	c.mu.Unlock()
	return made, err
}

// A release at the end stays.
func (c *cache) insideDeferredBad(ctx context.Context, k string) (*conn, error) {
	c.mu.RLock()
	got, ok := c.conns[k]
	c.mu.RUnlock()
	if ok {
		return got, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	made, err := c.dial(ctx, k)
	if err != nil {
		return nil, err
	}
	c.conns[k] = made // want `split-lock: .*`
	return made, nil
}

// lookUp looks, and does nothing else.
func (c *cache) lookUp(key string) (*conn, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	got, ok := c.conns[key]
	return got, ok
}

func (c *cache) only(name string) *conn {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.conns[name]
}

// The look is made in a helper; the section of the insertion makes the value.
func (c *cache) throughBad(name string, dial func() *conn) (*conn, error) {
	got, ok := c.lookUp(name)
	if ok {
		return got, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conns[name] = dial() // want `split-lock: .*`
	return c.conns[name], nil
}

// The value tells.
func (c *cache) byValueBad(name string, dial func() *conn) *conn {
	if got := c.only(name); got != nil {
		return got
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	made := dial()
	c.conns[name] = made // want `split-lock: .*`
	return made
}
