// Package schema holds the migrations of the service's database and applies
// them.
package schema

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var files embed.FS

// The databases that are not migrated: nothing in them is changed.
var (
	// ErrForeign says that a database has tables, and not those of the service.
	ErrForeign = errors.New("it belongs to another program; name another file")
	// ErrNewer says that a database was migrated further than this program knows.
	ErrNewer = errors.New("it was written by a newer planner; use that")
)

// own are the tables that every version of the schema has.
var own = []string{"actions", "goose_db_version", "plans"}

// Up applies the migrations that db has not had yet, all of them or none. Any
// number of processes may do so at a time: the first applies them, in a
// transaction that keeps the others waiting, and these then find nothing to do.
func Up(ctx context.Context, db *sql.DB) (err error) {
	if db == nil {
		return errors.New("apply migrations: there is no database")
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("apply migrations: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	// Most calls find nothing to do. They need not wait for one who writes, nor
	// for the right to.
	latest, version, err := state(ctx, conn)
	if err != nil {
		return fmt.Errorf("apply migrations: %w", err)
	}
	if version < latest {
		if err := upTogether(ctx, conn); err != nil {
			return fmt.Errorf("apply migrations: %w", err)
		}
	}
	return journal(ctx, conn)
}

// upTogether applies the migrations in one transaction. SQLite lets one such
// transaction exist at a time, whichever process has it, and undoes it when that
// process dies.
func upTogether(ctx context.Context, conn *sql.Conn) (err error) {
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	defer func() {
		end := "COMMIT"
		if err != nil {
			end = "ROLLBACK"
		}
		_, endErr := conn.ExecContext(context.WithoutCancel(ctx), end)
		err = errors.Join(err, endErr)
	}()
	// What another process did while this one waited counts.
	latest, version, err := state(ctx, conn)
	if err != nil || version == latest {
		return err
	}
	return conn.Raw(func(raw any) error {
		nested, err := within(raw)
		if err != nil {
			return err
		}
		_, err = up(ctx, nested)
		return errors.Join(err, nested.Close())
	})
}

// up applies the migrations with goose.
func up(ctx context.Context, db *sql.DB) ([]*goose.MigrationResult, error) {
	migrations, err := fs.Sub(files, "migrations")
	if err != nil {
		return nil, err
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, migrations)
	if err != nil {
		return nil, err
	}
	return provider.Up(ctx)
}

// journal makes a file keep its changes in a log of their own, beside which
// others can read. A database in memory has no such log. Where the mode cannot be
// set it stays as it is, and all works but slower: another process may be using
// the file in the old mode at this moment, or the file cannot be written.
func journal(ctx context.Context, conn *sql.Conn) error {
	var mode string
	if err := conn.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&mode); err != nil {
		return fmt.Errorf("read the mode of the journal: %w", err)
	}
	if mode == "delete" {
		_ = conn.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode)
	}
	return nil
}

// state returns the version to which the migrations lead, and that which the
// database has: 0 when it is empty.
func state(ctx context.Context, conn *sql.Conn) (latest, version int64, err error) {
	names, err := fs.Glob(files, "migrations/*.sql")
	if err != nil {
		return 0, 0, err
	}
	latest = int64(len(names))
	tables, err := tablesOf(ctx, conn)
	if err != nil || len(tables) == 0 {
		return latest, 0, err
	}
	for _, name := range own {
		if !slices.Contains(tables, name) {
			return latest, 0, ErrForeign
		}
	}
	err = conn.QueryRowContext(ctx, "SELECT MAX(version_id) FROM goose_db_version").Scan(&version)
	if err == nil && version > latest {
		err = ErrNewer
	}
	return latest, version, err
}

// tablesOf returns the names of the tables in a database, but for SQLite's own.
func tablesOf(ctx context.Context, conn *sql.Conn) (names []string, err error) {
	rows, err := conn.QueryContext(ctx,
		`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'`)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}
