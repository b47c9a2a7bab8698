package schema_test

import (
	"errors"
	"path/filepath"
	"sync"
	"testing"

	"github.com/mapguard/mapguard/reference/engine"
	"github.com/mapguard/mapguard/reference/schema"
	"github.com/mapguard/mapguard/reference/sqlite"
)

func TestUpTwiceAndOnWhatIsClosed(t *testing.T) {
	eng, err := sqlite.Open(t.Context(), "memory:schema")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := schema.Up(t.Context(), eng.DB()); err != nil {
			t.Fatal(err)
		}
	}
	var tables int
	err = eng.DB().QueryRowContext(t.Context(),
		`SELECT COUNT(*) FROM sqlite_schema WHERE name IN ('actions', 'plans', 'jobs')`).Scan(&tables)
	if err != nil || tables != 3 {
		t.Errorf("%d tables, %v", tables, err)
	}
	if err := eng.Close(); err != nil {
		t.Fatal(err)
	}
	if err := schema.Up(t.Context(), eng.DB()); err == nil {
		t.Error("a closed database was migrated")
	}
	if err := schema.Up(t.Context(), nil); err == nil {
		t.Error("no database was migrated")
	}
}

// TestManyOnOneFreshFile has the schema made by one of many. Each has an engine of
// its own, as processes have.
func TestManyOnOneFreshFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fresh.db")
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			eng, err := sqlite.Open(t.Context(), path)
			if err != nil {
				t.Error(err)
				return
			}
			if err := errors.Join(schema.Up(t.Context(), eng.DB()), eng.Close()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	eng := open(t, path)
	if err := schema.Up(t.Context(), eng.DB()); err != nil {
		t.Error(err)
	}
	for query, want := range map[string]string{
		"PRAGMA journal_mode": "wal",
		"SELECT COUNT(*) FROM goose_db_version WHERE version_id > 0": "3",
	} {
		var got string
		if err := eng.DB().QueryRowContext(t.Context(), query).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %s, %v", query, got, err)
		}
	}
}

// TestDatabasesOfOthers are left as they are.
func TestDatabasesOfOthers(t *testing.T) {
	for name, c := range map[string]struct {
		statement string
		want      error
	}{
		"foreign": {"CREATE TABLE theirs (id INTEGER)", schema.ErrForeign},
		"newer": {`CREATE TABLE actions (id INTEGER); CREATE TABLE plans (id INTEGER);
			CREATE TABLE goose_db_version (version_id INTEGER); INSERT INTO goose_db_version VALUES (1000)`, schema.ErrNewer},
	} {
		eng := open(t, filepath.Join(t.TempDir(), "theirs.db"))
		if _, err := eng.DB().ExecContext(t.Context(), c.statement); err != nil {
			t.Fatal(err)
		}
		if err := schema.Up(t.Context(), eng.DB()); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		var mode string
		if err := eng.DB().QueryRowContext(t.Context(), "PRAGMA journal_mode").Scan(&mode); err != nil || mode != "delete" {
			t.Errorf("%s: the journal is %q, %v", name, mode, err)
		}
	}
}

// TestAMigrationThatFails leaves nothing of those before it. An index that is in
// the way of the last makes it fail.
func TestAMigrationThatFails(t *testing.T) {
	eng := open(t, filepath.Join(t.TempDir(), "old.db"))
	if err := schema.Up(t.Context(), eng.DB()); err != nil {
		t.Fatal(err)
	}
	execute := func(statement string) {
		t.Helper()
		if _, err := eng.DB().ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	execute(`DROP INDEX jobs_at_work; DROP TABLE jobs; DELETE FROM goose_db_version WHERE version_id > 1;
		CREATE INDEX jobs_at_work ON plans (id)`)
	if err := schema.Up(t.Context(), eng.DB()); err == nil {
		t.Fatal("it succeeded")
	}
	var version, jobs int
	if err := eng.DB().QueryRowContext(t.Context(), `SELECT MAX(version_id),
		(SELECT COUNT(*) FROM sqlite_schema WHERE name = 'jobs') FROM goose_db_version`).Scan(&version, &jobs); err != nil {
		t.Fatal(err)
	}
	if version != 1 || jobs != 0 {
		t.Errorf("the version is %d, there are %d tables of jobs", version, jobs)
	}
	execute("DROP INDEX jobs_at_work")
	if err := schema.Up(t.Context(), eng.DB()); err != nil {
		t.Error(err)
	}
}

func open(t *testing.T, path string) *engine.Engine {
	t.Helper()
	eng, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := eng.Close(); err != nil {
			t.Error(err)
		}
	})
	return eng
}
