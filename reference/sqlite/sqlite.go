// Package sqlite opens engines of SQLite databases, in memory and in files. It
// is the one package that knows the driver.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"

	"modernc.org/sqlite" // the driver called "sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/mapguard/mapguard/reference/engine"
	"github.com/mapguard/mapguard/reference/id"
	"github.com/mapguard/mapguard/reference/lifecycle"
)

// Open opens the engine of a URL: "memory:NAME" for a database in memory, any
// other URL for a file of that path, which is made when there is none.
//
// One connection works. SQLite lets one transaction write at a time, and a
// queue for the connection is fairer than writers that find the database busy
// and try again. So a transaction must not wait for another to begin.
//
// The journal of a file is left as it is: what is found may belong to someone
// else. [github.com/mapguard/mapguard/reference/schema.Up] changes it, when it
// has seen whose it is.
func Open(ctx context.Context, location string) (*engine.Engine, error) {
	location = engine.Canonical(location)
	if engine.IsMemory(location) {
		return openMemory(ctx, location)
	}
	if location == "" {
		return nil, lifecycle.Invalid("database", location, "it needs a path or memory:NAME")
	}
	db, err := connect(ctx, fileURI(location),
		"_pragma", "busy_timeout(10000)",
		"_pragma", "synchronous(NORMAL)",
		"_pragma", "foreign_keys(1)",
		"_txlock", "immediate")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return engine.New(location, db, nil), nil
}

// OpenReadOnly opens an engine of a file that exists, which can only read.
// Several connections read at a time, beside a writer.
//
// Beside the file, SQLite needs two others of its own, which it cannot make in a
// folder that is read-only. A file that has no journal is then read as what
// never changes: who could write it would have left one.
func OpenReadOnly(ctx context.Context, location string) (*engine.Engine, error) {
	location = engine.Canonical(location)
	eng, err := openReadOnly(ctx, location)
	if err == nil || !Unwritable(err) {
		return eng, err
	}
	if _, statErr := os.Stat(location + "-wal"); !errors.Is(statErr, fs.ErrNotExist) {
		return nil, err
	}
	return openReadOnly(ctx, location, "immutable", "1")
}

// Unwritable reports whether err says that a database, or the folder that it is
// in, cannot be written.
func Unwritable(err error) bool {
	return isCode(err, sqlite3.SQLITE_READONLY) || isCode(err, sqlite3.SQLITE_CANTOPEN)
}

// NoDatabase reports whether err says that a file is something else.
func NoDatabase(err error) bool { return isCode(err, sqlite3.SQLITE_NOTADB) }

// isCode reports whether err is one of SQLite's, with a code of that kind.
func isCode(err error, code int) bool {
	var refusal *sqlite.Error
	return errors.As(err, &refusal) && refusal.Code()&0xff == code
}

func openReadOnly(ctx context.Context, location string, parameters ...string) (*engine.Engine, error) {
	if location == "" || engine.IsMemory(location) {
		return nil, lifecycle.Invalid("database", location, "only a file has read-only engines")
	}
	db, err := connect(ctx, fileURI(location), append(parameters,
		"mode", "ro",
		"_pragma", "busy_timeout(10000)",
		"_pragma", "query_only(1)")...)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(4)
	return engine.New(location, db, nil), nil
}

// openMemory opens a new database in memory. Its name within SQLite is made
// unique, so that no engine finds the tables of another, an older one of the
// same URL that is not quite closed yet. All connections of the engine share
// its cache; with a plain ":memory:" each would have a database of its own.
func openMemory(ctx context.Context, location string) (*engine.Engine, error) {
	name := url.PathEscape(engine.MemoryName(location) + "-" + id.New())
	db, err := connect(ctx, "file:"+name,
		"mode", "memory",
		"cache", "shared",
		"_pragma", "foreign_keys(1)")
	if err != nil {
		return nil, err
	}
	// One connection works and one keeps the database alive. Two that worked
	// would lock tables against each other: a shared cache knows no waiting.
	db.SetMaxOpenConns(2)
	keeper, err := db.Conn(ctx)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", location, err), db.Close())
	}
	return engine.New(location, db, keeper), nil
}

// fileURI returns the URI of a path, in which no character of the path is taken
// for the beginning of the parameters.
func fileURI(path string) string {
	return "file:" + (&url.URL{Path: path}).EscapedPath()
}

// connect opens a pool on uri with parameters, pairs of name and value, and
// makes sure that a connection works.
func connect(ctx context.Context, uri string, parameters ...string) (*sql.DB, error) {
	query := url.Values{}
	for i := 0; i < len(parameters); i += 2 {
		query.Add(parameters[i], parameters[i+1])
	}
	db, err := sql.Open("sqlite", uri+"?"+query.Encode())
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", uri, err)
	}
	// A connection opens its file at the first use of it.
	var tables int
	if err := db.QueryRowContext(ctx, "SELECT COUNT(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", uri, err), db.Close())
	}
	return db, nil
}
