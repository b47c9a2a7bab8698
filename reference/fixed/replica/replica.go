// Package replica opens read-only engines of database files for those who only
// look: a report that reads through one never waits for a writer.
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
	eng, ok := p.engines[url]
	p.mu.Unlock()
	if ok {
		return eng, nil
	}
	opened, err := p.open(ctx, url)
	if err != nil {
		return nil, fmt.Errorf("open replica: %w", err)
	}
	eng, kept := p.keep(url, opened)
	if !kept {
		if err := opened.Close(); err != nil {
			return nil, fmt.Errorf("close second replica: %w", err)
		}
	}
	return eng, nil
}

// keep puts eng into the pool, unless another goroutine was faster. It returns
// the engine that is in the pool and reports whether that is eng.
func (p *Pool) keep(url string, eng *engine.Engine) (*engine.Engine, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if first, ok := p.engines[url]; ok {
		return first, false
	}
	p.engines[url] = eng
	return eng, true
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
