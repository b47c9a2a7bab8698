// Package stmts keeps prepared statements, so that a query which is asked again
// and again is compiled once.
package stmts

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
)

// Preparer prepares statements; a *sql.DB is one.
type Preparer interface {
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
}

// Cache holds one prepared statement for each query. It is safe for concurrent
// use.
type Cache struct {
	db Preparer

	// mu protects statements. Nearly every call only looks, so lookers share it.
	mu         sync.RWMutex
	statements map[string]*sql.Stmt
}

// New returns an empty cache of statements on db.
func New(db Preparer) *Cache {
	return &Cache{db: db, statements: map[string]*sql.Stmt{}}
}

// Statement returns the prepared statement of query. It belongs to the cache:
// the caller must not close it.
func (c *Cache) Statement(ctx context.Context, query string) (*sql.Stmt, error) {
	c.mu.RLock()
	stmt, ok := c.statements[query]
	c.mu.RUnlock()
	if ok {
		return stmt, nil
	}
	prepared, err := c.db.PrepareContext(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("prepare statement: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	// Between the two locks another goroutine may have prepared the query too.
	if first, ok := c.statements[query]; ok {
		if err := prepared.Close(); err != nil {
			return nil, fmt.Errorf("close second statement: %w", err)
		}
		return first, nil
	}
	c.statements[query] = prepared
	return prepared, nil
}

// Close closes all statements and empties the cache.
func (c *Cache) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var errs []error
	for _, stmt := range c.statements {
		errs = append(errs, stmt.Close())
	}
	clear(c.statements)
	return errors.Join(errs...)
}
