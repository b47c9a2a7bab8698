// Package engine holds the database engines of the process: what an engine is,
// and the cache through which every user of one in-memory URL gets the same.
//
// An in-memory database lives in its engine. Two engines of one in-memory URL
// are two databases, and what one migrates or writes the other never sees. So
// there must be one engine for each such URL in a process, and [MemoryEngines]
// is where it is kept.
package engine

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

// Factory opens the engine of a URL.
type Factory func(ctx context.Context, url string) (*Engine, error)

// Engine is an open database. It is safe for concurrent use.
type Engine struct {
	url string
	db  *sql.DB
	// keeper is the connection that keeps an in-memory database alive: such a
	// database vanishes with its last connection. It is nil for files.
	keeper *sql.Conn

	closeOnce sync.Once
	closeErr  error
}

// New returns the engine of url over db. A keeper that is not nil is a
// connection which the engine holds open until it is closed. An engine without
// db stands for a database in tests.
func New(url string, db *sql.DB, keeper *sql.Conn) *Engine {
	return &Engine{url: url, db: db, keeper: keeper}
}

// URL returns the URL under which the engine was opened.
func (e *Engine) URL() string { return e.url }

// DB returns the engine's pool of connections.
func (e *Engine) DB() *sql.DB { return e.db }

// Close closes the engine. A second call does nothing and returns the error of
// the first.
func (e *Engine) Close() error {
	e.closeOnce.Do(func() {
		if e.keeper != nil {
			e.closeErr = e.keeper.Close()
		}
		if e.db != nil {
			e.closeErr = errors.Join(e.closeErr, e.db.Close())
		}
	})
	return e.closeErr
}
