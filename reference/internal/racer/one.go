package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mapguard/mapguard/reference/engine"
	"github.com/mapguard/mapguard/reference/gate"
	"github.com/mapguard/mapguard/reference/internal/form"
	"github.com/mapguard/mapguard/reference/lifecycle"
	"github.com/mapguard/mapguard/reference/sqlite"
	"github.com/mapguard/mapguard/reference/workspace"
)

// The programs called "one" have a crowd do the same thing at the same time in
// each round, of which one must succeed, or all get the same.

// crowd is how many goroutines do the same.
const crowd = 8

var errFactory = errors.New("no engine today")

// atOnce calls do in a crowd of goroutines that start together.
func atOnce(do func(i int)) {
	start := make(chan struct{})
	var goroutines sync.WaitGroup
	for i := range crowd {
		goroutines.Go(func() {
			<-start
			do(i)
		})
	}
	close(start)
	goroutines.Wait()
}

// oneWins lets a crowd do the same, which must succeed for one.
func oneWins(what string, do func() error) error {
	var won atomic.Int64
	atOnce(func(int) {
		if do() == nil {
			won.Add(1)
		}
	})
	if won.Load() != 1 {
		return fmt.Errorf("%s: %d of %d were told that they succeeded, want 1", what, won.Load(), crowd)
	}
	return nil
}

// allGet lets a crowd get something, which must be the same for all.
func allGet[T comparable](what string, get func() (T, error)) (T, error) {
	var got [crowd]T
	var errs [crowd]error
	atOnce(func(i int) { got[i], errs[i] = get() })
	if err := errors.Join(errs[:]...); err != nil {
		return got[0], err
	}
	for _, other := range got {
		if other != got[0] {
			return got[0], fmt.Errorf("%s: they are two", what)
		}
	}
	return got[0], nil
}

func oneAction(ctx context.Context, service form.Form) error {
	s := service.NewPlans(form.PlansConfig{Now: func() time.Time {
		runtime.Gosched() // others may come between look and act
		return time.Unix(0, 0)
	}})
	for round := range rounds {
		name := fmt.Sprintf("one/r%d", round)
		err := oneWins("create", func() error {
			_, err := s.CreateAction(ctx, lifecycle.ActionSpec{Name: name, DefinitionOfDone: "done"})
			return err
		})
		if err != nil {
			return err
		}
		if err := oneWins("publish", func() error { _, err := s.Publish(ctx, name); return err }); err != nil {
			return err
		}
		made, err := s.Use(ctx, lifecycle.Usage{Action: name, Projects: []string{"project"}})
		if err != nil {
			return err
		}
		if err := oneWins("start", func() error { _, err := s.Start(ctx, made.ID, lifecycle.PhaseAction); return err }); err != nil {
			return err
		}
		if err := oneWins("archive", func() error { _, err := s.Archive(ctx, name); return err }); err != nil {
			return err
		}
	}
	return onePlan(ctx, service)
}

// onePlan has plans made with a source of identifiers that repeats itself.
func onePlan(ctx context.Context, service form.Form) error {
	var round atomic.Int64
	s := service.NewPlans(form.PlansConfig{NewID: func() string {
		runtime.Gosched()
		return fmt.Sprint(round.Load())
	}})
	if _, err := s.CreateAction(ctx, lifecycle.ActionSpec{Name: "one/plan", DefinitionOfDone: "done"}); err != nil {
		return err
	}
	if _, err := s.Publish(ctx, "one/plan"); err != nil {
		return err
	}
	for range rounds {
		round.Add(1)
		err := oneWins("use", func() error {
			_, err := s.Use(ctx, lifecycle.Usage{Action: "one/plan", Projects: []string{"project"}})
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// oneJob begins a job in a crowd, and ends it while it beats: a beat must not
// bring it to life again.
func oneJob(_ context.Context, service form.Form) error {
	registry := service.NewRegistry()
	for round := range rounds {
		jobID := fmt.Sprint(round)
		if err := oneWins("begin", func() error { return registry.Begin(jobID, time.Unix(0, 0)) }); err != nil {
			return err
		}
		atOnce(func(i int) {
			if i == 0 {
				registry.End(jobID)
				return
			}
			for range 3 {
				_ = registry.Beat(jobID, time.Unix(int64(i), 0)) // refused after the end
			}
		})
		if _, ok := registry.Running()[jobID]; ok {
			return fmt.Errorf("job %s lives on after its end", jobID)
		}
	}
	return nil
}

func oneGate(_ context.Context, service form.Form) error {
	set := service.NewGates(func() *gate.Gate {
		runtime.Gosched()
		return gate.New()
	})
	for round := range rounds {
		_, err := allGet("gates", func() (*gate.Gate, error) { return set.Of(fmt.Sprint(round)), nil })
		if err != nil {
			return err
		}
	}
	return nil
}

// openings counts databases that are open.
type openings struct{ open atomic.Int64 }

// engine opens an engine on a database that counts.
func (o *openings) engine(_ context.Context, url string) (*engine.Engine, error) {
	o.open.Add(1)
	runtime.Gosched()
	return engine.New(url, sql.OpenDB(o), nil), nil
}

// Connect returns an error: nothing is asked of the database.
func (o *openings) Connect(context.Context) (driver.Conn, error) { return nil, errFactory }

// Driver returns nothing.
func (o *openings) Driver() driver.Driver { return nil }

// Close is called when the database is closed.
func (o *openings) Close() error {
	o.open.Add(-1)
	return nil
}

func oneReplica(ctx context.Context, service form.Form) error {
	var databases openings
	for range rounds {
		pool := service.NewReplicas(databases.engine)
		for _, url := range []string{"a", "b"} {
			_, err := allGet("replicas", func() (*engine.Engine, error) { return pool.Engine(ctx, url) })
			if err != nil {
				return err
			}
		}
		if err := pool.Close(); err != nil {
			return err
		}
		if open := databases.open.Load(); open != 0 {
			return fmt.Errorf("%d replicas are open after the pool was closed", open)
		}
	}
	return nil
}

// prepared keeps the statements that it prepares.
type prepared struct {
	db *sql.DB
	// mu protects all.
	mu  sync.Mutex
	all []*sql.Stmt
}

// PrepareContext prepares a statement.
func (p *prepared) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	runtime.Gosched()
	stmt, err := p.db.PrepareContext(ctx, query)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = append(p.all, stmt)
	return stmt, err
}

func oneStatement(ctx context.Context, service form.Form) error {
	eng, err := sqlite.Open(ctx, "memory:statements")
	if err != nil {
		return err
	}
	for round := range rounds / 4 {
		preparer := &prepared{db: eng.DB()}
		cache := service.NewStatements(preparer)
		_, err := allGet("statements", func() (*sql.Stmt, error) {
			return cache.Statement(ctx, fmt.Sprintf("SELECT %d", round))
		})
		if err := errors.Join(err, cache.Close()); err != nil {
			return err
		}
		for _, stmt := range preparer.all {
			if rows, err := stmt.QueryContext(ctx); err == nil {
				return errors.Join(errors.New("a statement is open after the cache was closed"), rows.Close())
			}
		}
	}
	return eng.Close()
}

func oneEngine(ctx context.Context, service form.Form) error {
	var databases openings
	for round := range rounds {
		url := fmt.Sprintf("memory:one-%d", round)
		migrate := func() error { return service.MigrateBy(ctx, url, databases.engine, unschemed) }
		atOnce(func(int) { _ = migrate() })
		err := migrate()
		if open := databases.open.Load(); open != 1 {
			return fmt.Errorf("%d engines of one URL are open", open)
		}
		if err != nil {
			return err
		}
		// Some come back while the others dispose of what was there.
		atOnce(func(i int) {
			if i%2 == 0 {
				_ = migrate()
			}
			_ = engine.Dispose(url)
		})
		if open := databases.open.Load(); open != 0 {
			return fmt.Errorf("%d engines are open after the URL was disposed of", open)
		}
	}
	return nil
}

func oneWorkspace(_ context.Context, service form.Form) error {
	set := service.NewWorkspaces(func(planID string) (*workspace.Folder, error) {
		runtime.Gosched()
		return &workspace.Folder{}, nil
	})
	for round := range rounds {
		planID := fmt.Sprint(round)
		err := oneWins("claim", func() error {
			if !set.Claim(planID, "a") {
				return errRefused
			}
			return nil
		})
		if err != nil {
			return err
		}
		if _, err := allGet("folders", func() (*workspace.Folder, error) { return set.Folder(planID) }); err != nil {
			return err
		}
	}
	return nil
}

// onePhase begins phases of one plan in a crowd. It is a program of its own:
// the buggy form reads and writes the count under two locks, a race that ends a
// program before anything is done twice.
func onePhase(_ context.Context, service form.Form) error {
	set := service.NewWorkspaces(func(string) (*workspace.Folder, error) { return nil, errFactory })
	for round := range rounds {
		planID := fmt.Sprint(round)
		atOnce(func(int) { set.Begin(planID) })
		if begun := set.Begin(planID); begun != crowd+1 {
			return fmt.Errorf("%d phases were begun, want %d", begun, crowd+1)
		}
	}
	return nil
}

var errRefused = errors.New("refused")
