// Package store keeps actions, plans and jobs in a database: one repository for
// each, all of one transaction.
package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Unit is a unit of work: a scope in which everything is written, or nothing.
type Unit interface {
	// Do calls work with the repositories of one transaction. It commits when
	// work returns nil and rolls back when work returns an error or panics.
	Do(ctx context.Context, work func(*Tx) error) error
}

// Tx is one transaction, as the repositories that take part in it. It is not
// safe for concurrent use.
type Tx struct {
	Actions Actions
	Plans   Plans
	Jobs    Jobs
}

// InTx calls work in a transaction of db, as [Unit] says.
func InTx(ctx context.Context, db *sql.DB, work func(*Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin transaction: %w", err)
	}
	// After a commit the rollback does nothing; after an error or a panic in
	// work it is what undoes the work.
	defer func() { _ = tx.Rollback() }()
	if err := work(&Tx{Actions: Actions{tx}, Plans: Plans{tx}, Jobs: Jobs{tx}}); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		if ctx.Err() != nil {
			// That is why: the transaction was rolled back when ctx ended.
			err = ctx.Err()
		}
		return fmt.Errorf("commit transaction: %w", err)
	}
	return nil
}

// row is what *sql.Row and *sql.Rows have in common.
type row interface {
	Scan(dest ...any) error
}

// collect runs a query and reads each of its rows with scan.
func collect[T any](ctx context.Context, tx *sql.Tx, scan func(row) (T, error), query string, args ...any) (_ []T, err error) {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	var all []T
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// changed runs a statement and reports whether it changed a row.
func changed(ctx context.Context, tx *sql.Tx, query string, args ...any) (bool, error) {
	result, err := tx.ExecContext(ctx, query, args...)
	if err != nil {
		return false, err
	}
	n, err := result.RowsAffected()
	return n > 0, err
}

// stamp is a time that is kept in a column: nanoseconds, and 0 for no time.
type stamp struct{ of *time.Time }

// Value returns what is written for the time.
func (s stamp) Value() (driver.Value, error) {
	if s.of.IsZero() {
		return int64(0), nil
	}
	return s.of.UnixNano(), nil
}

// Scan reads a column into the time.
func (s stamp) Scan(value any) error {
	n, ok := value.(int64)
	if !ok {
		return fmt.Errorf("time column holds a %T", value)
	}
	*s.of = time.Time{}
	if n != 0 {
		*s.of = time.Unix(0, n).UTC()
	}
	return nil
}

// document is a value that is kept in a column as JSON.
type document struct{ of any }

// Value returns the text that is written for the value.
func (d document) Value() (driver.Value, error) {
	text, err := json.Marshal(d.of)
	return string(text), err
}

// Scan reads a column into the value.
func (d document) Scan(value any) error {
	text, ok := value.(string)
	if !ok {
		return fmt.Errorf("document column holds a %T", value)
	}
	return json.Unmarshal([]byte(text), d.of)
}
