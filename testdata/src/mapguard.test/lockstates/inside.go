package lockstates

import (
	"io"
	"sync"
)

// A cellar gives helpers to others while it is locked.
type cellar struct {
	mu      sync.Mutex
	bottles map[string]int
}

func (c *cellar) Store(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bottles[k]++
}

func (c *cellar) Drop(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.bottles, k)
}

// A sweeper is only there while the cellar is locked.
type sweeper struct{ of *cellar }

func (c *cellar) Sweep(r io.WriterTo) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := &sweeper{of: c}
	_, err := r.WriteTo(s)
	return err
}

func (c *cellar) SweepFirst(r io.WriterTo) {
	c.mu.Lock()
	_, _ = r.WriteTo(&sweeper{of: c})
	c.mu.Unlock()
}

func (s *sweeper) Write(k []byte) (int, error) {
	return s.writeOk(k)
}

func (s *sweeper) writeOk(k []byte) (int, error) {
	if s.of.bottles[string(k)] == 0 {
		delete(s.of.bottles, string(k))
	}
	return len(k), nil
}

// One of them is used when the lock is gone.
type meter struct{ of *cellar }

func (c *cellar) Count(r io.WriterTo) {
	c.mu.Lock()
	n := &meter{of: c}
	c.mu.Unlock()
	_, _ = r.WriteTo(n)
}

func (n *meter) Write(k []byte) (int, error) {
	return n.writeBad(k)
}

func (n *meter) writeBad(k []byte) (int, error) {
	return n.of.bottles[string(k)], nil // want `unguarded-access: .*bottles.*, low`
}

// One of them is handed out.
type taster struct{ of *cellar }

func (c *cellar) Taster(r io.WriterTo) io.Writer {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &taster{of: c}
	_, _ = r.WriteTo(t)
	return t
}

func (t *taster) Write(k []byte) (int, error) {
	return t.writeBad(k)
}

func (t *taster) writeBad(k []byte) (int, error) {
	return t.of.bottles[string(k)], nil // want `unguarded-access: .*bottles.*, low`
}
