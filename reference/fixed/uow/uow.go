// Package uow is the unit of work: the scope of one transaction over the
// repositories, on the engine that a URL names.
package uow

import (
	"context"
	"fmt"

	"github.com/mapguard/mapguard/reference/engine"
	"github.com/mapguard/mapguard/reference/store"
)

// UnitOfWork runs transactions on one engine. It is safe for concurrent use.
type UnitOfWork struct {
	engine *engine.Engine
	// owned says that no one else uses the engine: it is a file's.
	owned bool
}

// Open returns a unit of work on the database that url names, which open opens
// when need be. All units of work of one in-memory URL share one engine. For
// such a URL open must hand out a database that has its schema: what another
// goroutine gets from the cache is what open returned.
func Open(ctx context.Context, url string, open engine.Factory) (*UnitOfWork, error) {
	url = engine.Canonical(url)
	acquire := open
	if engine.IsMemory(url) {
		acquire = func(ctx context.Context, url string) (*engine.Engine, error) {
			return engine.Acquire(ctx, url, open)
		}
	}
	eng, err := acquire(ctx, url)
	if err != nil {
		return nil, fmt.Errorf("open unit of work: %w", err)
	}
	return &UnitOfWork{engine: eng, owned: !engine.IsMemory(url)}, nil
}

// Do calls work in one transaction; see [store.Unit].
func (u *UnitOfWork) Do(ctx context.Context, work func(*store.Tx) error) error {
	return store.InTx(ctx, u.engine.DB(), work)
}

// Engine returns the engine that the unit of work uses.
func (u *UnitOfWork) Engine() *engine.Engine { return u.engine }

// Close gives up the engine. The engine of an in-memory URL lives on until
// [engine.Dispose].
func (u *UnitOfWork) Close() error {
	if !u.owned {
		return nil
	}
	return u.engine.Close()
}
