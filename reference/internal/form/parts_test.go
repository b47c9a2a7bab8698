package form_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/mapguard/mapguard/reference/engine"
	"github.com/mapguard/mapguard/reference/gate"
	"github.com/mapguard/mapguard/reference/internal/form"
	"github.com/mapguard/mapguard/reference/job"
	"github.com/mapguard/mapguard/reference/lifecycle"
	"github.com/mapguard/mapguard/reference/sqlite"
	"github.com/mapguard/mapguard/reference/workspace"
)

var errFactory = errors.New("no engine today")

// each runs a test on both forms.
func each(t *testing.T, test func(t *testing.T, f form.Form)) {
	for _, f := range form.All() {
		t.Run(f.Name, func(t *testing.T) { test(t, f) })
	}
}

func noEngine(context.Context, string) (*engine.Engine, error) { return nil, errFactory }

// closedEngine opens an engine that is closed at once.
func closedEngine(ctx context.Context, url string) (*engine.Engine, error) {
	eng, err := sqlite.Open(ctx, url)
	if err != nil {
		return nil, err
	}
	return eng, eng.Close()
}

func TestUnitAndMigrationOnMemory(t *testing.T) {
	each(t, func(t *testing.T, f form.Form) {
		const url = "memory:parts"
		defer func() {
			if err := engine.Dispose(url); err != nil {
				t.Error(err)
			}
		}()
		ctx := t.Context()
		if _, err := f.OpenUnit(ctx, url, noEngine); !errors.Is(err, errFactory) {
			t.Errorf("unit of work: %v", err)
		}
		if err := f.Migrate(ctx, url, noEngine); !errors.Is(err, errFactory) {
			t.Errorf("migration: %v", err)
		}
		first, err := f.OpenUnit(ctx, url, sqlite.Open)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Migrate(ctx, url, noEngine); err != nil {
			t.Errorf("migration of an engine that is there: %v", err)
		}
		if err := first.Close(); err != nil {
			t.Error(err)
		}
		second, err := f.OpenUnit(ctx, url, noEngine)
		if err != nil || second.Engine() != first.Engine() {
			t.Errorf("unit of work on an engine that is there: %v", err)
		}
	})
}

func TestUnitAndMigrationOnAFile(t *testing.T) {
	each(t, func(t *testing.T, f form.Form) {
		ctx := t.Context()
		url := filepath.Join(t.TempDir(), "parts.db")
		if err := f.Migrate(ctx, url, noEngine); !errors.Is(err, errFactory) {
			t.Errorf("migration: %v", err)
		}
		if err := f.Migrate(ctx, url, closedEngine); err == nil {
			t.Error("a closed engine was migrated")
		}
		if err := f.Migrate(ctx, url, sqlite.Open); err != nil {
			t.Error(err)
		}
		unit, err := f.OpenUnit(ctx, url, sqlite.Open)
		if err != nil {
			t.Fatal(err)
		}
		if err := unit.Close(); err != nil {
			t.Error(err)
		}
		if unit.Engine().DB().PingContext(ctx) == nil {
			t.Error("the engine is still open")
		}
	})
}

func TestMigrationOfAnEngineWithoutDatabase(t *testing.T) {
	each(t, func(t *testing.T, f form.Form) {
		none := func(_ context.Context, url string) (*engine.Engine, error) { return engine.New(url, nil, nil), nil }
		if err := f.Migrate(t.Context(), "a.db", none); err != nil {
			t.Error(err)
		}
	})
}

func TestReplicas(t *testing.T) {
	each(t, func(t *testing.T, f form.Form) {
		ctx := t.Context()
		url := filepath.Join(t.TempDir(), "replicas.db")
		pool := f.NewReplicas(sqlite.OpenReadOnly)
		if _, err := pool.Engine(ctx, url); err == nil {
			t.Error("a file that is not there was opened")
		}
		if err := f.Migrate(ctx, url, sqlite.Open); err != nil {
			t.Fatal(err)
		}
		first, err := pool.Engine(ctx, url)
		if err != nil {
			t.Fatal(err)
		}
		if second, err := pool.Engine(ctx, url); err != nil || second != first {
			t.Errorf("the second time it is another, %v", err)
		}
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
		if first.DB().PingContext(ctx) == nil {
			t.Error("the replica is still open")
		}
	})
}

func TestStatements(t *testing.T) {
	each(t, func(t *testing.T, f form.Form) {
		ctx := t.Context()
		eng, err := sqlite.Open(ctx, "memory:statements")
		if err != nil {
			t.Fatal(err)
		}
		cache := f.NewStatements(eng.DB())
		first, err := cache.Statement(ctx, "SELECT 1")
		if err != nil {
			t.Fatal(err)
		}
		if second, err := cache.Statement(ctx, "SELECT 1"); err != nil || second != first {
			t.Errorf("the second time it is another, %v", err)
		}
		if _, err := cache.Statement(ctx, "SELEKT"); err == nil {
			t.Error("nonsense was prepared")
		}
		if err := cache.Close(); err != nil {
			t.Error(err)
		}
		var one int
		if err := first.QueryRowContext(ctx).Scan(&one); err == nil {
			t.Error("the statement is still open")
		}
		if err := eng.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestGates(t *testing.T) {
	each(t, func(t *testing.T, f form.Form) {
		set := f.NewGates(gate.New)
		if first := set.Of("a"); set.Of("a") != first {
			t.Error("one project has two gates")
		}
		if set.Of("a") == set.Of("b") {
			t.Error("two projects have one gate")
		}
	})
}

func TestRegistry(t *testing.T) {
	each(t, func(t *testing.T, f form.Form) {
		registry := f.NewRegistry()
		start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		for _, jobID := range []string{"c", "b", "a"} {
			if err := registry.Begin(jobID, start); err != nil {
				t.Error(err)
			}
		}
		if err := registry.Begin("a", start); !errors.Is(err, lifecycle.ErrDuplicate) {
			t.Errorf("begun twice: %v", err)
		}
		if err := registry.Beat("none", start); !errors.Is(err, lifecycle.ErrUnknown) {
			t.Errorf("beat of what does not run: %v", err)
		}
		if err := registry.Beat("b", start.Add(time.Minute)); err != nil {
			t.Error(err)
		}
		if got, want := registry.Stuck(start.Add(time.Second)), []string{"a", "c"}; !reflect.DeepEqual(got, want) {
			t.Errorf("stuck %v, want %v", got, want)
		}
		registry.End("a")
		registry.End("c")
		want := map[string]job.Run{"b": {Since: start, Heartbeat: start.Add(time.Minute)}}
		if got := registry.Running(); !reflect.DeepEqual(got, want) || registry.Len() != 1 {
			t.Errorf("running %v, want %v", got, want)
		}
	})
}

func TestWorkspaces(t *testing.T) {
	each(t, func(t *testing.T, f form.Form) {
		var failure error
		set := f.NewWorkspaces(func(planID string) (*workspace.Folder, error) {
			if failure != nil {
				return nil, failure
			}
			return workspace.Make(planID)
		})
		if !set.Claim("p", "a") || set.Claim("p", "b") {
			t.Error("the first to claim a plan was refused, or the second was not")
		}
		set.Leave("p", "b")
		if set.Claim("p", "b") {
			t.Error("a carrier left for another")
		}
		set.Leave("p", "a")
		if !set.Claim("p", "b") {
			t.Error("a plan that was left cannot be claimed")
		}
		if first, second := set.Begin("p"), set.Begin("p"); first != 1 || second != 2 {
			t.Errorf("begun %d and %d times", first, second)
		}
		first, err := set.Folder("p")
		if err != nil {
			t.Fatal(err)
		}
		if again, err := set.Folder("p"); err != nil || again != first {
			t.Errorf("the second time it is another, %v", err)
		}
		if err := errors.Join(set.Remove("p"), set.Remove("p"), first.Close()); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(first.Path()); err == nil {
			t.Error("the folder is still there")
		}
		second, err := set.Folder("q")
		if err != nil {
			t.Fatal(err)
		}
		if err := set.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(second.Path()); err == nil {
			t.Error("a folder is still there")
		}
		failure = errFactory
		if _, err := set.Folder("r"); !errors.Is(err, errFactory) {
			t.Errorf("a folder that cannot be made: %v", err)
		}
	})
}

// overtaken prepares statements and, once, lets again overtake it.
type overtaken struct {
	db    *sql.DB
	again func()
}

// PrepareContext prepares a statement.
func (c *overtaken) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	stmt, err := c.db.PrepareContext(ctx, query)
	if again := c.again; again != nil {
		c.again = nil
		again()
	}
	return stmt, err
}

// TestWhoIsOvertakenGetsTheStatementOfTheOther checks it for the fixed form; the
// behaviour tests show what the buggy one does.
func TestWhoIsOvertakenGetsTheStatementOfTheOther(t *testing.T) {
	ctx := t.Context()
	eng, err := sqlite.Open(ctx, "memory:loser")
	if err != nil {
		t.Fatal(err)
	}
	preparer := &overtaken{db: eng.DB()}
	cache := form.Fixed().NewStatements(preparer)
	var winner *sql.Stmt
	preparer.again = func() { winner, err = cache.Statement(ctx, "SELECT 1") }
	got, gotErr := cache.Statement(ctx, "SELECT 1")
	if gotErr != nil || err != nil || got != winner {
		t.Errorf("the loser got a statement of its own, %v, %v", gotErr, err)
	}
	if err := errors.Join(cache.Close(), eng.Close()); err != nil {
		t.Error(err)
	}
}
