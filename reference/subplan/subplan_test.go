package subplan_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"github.com/mapguard/mapguard/reference/fixed/plan"
	"github.com/mapguard/mapguard/reference/lifecycle"
	"github.com/mapguard/mapguard/reference/subplan"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var errWork = errors.New("no disk")

// newParent returns a service with one plan.
func newParent(t *testing.T) (*plan.Service, lifecycle.Plan) {
	t.Helper()
	ctx := t.Context()
	plans := plan.New(plan.Config{})
	if _, err := plans.CreateAction(ctx, lifecycle.ActionSpec{Name: "a/b", DefinitionOfDone: "done"}); err != nil {
		t.Fatal(err)
	}
	if _, err := plans.Publish(ctx, "a/b"); err != nil {
		t.Fatal(err)
	}
	parent, err := plans.Use(ctx, lifecycle.Usage{Action: "a/b", Projects: []string{"all"}})
	if err != nil {
		t.Fatal(err)
	}
	return plans, parent
}

// usages returns n usages, the i-th of project i.
func usages(n int) []lifecycle.Usage {
	all := make([]lifecycle.Usage, n)
	for i := range all {
		all[i] = lifecycle.Usage{Action: "a/b", Projects: []string{fmt.Sprint(i)}}
	}
	return all
}

func newExecutor(t *testing.T, plans subplan.Plans, run subplan.Run, options subplan.Options) *subplan.Executor {
	t.Helper()
	executor, err := subplan.NewExecutor(plans, run, options)
	if err != nil {
		t.Fatal(err)
	}
	return executor
}

// TestAsManyAsAllowedRunAtATime lets each child wait until as many run as may.
func TestAsManyAsAllowedRunAtATime(t *testing.T) {
	for options, want := range map[subplan.Options]int{
		{}:                              subplan.DefaultParallel,
		{Parallel: 1}:                   1,
		{Parallel: subplan.MaxParallel}: subplan.MaxParallel,
	} {
		plans, parent := newParent(t)
		var running, begun atomic.Int64
		var together sync.WaitGroup
		together.Add(want)
		executor := newExecutor(t, plans, func(ctx context.Context, planID string) (lifecycle.Plan, error) {
			if now := running.Add(1); now > int64(want) {
				t.Errorf("%d children run at a time, want %d at most", now, want)
			}
			defer running.Add(-1)
			if begun.Add(1) <= int64(want) {
				together.Done()
				together.Wait()
			}
			return plans.Start(ctx, planID, lifecycle.PhaseAction)
		}, options)
		results, err := executor.Execute(t.Context(), parent.ID, usages(2*want+1))
		if err != nil {
			t.Error(err)
		}
		for i, result := range results {
			if result.Plan.Projects[0] != fmt.Sprint(i) || result.Plan.Parent != parent.ID ||
				result.Plan.Stage.State != lifecycle.Processing {
				t.Errorf("child %d: %+v", i, result)
			}
		}
	}
}

func TestTheFirstFailureStopsTheOthers(t *testing.T) {
	plans, parent := newParent(t)
	executor := newExecutor(t, plans, func(_ context.Context, planID string) (lifecycle.Plan, error) {
		return lifecycle.Plan{}, errWork
	}, subplan.Options{Parallel: 1})
	results, err := executor.Execute(t.Context(), parent.ID, usages(3))
	if !errors.Is(err, errWork) || !errors.Is(results[0].Err, errWork) || results[0].Plan.ID == "" {
		t.Errorf("%+v, %v", results, err)
	}
	for _, result := range results[1:] {
		if result.Err != nil || result.Plan.Stage.State != lifecycle.Cancelled || result.Plan.Reason != "a sibling failed" {
			t.Errorf("%+v", result)
		}
	}
}

func TestTheOthersGoOn(t *testing.T) {
	plans, parent := newParent(t)
	var runs atomic.Int64
	executor := newExecutor(t, plans, func(_ context.Context, planID string) (lifecycle.Plan, error) {
		runs.Add(1)
		return lifecycle.Plan{}, errWork
	}, subplan.Options{ContinueOnError: true})
	results, err := executor.Execute(t.Context(), parent.ID, usages(9))
	if !errors.Is(err, errWork) || runs.Load() != 9 || len(results) != 9 {
		t.Errorf("%d of %d children ran, %v", runs.Load(), len(results), err)
	}
}

func TestExecuteRefuses(t *testing.T) {
	for _, parallel := range []int{-1, subplan.MaxParallel + 1} {
		if _, err := subplan.NewExecutor(nil, nil, subplan.Options{Parallel: parallel}); !errors.Is(err, lifecycle.ErrInvalid) {
			t.Errorf("%d at a time: %v", parallel, err)
		}
	}
	ctx := t.Context()
	plans, parent := newParent(t)
	executor := newExecutor(t, plans, nil, subplan.Options{})
	if _, err := executor.Execute(ctx, "none", nil); !errors.Is(err, lifecycle.ErrUnknown) {
		t.Errorf("no such parent: %v", err)
	}
	bad := usages(3)
	bad[2].Action = "no/such"
	if _, err := executor.Execute(ctx, parent.ID, bad); !errors.Is(err, lifecycle.ErrUnknown) {
		t.Errorf("no such action: %v", err)
	}
	cancelled, err := plans.Plans(ctx, lifecycle.Filter{Parent: parent.ID, State: lifecycle.Cancelled})
	if err != nil || len(cancelled) != 2 {
		t.Errorf("%d children were cancelled, want 2, %v", len(cancelled), err)
	}
	if _, err := plans.Cancel(ctx, parent.ID, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := executor.Execute(ctx, parent.ID, usages(1)); !errors.Is(err, lifecycle.ErrNotReady) {
		t.Errorf("cancelled parent: %v", err)
	}
}

// TestAChildThatCannotBeCancelled has someone settle the fate of the second
// child while the first fails.
func TestAChildThatCannotBeCancelled(t *testing.T) {
	plans, parent := newParent(t)
	executor := newExecutor(t, plans, func(ctx context.Context, planID string) (lifecycle.Plan, error) {
		children, err := plans.Plans(ctx, lifecycle.Filter{Parent: parent.ID})
		if err != nil {
			return lifecycle.Plan{}, err
		}
		_, err = plans.Cancel(ctx, children[1].ID, "")
		return lifecycle.Plan{}, errors.Join(errWork, err)
	}, subplan.Options{Parallel: 1})
	results, err := executor.Execute(t.Context(), parent.ID, usages(2))
	if !errors.Is(err, errWork) || !errors.Is(results[1].Err, lifecycle.ErrNotReady) {
		t.Errorf("%+v, %v", results, err)
	}
}
