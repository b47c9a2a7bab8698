package behaviour

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/mapguard/mapguard/reference/engine"
	"github.com/mapguard/mapguard/reference/gate"
	"github.com/mapguard/mapguard/reference/internal/form"
	"github.com/mapguard/mapguard/reference/job"
	"github.com/mapguard/mapguard/reference/lifecycle"
	"github.com/mapguard/mapguard/reference/runner"
	"github.com/mapguard/mapguard/reference/sqlite"
	"github.com/mapguard/mapguard/reference/subplan"
	"github.com/mapguard/mapguard/reference/worker"
)

const (
	servicePlans    = 20
	serviceChildren = 8
)

// TestWholeService lets the worker carry plans to their end, each of which
// executes subplans in its execute phase, all on a few projects.
func TestWholeService(t *testing.T) {
	for name, url := range map[string]string{
		"in memory": "memory:service",
		"on a file": filepath.Join(t.TempDir(), "service.db"),
	} {
		t.Run(name, func(t *testing.T) {
			defer goleak.VerifyNone(t)
			wholeService(t, form.Fixed(), url)
		})
	}
}

func wholeService(t *testing.T, service form.Form, url string) {
	ctx := t.Context()
	if err := service.Migrate(ctx, url, sqlite.Open); err != nil {
		t.Fatal(err)
	}
	unit, err := service.OpenUnit(ctx, url, sqlite.Open)
	if err != nil {
		t.Fatal(err)
	}
	plans := service.NewPlans(form.PlansConfig{Unit: unit})
	parents := newParents(t, plans)
	finished := make(chan job.Job, servicePlans)
	pool, err := worker.Start(unit, service.NewRegistry(), newRunner(t, service, plans).Handle,
		worker.Config{Finished: func(j job.Job) { finished <- j }})
	if err != nil {
		t.Fatal(err)
	}
	for _, planID := range parents {
		if _, err := pool.Submit(ctx, planID); err != nil {
			t.Error(err)
		}
	}
	for range parents {
		if j := <-finished; j.State != job.Succeeded {
			t.Errorf("job %s of plan %s: %s: %s", j.ID, j.PlanID, j.State, j.Error)
		}
	}
	if err := pool.Shutdown(ctx); err != nil {
		t.Error(err)
	}
	applied, err := plans.Plans(ctx, lifecycle.Filter{State: lifecycle.Applied})
	if want := servicePlans * (1 + serviceChildren); err != nil || len(applied) != want {
		t.Errorf("%d plans were applied, want %d, %v", len(applied), want, err)
	}
	if err := unit.Close(); err != nil {
		t.Error(err)
	}
	if err := engine.Dispose(url); err != nil {
		t.Error(err)
	}
}

// newParents makes the plans that the worker is to carry to their end.
func newParents(t *testing.T, plans form.Plans) []string {
	t.Helper()
	ctx := t.Context()
	if _, err := plans.CreateAction(ctx, lifecycle.ActionSpec{Name: "ops/patch", DefinitionOfDone: "done"}); err != nil {
		t.Fatal(err)
	}
	if _, err := plans.Publish(ctx, "ops/patch"); err != nil {
		t.Fatal(err)
	}
	var planIDs []string
	for i := range servicePlans {
		plan, err := plans.Use(ctx, lifecycle.Usage{Action: "ops/patch", Projects: projectsOf(i)})
		if err != nil {
			t.Fatal(err)
		}
		planIDs = append(planIDs, plan.ID)
	}
	return planIDs
}

// projectsOf returns the projects of the i-th plan: two of five, so that plans
// meet at their gates.
func projectsOf(i int) []string {
	return []string{fmt.Sprint("project-", i%5), fmt.Sprint("project-", (i+2)%5)}
}

// newRunner returns a runner whose work is, in the execute phase of a plan that
// has no parent, to execute its subplans.
func newRunner(t *testing.T, service form.Form, plans form.Plans) *runner.Runner {
	t.Helper()
	gates := service.NewGates(gate.New)
	leaves := runner.New(plans, gates, func(context.Context, lifecycle.Plan) error { return nil })
	children, err := subplan.NewExecutor(plans, func(ctx context.Context, planID string) (lifecycle.Plan, error) {
		return leaves.Run(ctx, planID, func() {})
	}, subplan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return runner.New(plans, gates, func(ctx context.Context, plan lifecycle.Plan) error {
		if plan.Stage.Phase != lifecycle.PhaseExecute {
			return nil
		}
		usages := make([]lifecycle.Usage, serviceChildren)
		for i := range usages {
			usages[i] = lifecycle.Usage{Action: plan.Action, Projects: projectsOf(i)}
		}
		_, err := children.Execute(ctx, plan.ID, usages)
		return err
	})
}
