package behaviour

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"github.com/mapguard/mapguard/reference/engine"
	"github.com/mapguard/mapguard/reference/internal/form"
	"github.com/mapguard/mapguard/reference/lifecycle"
	"github.com/mapguard/mapguard/reference/sqlite"
)

const (
	loadWorkers    = 16
	loadOperations = 10_000
	// Each round of a worker is this many operations.
	operationsPerRound = 5
)

// counted counts the engines that a factory opens.
func counted(opened *atomic.Int64, open engine.Factory) engine.Factory {
	return func(ctx context.Context, url string) (*engine.Engine, error) {
		opened.Add(1)
		return open(ctx, url)
	}
}

// TestLoadInMemory lets every worker come with a unit of work of its own on one
// in-memory URL, so that all of them meet at the engine cache.
func TestLoadInMemory(t *testing.T) {
	defer goleak.VerifyNone(t)
	const url = "memory:load"
	var opened atomic.Int64
	open := counted(&opened, sqlite.Open)
	load(t, url, open, func() form.Plans {
		unit, err := form.Fixed().OpenUnit(t.Context(), url, open)
		if err != nil {
			t.Error(err)
		}
		return form.Fixed().NewPlans(form.PlansConfig{Unit: unit})
	})
	if opened.Load() != 1 {
		t.Errorf("%d engines were opened, want 1", opened.Load())
	}
	if err := engine.Dispose(url); err != nil {
		t.Error(err)
	}
}

// TestLoadOnFile lets all workers share one service on a file.
func TestLoadOnFile(t *testing.T) {
	defer goleak.VerifyNone(t)
	url := filepath.Join(t.TempDir(), "load.db")
	var opened atomic.Int64
	open := counted(&opened, sqlite.Open)
	unit, err := form.Fixed().OpenUnit(t.Context(), url, open)
	if err != nil {
		t.Fatal(err)
	}
	plans := form.Fixed().NewPlans(form.PlansConfig{Unit: unit})
	load(t, url, sqlite.Open, func() form.Plans { return plans })
	if opened.Load() != 1 {
		t.Errorf("%d engines were opened, want 1", opened.Load())
	}
	if err := unit.Close(); err != nil {
		t.Error(err)
	}
}

// TestLoadWithoutDatabase lets all workers share one service that keeps its two
// maps.
func TestLoadWithoutDatabase(t *testing.T) {
	defer goleak.VerifyNone(t)
	plans := form.Fixed().NewPlans(form.PlansConfig{})
	load(t, "", nil, func() form.Plans { return plans })
}

// load migrates the database of url, if any, runs the operations of all workers
// at once, each on what service returns to it, and checks that nothing of what
// they made is lost.
func load(t *testing.T, url string, open engine.Factory, service func() form.Plans) {
	t.Helper()
	ctx := t.Context()
	if url != "" {
		if err := form.Fixed().Migrate(ctx, url, open); err != nil {
			t.Fatal(err)
		}
	}
	names := make([][]string, loadWorkers)
	var workers sync.WaitGroup
	for w := range loadWorkers {
		workers.Go(func() {
			plans := service()
			for round := range loadOperations / loadWorkers / operationsPerRound {
				name := fmt.Sprintf("load/w%d-r%d", w, round)
				if err := oneRound(ctx, plans, name); err != nil {
					t.Error(err)
					return
				}
				names[w] = append(names[w], name)
			}
		})
	}
	workers.Wait()
	verifyNothingLost(t, service(), slices.Concat(names...))
}

// oneRound is one life of an action and a plan: operationsPerRound operations.
func oneRound(ctx context.Context, plans form.Plans, name string) error {
	if _, err := plans.CreateAction(ctx, lifecycle.ActionSpec{Name: name, DefinitionOfDone: "done"}); err != nil {
		return err
	}
	if _, err := plans.Publish(ctx, name); err != nil {
		return err
	}
	plan, err := plans.Use(ctx, lifecycle.Usage{Action: name, Projects: []string{"project"}})
	if err != nil {
		return err
	}
	if _, err := plans.Start(ctx, plan.ID, lifecycle.PhaseAction); err != nil {
		return err
	}
	_, err = plans.Complete(ctx, plan.ID, lifecycle.PhaseAction)
	return err
}

// verifyNothingLost checks that the service has exactly the actions in names,
// each available, and one plan of each, which has gone through its first phase.
func verifyNothingLost(t *testing.T, plans form.Plans, names []string) {
	t.Helper()
	if len(names) != loadOperations/operationsPerRound {
		t.Errorf("%d rounds were run, want %d", len(names), loadOperations/operationsPerRound)
	}
	actions, err := plans.Actions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for _, action := range actions {
		if action.Status == lifecycle.Available {
			kept = append(kept, action.Name)
		}
	}
	slices.Sort(names)
	if !slices.Equal(kept, names) {
		t.Errorf("the service has %d actions, want %d", len(kept), len(names))
	}
	done, err := plans.Plans(t.Context(), lifecycle.Filter{Phase: lifecycle.PhaseAction, State: lifecycle.Complete})
	if err != nil {
		t.Fatal(err)
	}
	var used []string
	for _, plan := range done {
		used = append(used, plan.Action)
	}
	slices.Sort(used)
	if !slices.Equal(used, names) {
		t.Errorf("the service has %d plans, want %d", len(used), len(names))
	}
}
