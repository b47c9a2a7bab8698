// Package migrate is the migration runner: it brings the schema of the database
// that a URL names up to date.
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
// database in the engine which all others in the process get as well; they get
// it when it has its schema, not before.
func (r *Runner) Run(ctx context.Context, url string) error {
	url = engine.Canonical(url)
	if engine.IsMemory(url) {
		eng, err := engine.Acquire(ctx, url, r.OpenMigrated)
		if err != nil {
			return fmt.Errorf("migrate %s: %w", url, err)
		}
		// It may have been opened by someone who did not migrate it.
		return r.apply(ctx, eng)
	}
	eng, err := r.OpenMigrated(ctx, url)
	if err != nil {
		return fmt.Errorf("migrate %s: %w", url, err)
	}
	return eng.Close()
}

// OpenMigrated is an [engine.Factory]: it opens the engine of a URL and brings
// its schema up to date. An engine whose schema cannot be is closed again.
func (r *Runner) OpenMigrated(ctx context.Context, url string) (*engine.Engine, error) {
	eng, err := r.Open(ctx, url)
	if err != nil {
		return nil, err
	}
	if err := r.apply(ctx, eng); err != nil {
		return nil, errors.Join(err, eng.Close())
	}
	return eng, nil
}

func (r *Runner) apply(ctx context.Context, eng *engine.Engine) error {
	return r.Apply(ctx, eng.DB())
}
