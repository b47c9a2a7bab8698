// Package shapes holds the shapes of false findings that large modules have
// shown, each beside the bug that it must not hide.
package shapes

import (
	"errors"
	"sync"
	"sync/atomic"
)

type conn struct{ n int }

type pool struct {
	mu sync.Mutex
	// guarded by mu
	m map[string]*conn
	// guarded by mu
	batches []map[string]*conn
}

// Goroutines that are started and waited for under a lock run under it.
func (p *pool) ForkJoinOk(keys []string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	var wg sync.WaitGroup
	var n atomic.Int64
	for _, k := range keys {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if p.m[k] != nil {
				n.Add(1)
			}
		}()
	}
	wg.Wait()
	return int(n.Load())
}

// Nothing waits: the lock is released while they run.
func (p *pool) ForkBad(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	go func() {
		p.m[k] = &conn{} // want `unguarded-access: .*p\.m`
	}()
}

// What is taken out of its field under the lock belongs to who took it.
func (p *pool) TakeAllOk() int {
	p.mu.Lock()
	taken := p.batches
	p.batches = nil
	p.mu.Unlock()
	n := 0
	for _, b := range taken {
		for range b {
			n++
		}
	}
	return n
}

func (p *pool) FillOk(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.batches[0][k] = &conn{}
}

// It stays in its field, so others change it.
func (p *pool) LookAtAllBad() int {
	p.mu.Lock()
	seen := p.batches
	p.mu.Unlock()
	n := 0
	for _, b := range seen {
		for range b { // want `unguarded-access: .*p\.batches`
			n++
		}
	}
	return n
}

// UnsafeLoad says by its name that it is for callers who hold the lock.
func (p *pool) UnsafeLoadOk(m map[string]*conn) {
	p.m = m
}

func (p *pool) UnsafeLoad(k string) *conn { return p.m[k] }

// The literal is kept in a field: its caller may well hold the lock.
type keeper struct{ drop func(string) }

func (p *pool) KeptOk() *keeper {
	return &keeper{drop: func(k string) {
		delete(p.m, k)
	}}
}

var errNotFound = errors.New("not found")

// open fails for a reason of its own; whether the entry was there, its error
// does not tell.
func (p *pool) open(k string) (*conn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c, ok := p.m[k]; ok {
		return c, nil
	}
	c, err := dial(k)
	if err != nil {
		return nil, err
	}
	p.m[k] = c
	return c, nil
}

// get's error tells just that.
func (p *pool) get(k string) (*conn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c, ok := p.m[k]; ok {
		return c, nil
	}
	return nil, errNotFound
}

func dial(k string) (*conn, error) {
	if k == "" {
		return nil, errors.New("no address")
	}
	return &conn{}, nil
}

func (p *pool) put(k string, c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.m[k] = c
}

func (p *pool) FailedOpenOk(k string) error {
	if _, err := p.open(k); err != nil {
		return err
	}
	p.put(k, &conn{})
	return nil
}

func (p *pool) NotFoundBad(k string) {
	if _, err := p.get(k); err != nil {
		p.put(k, &conn{}) // want `split-lock: .*p\.m`
	}
}
