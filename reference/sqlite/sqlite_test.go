package sqlite_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/mapguard/mapguard/reference/engine"
	"github.com/mapguard/mapguard/reference/lifecycle"
	"github.com/mapguard/mapguard/reference/sqlite"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t *testing.T, factory engine.Factory, url string) *engine.Engine {
	t.Helper()
	eng, err := factory(t.Context(), url)
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

func execute(t *testing.T, eng *engine.Engine, statement string) {
	t.Helper()
	if _, err := eng.DB().ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

func count(ctx context.Context, eng *engine.Engine) (n int, err error) {
	err = eng.DB().QueryRowContext(ctx, `SELECT COUNT(*) FROM things`).Scan(&n)
	return n, err
}

func TestTwoEnginesOfOneMemoryURLAreTwoDatabases(t *testing.T) {
	first := open(t, sqlite.Open, "memory:a name?with#signs")
	second := open(t, sqlite.Open, "memory:a name?with#signs")
	execute(t, first, `CREATE TABLE things (id INTEGER)`)
	if _, err := count(t.Context(), second); err == nil {
		t.Error("the second engine sees the table of the first")
	}
}

func TestMemoryOutlivesItsWorkingConnection(t *testing.T) {
	eng := open(t, sqlite.Open, "memory:outlives")
	execute(t, eng, `CREATE TABLE things (id INTEGER)`)
	eng.DB().SetMaxIdleConns(0)
	execute(t, eng, `INSERT INTO things VALUES (1)`)
	if n, err := count(t.Context(), eng); err != nil || n != 1 {
		t.Errorf("%d things, %v", n, err)
	}
}

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a name?with#signs%20.db")
	eng := open(t, sqlite.Open, path)
	execute(t, eng, `CREATE TABLE things (id INTEGER)`)
	if files, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); err != nil || files[0] != path {
		t.Errorf("the files are %q, %v", files, err)
	}
	replica := open(t, sqlite.OpenReadOnly, path)
	execute(t, eng, `INSERT INTO things VALUES (1)`)
	if n, err := count(t.Context(), replica); err != nil || n != 1 {
		t.Errorf("the replica has %d things, %v", n, err)
	}
	if _, err := replica.DB().ExecContext(t.Context(), `INSERT INTO things VALUES (2)`); err == nil {
		t.Error("the replica can write")
	}
}

func TestTheURLOfAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	execute(t, open(t, sqlite.Open, "sqlite:///"+path), `CREATE TABLE things (id INTEGER)`)
	if n, err := count(t.Context(), open(t, sqlite.OpenReadOnly, path)); err != nil || n != 0 {
		t.Errorf("%d things, %v", n, err)
	}
}

func TestWhatIsNoDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(path, []byte(strings.Repeat("text ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Open(t.Context(), path); !sqlite.NoDatabase(err) || sqlite.Unwritable(err) {
		t.Errorf("it returned %v", err)
	}
}

func TestWhatCannotBeOpened(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "no", "such", "folder", "a.db")
	if _, err := sqlite.Open(t.Context(), ""); !errors.Is(err, lifecycle.ErrInvalid) {
		t.Errorf("no URL: %v", err)
	}
	if _, err := sqlite.OpenReadOnly(t.Context(), "memory:a"); !errors.Is(err, lifecycle.ErrInvalid) {
		t.Errorf("replica of a database in memory: %v", err)
	}
	for name, factory := range map[string]engine.Factory{"write": sqlite.Open, "read": sqlite.OpenReadOnly} {
		if _, err := factory(t.Context(), missing); err == nil {
			t.Errorf("%s: a file in no folder was opened", name)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := sqlite.Open(ended, "memory:a"); !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: %v", err)
	}
}
