// Package migrate is the migration runner: it brings the schema of the database
// that a URL names up to date.
//
// This is the buggy form: the engine cache is looked up and filled without its
// lock, so the schema can be applied to an engine that no one else uses.
package migrate

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/mapguard/mapguard/reference/engine"
)

// Runner applies migrations. It is safe for concurrent use.
type Runner struct {
	// Open opens the engine of a URL.
	Open engine.Factory
	// Apply brings the schema of a database up to date.
	Apply func(ctx context.Context, db *sql.DB) error
}

// Run migrates the database that url names. For an in-memory URL that is the
// database in the engine which everyone else in the process gets as well.
func (r *Runner) Run(ctx context.Context, url string) error {
	url = engine.Canonical(url)
	if engine.IsMemory(url) {
		eng, err := r.memoryEngine(ctx, url)
		if err != nil {
			return fmt.Errorf("migrate %s: %w", url, err)
		}
		return r.apply(ctx, eng)
	}
	eng, err := r.Open(ctx, url)
	if err != nil {
		return fmt.Errorf("migrate %s: %w", url, err)
	}
	return errors.Join(r.apply(ctx, eng), eng.Close())
}

// memoryEngine returns the engine of an in-memory URL, opening it when it is
// the first to ask.
func (r *Runner) memoryEngine(ctx context.Context, url string) (*engine.Engine, error) {
	if entry, ok := engine.MemoryEngines[url]; ok { // want:check-then-act
		return entry.Engine(ctx)
	}
	eng, err := r.Open(ctx, url)
	if err != nil {
		return nil, err
	}
	engine.MemoryEngines[url] = engine.Opened(eng)
	return eng, nil
}

func (r *Runner) apply(ctx context.Context, eng *engine.Engine) error {
	if err := r.Apply(ctx, eng.DB()); err != nil {
		return fmt.Errorf("migrate %s: %w", eng.URL(), err)
	}
	return nil
}
