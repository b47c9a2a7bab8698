// Package replica opens read-only engines of database files for those who only
// look: a report that reads through one never waits for a writer.
//
// This is the buggy form: the lock is let go between the look-up and the
// insertion, and the engine is read again without it.
package replica

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/mapguard/mapguard/reference/engine"
)

// Pool holds one read-only engine for each URL. It is safe for concurrent use.
type Pool struct {
	open engine.Factory

	// mu protects engines. It is not held while an engine opens: opening a file
	// is slow, and those who need another file need not wait for it.
	mu      sync.Mutex
	engines map[string]*engine.Engine
}

// New returns an empty pool which opens engines with open.
func New(open engine.Factory) *Pool {
	return &Pool{open: open, engines: map[string]*engine.Engine{}}
}

// Engine returns the read-only engine of url.
func (p *Pool) Engine(ctx context.Context, url string) (*engine.Engine, error) {
	p.mu.Lock()
	_, ok := p.engines[url]
	p.mu.Unlock()
	if !ok {
		opened, err := p.open(ctx, url)
		if err != nil {
			return nil, fmt.Errorf("open replica: %w", err)
		}
		p.mu.Lock()
		p.engines[url] = opened // want:split-lock
		p.mu.Unlock()
	}
	return p.engines[url], nil // want:unguarded-access
}

// Close closes all engines of the pool and empties it.
func (p *Pool) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var errs []error
	for _, eng := range p.engines {
		errs = append(errs, eng.Close())
	}
	clear(p.engines)
	return errors.Join(errs...)
}
