// Package schema holds the migrations of the service's database and applies
// them.
package schema

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"sync"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var files embed.FS

// applying is held while migrations are applied: two runners on one database
// would both find the same migration missing.
var applying sync.Mutex

// Up applies the migrations that db has not had yet.
func Up(ctx context.Context, db *sql.DB) error {
	applying.Lock()
	defer applying.Unlock()
	migrations, err := fs.Sub(files, "migrations")
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, migrations)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("apply migrations: %w", err)
	}
	return nil
}
