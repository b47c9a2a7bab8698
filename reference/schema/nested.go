package schema

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
)

// sqliteConn is what is used of a connection of the driver.
type sqliteConn interface {
	driver.Conn
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
}

// nested is a connection that is in a transaction already. Transactions on it
// are savepoints, so that what they commit is kept or undone with the whole.
type nested struct{ sqliteConn }

// within returns a database of one connection, raw, that is in a transaction.
func within(raw any) (*sql.DB, error) {
	conn, ok := raw.(sqliteConn)
	if !ok {
		return nil, fmt.Errorf("a connection of type %T cannot be migrated", raw)
	}
	db := sql.OpenDB(connector{nested{conn}})
	db.SetMaxOpenConns(1)
	return db, nil
}

// connector hands out its one connection.
type connector struct{ conn nested }

// Connect returns the connection.
func (c connector) Connect(context.Context) (driver.Conn, error) { return c.conn, nil }

// Driver returns nothing: only Connect is used.
func (c connector) Driver() driver.Driver { return nil }

// Close leaves the connection to whom it belongs.
func (n nested) Close() error { return nil }

// BeginTx begins a transaction within the one that is there.
func (n nested) BeginTx(ctx context.Context, _ driver.TxOptions) (driver.Tx, error) {
	_, err := n.ExecContext(ctx, "SAVEPOINT nested", nil)
	return n, err
}

// Commit keeps what was done since the savepoint, if the whole is kept.
func (n nested) Commit() error {
	_, err := n.ExecContext(context.Background(), "RELEASE nested", nil)
	return err
}

// Rollback undoes what was done since the savepoint.
func (n nested) Rollback() error {
	_, err := n.ExecContext(context.Background(), "ROLLBACK TO nested; RELEASE nested", nil)
	return err
}
