package runner_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"go.uber.org/goleak"

	"github.com/mapguard/mapguard/reference/fixed/gates"
	"github.com/mapguard/mapguard/reference/fixed/plan"
	"github.com/mapguard/mapguard/reference/gate"
	"github.com/mapguard/mapguard/reference/job"
	"github.com/mapguard/mapguard/reference/lifecycle"
	"github.com/mapguard/mapguard/reference/runner"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var errWork = errors.New("no disk")

// newPlan returns a service with one plan, of two projects, one named twice.
func newPlan(t *testing.T) (*plan.Service, string) {
	t.Helper()
	ctx := t.Context()
	plans := plan.New(plan.Config{})
	if _, err := plans.CreateAction(ctx, lifecycle.ActionSpec{Name: "a/b", DefinitionOfDone: "done"}); err != nil {
		t.Fatal(err)
	}
	if _, err := plans.Publish(ctx, "a/b"); err != nil {
		t.Fatal(err)
	}
	made, err := plans.Use(ctx, lifecycle.Usage{Action: "a/b", Projects: []string{"y", "x", "y"}})
	if err != nil {
		t.Fatal(err)
	}
	return plans, made.ID
}

// failingIn returns work that fails with err in one phase.
func failingIn(phase lifecycle.Phase, err error) runner.Work {
	return func(_ context.Context, current lifecycle.Plan) error {
		if current.Stage.Phase == phase {
			return err
		}
		return nil
	}
}

func TestAPlanGoesThroughAllPhases(t *testing.T) {
	plans, planID := newPlan(t)
	set := gates.New(gate.New)
	var phases []lifecycle.Phase
	r := runner.New(plans, set, func(_ context.Context, current lifecycle.Plan) error {
		phases = append(phases, current.Stage.Phase)
		inApply := current.Stage.Phase == lifecycle.PhaseApply
		for _, project := range current.Projects {
			entered := set.Of(project).TryEnter()
			if entered == inApply {
				t.Errorf("in %s, someone else can enter project %s: %v", current.Stage.Phase, project, entered)
			}
			if entered {
				set.Of(project).Leave()
			}
		}
		return nil
	})
	beats := 0
	done, err := r.Run(t.Context(), planID, func() { beats++ })
	if err != nil || done.Stage.State != lifecycle.Applied {
		t.Errorf("the plan is %s, %v", done.Stage, err)
	}
	if !reflect.DeepEqual(phases, lifecycle.Phases()) || beats != len(phases) {
		t.Errorf("phases %v, %d beats", phases, beats)
	}
	if again, err := r.Run(t.Context(), planID, func() {}); err != nil || again.Stage != done.Stage {
		t.Errorf("run again: %s, %v", again.Stage, err)
	}
}

func TestWorkThatFails(t *testing.T) {
	for _, c := range []struct {
		name  string
		phase lifecycle.Phase
		err   error
		want  lifecycle.Stage
	}{
		{"in execute", lifecycle.PhaseExecute, errWork, lifecycle.Stage{Phase: lifecycle.PhaseExecute, State: lifecycle.Errored}},
		{"in apply", lifecycle.PhaseApply, errWork, lifecycle.Stage{Phase: lifecycle.PhaseApply, State: lifecycle.Errored}},
		{"in part", lifecycle.PhaseApply, fmt.Errorf("%w: %w", runner.ErrPartial, errWork),
			lifecycle.Stage{Phase: lifecycle.PhaseApply, State: lifecycle.Constrained}},
	} {
		t.Run(c.name, func(t *testing.T) {
			plans, planID := newPlan(t)
			r := runner.New(plans, gates.New(gate.New), failingIn(c.phase, c.err))
			after, err := r.Run(t.Context(), planID, func() {})
			if !errors.Is(err, errWork) || after.Stage != c.want || after.Reason != c.err.Error() {
				t.Errorf("the plan is %s, %v", after.Stage, err)
			}
			if _, err := r.Run(t.Context(), planID, func() {}); !errors.Is(err, lifecycle.ErrNotReady) {
				t.Errorf("run again: %v", err)
			}
		})
	}
}

// gatesOf makes gates of a function.
type gatesOf func(project string) *gate.Gate

// Of returns the gate of a project.
func (g gatesOf) Of(project string) *gate.Gate { return g(project) }

// TestAnEndedRunKeepsWhatItDid has the context end in the work of a phase, which
// succeeds: the phase is complete, and the plan stays there.
func TestAnEndedRunKeepsWhatItDid(t *testing.T) {
	plans, planID := newPlan(t)
	ctx, end := context.WithCancel(t.Context())
	r := runner.New(plans, gates.New(gate.New), func(context.Context, lifecycle.Plan) error {
		end()
		return nil
	})
	after, err := r.Run(ctx, planID, func() {})
	want := lifecycle.Stage{Phase: lifecycle.PhaseAction, State: lifecycle.Complete}
	if !errors.Is(err, context.Canceled) || after.Stage != want {
		t.Errorf("the plan is %s, %v", after.Stage, err)
	}
}

func TestTheGateOfAProjectIsWaitedFor(t *testing.T) {
	plans, planID := newPlan(t)
	set := gates.New(gate.New)
	if !set.Of("y").TryEnter() {
		t.Fatal("the gate is shut")
	}
	ctx, end := context.WithCancel(t.Context())
	r := runner.New(plans, gatesOf(func(project string) *gate.Gate {
		if project == "y" {
			end()
		}
		return set.Of(project)
	}), func(context.Context, lifecycle.Plan) error { return nil })
	after, err := r.Run(ctx, planID, func() {})
	if !errors.Is(err, context.Canceled) || after.Stage.State != lifecycle.Errored {
		t.Errorf("the plan is %s, %v", after.Stage, err)
	}
	if !set.Of("x").TryEnter() {
		t.Error("the gate of the other project was not left")
	}
}

func TestServiceThatRefuses(t *testing.T) {
	plans, planID := newPlan(t)
	r := runner.New(plans, gates.New(gate.New), func(ctx context.Context, current lifecycle.Plan) error {
		_, err := plans.Cancel(ctx, current.ID, "given up meanwhile")
		return errors.Join(errWork, err)
	})
	if _, err := r.Run(t.Context(), planID, func() {}); !errors.Is(err, errWork) || !errors.Is(err, lifecycle.ErrNotReady) {
		t.Errorf("cancelled meanwhile: %v", err)
	}
	if _, err := r.Run(t.Context(), "none", func() {}); !errors.Is(err, lifecycle.ErrUnknown) {
		t.Errorf("no such plan: %v", err)
	}
	plans, planID = newPlan(t)
	r = runner.New(plans, gates.New(gate.New), failingIn("", nil))
	_, err := r.Run(t.Context(), planID, func() {
		// Someone else is faster.
		if _, err := plans.Start(t.Context(), planID, lifecycle.PhaseAction); err != nil {
			t.Error(err)
		}
	})
	if !errors.Is(err, lifecycle.ErrNotReady) {
		t.Errorf("started meanwhile: %v", err)
	}
}

func TestAJobThatWasInterrupted(t *testing.T) {
	ctx := t.Context()
	plans, planID := newPlan(t)
	r := runner.New(plans, gates.New(gate.New), failingIn("", nil))
	if _, err := plans.Start(ctx, planID, lifecycle.PhaseAction); err != nil {
		t.Fatal(err)
	}
	first, second := job.Job{PlanID: planID, Attempts: 1}, job.Job{PlanID: planID, Attempts: 2}
	if err := r.Handle(ctx, first, func() {}); !errors.Is(err, lifecycle.ErrNotReady) {
		t.Errorf("someone else is at it: %v", err)
	}
	if err := r.Handle(ctx, second, func() {}); err != nil {
		t.Error(err)
	}
	if done, err := plans.Plan(ctx, planID); err != nil || done.Stage.State != lifecycle.Applied {
		t.Errorf("the plan is %s, %v", done.Stage, err)
	}
	if err := r.Handle(ctx, job.Job{PlanID: "none", Attempts: 2}, func() {}); !errors.Is(err, lifecycle.ErrUnknown) {
		t.Errorf("no such plan: %v", err)
	}
}

// losing is a service in which someone else is always faster to fail a plan.
type losing struct{ *plan.Service }

// Fail refuses.
func (losing) Fail(context.Context, string, lifecycle.Phase, string) (lifecycle.Plan, error) {
	return lifecycle.Plan{}, lifecycle.NotReady("plan", "p", "someone else was faster")
}

func TestAJobThatWasInterruptedIsResumedByOne(t *testing.T) {
	plans, planID := newPlan(t)
	if _, err := plans.Start(t.Context(), planID, lifecycle.PhaseAction); err != nil {
		t.Fatal(err)
	}
	r := runner.New(losing{plans}, gates.New(gate.New), failingIn("", nil))
	err := r.Handle(t.Context(), job.Job{PlanID: planID, Attempts: 2}, func() {})
	if !errors.Is(err, lifecycle.ErrNotReady) {
		t.Errorf("resumed by two: %v", err)
	}
}
