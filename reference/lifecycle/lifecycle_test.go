package lifecycle_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mapguard/mapguard/reference/lifecycle"
)

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func TestNewActionIsADraftThatOwnsItsArguments(t *testing.T) {
	spec := lifecycle.ActionSpec{
		Name:             "ops/patch",
		Description:      "patch hosts",
		DefinitionOfDone: "all are patched",
		Arguments:        []lifecycle.Argument{{Name: "host", Required: true}},
	}
	action, err := lifecycle.NewAction(spec, now)
	if err != nil {
		t.Fatal(err)
	}
	spec.Arguments[0].Name = "changed"
	if action.Arguments[0].Name != "host" {
		t.Error("the action shares its arguments with the specification")
	}
	if action.Status != lifecycle.Draft || !action.CreatedAt.Equal(now) || !action.UpdatedAt.Equal(now) {
		t.Errorf("new action: %+v", action)
	}
	action.Clone().Arguments[0].Name = "changed"
	if action.Arguments[0].Name != "host" {
		t.Error("the clone shares its arguments")
	}
}

func TestNewActionRefuses(t *testing.T) {
	twice := []lifecycle.Argument{{Name: "a"}, {Name: "a"}}
	for name, spec := range map[string]lifecycle.ActionSpec{
		"no name":                 {DefinitionOfDone: "done"},
		"no namespace":            {Name: "patch", DefinitionOfDone: "done"},
		"upper case":              {Name: "Ops/patch", DefinitionOfDone: "done"},
		"no definition of done":   {Name: "ops/patch"},
		"argument without a name": {Name: "ops/patch", DefinitionOfDone: "done", Arguments: make([]lifecycle.Argument, 1)},
		"argument twice":          {Name: "ops/patch", DefinitionOfDone: "done", Arguments: twice},
	} {
		if _, err := lifecycle.NewAction(spec, now); !errors.Is(err, lifecycle.ErrInvalid) {
			t.Errorf("%s: %v, want an invalid action", name, err)
		}
	}
}

func TestStatusOfAnAction(t *testing.T) {
	later := now.Add(time.Hour)
	draft := lifecycle.Action{Name: "ops/patch", Status: lifecycle.Draft}
	available, err := draft.Publish(later)
	if err != nil || available.Status != lifecycle.Available || !available.UpdatedAt.Equal(later) {
		t.Errorf("published: %+v, %v", available, err)
	}
	if _, err := available.Publish(later); !errors.Is(err, lifecycle.ErrNotReady) {
		t.Errorf("published twice: %v", err)
	}
	archived, err := available.Archive(later)
	if err != nil || archived.Status != lifecycle.Archived {
		t.Errorf("archived: %+v, %v", archived, err)
	}
	if _, err := archived.Archive(later); !errors.Is(err, lifecycle.ErrNotReady) {
		t.Errorf("archived twice: %v", err)
	}
}

func TestResolveArguments(t *testing.T) {
	action := lifecycle.Action{Name: "ops/patch", Arguments: []lifecycle.Argument{
		{Name: "host", Required: true},
		{Name: "mode", Default: "fast"},
	}}
	values, err := action.Resolve(map[string]string{"host": "db1"})
	if want := map[string]string{"host": "db1", "mode": "fast"}; err != nil || !reflect.DeepEqual(values, want) {
		t.Errorf("resolved %v, %v, want %v", values, err, want)
	}
	if _, err := action.Resolve(nil); !errors.Is(err, lifecycle.ErrInvalid) {
		t.Errorf("required argument missing: %v", err)
	}
	if _, err := action.Resolve(map[string]string{"host": "db1", "port": "1"}); !errors.Is(err, lifecycle.ErrInvalid) {
		t.Errorf("unknown argument: %v", err)
	}
}

func TestNewPlan(t *testing.T) {
	action := lifecycle.Action{Name: "ops/patch", Status: lifecycle.Available}
	usage := lifecycle.Usage{Projects: []string{"a", "b"}}
	plan, err := lifecycle.NewPlan("id", action, usage, now)
	if err != nil {
		t.Fatal(err)
	}
	if plan.Stage != (lifecycle.Stage{Phase: lifecycle.PhaseAction, State: lifecycle.Queued}) {
		t.Errorf("a new plan is %s", plan.Stage)
	}
	usage.Projects[0] = "changed"
	clone := plan.Clone()
	clone.Projects[0] = "changed"
	if plan.Projects[0] != "a" {
		t.Error("the plan shares its projects")
	}
	for name, bad := range map[string]lifecycle.Usage{
		"no project":          {},
		"project has no name": {Projects: []string{""}},
		"unknown argument":    {Projects: []string{"a"}, Arguments: map[string]string{"x": "y"}},
	} {
		if _, err := lifecycle.NewPlan("id", action, bad, now); !errors.Is(err, lifecycle.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	action.Status = lifecycle.Draft
	if _, err := lifecycle.NewPlan("id", action, usage, now); !errors.Is(err, lifecycle.ErrNotReady) {
		t.Errorf("plan of a draft: %v", err)
	}
}

func TestTakeNotesWhen(t *testing.T) {
	plan := lifecycle.Plan{ID: "p", Stage: lifecycle.Stage{Phase: lifecycle.PhaseExecute, State: lifecycle.Queued}}
	at := now
	take := func(event lifecycle.Event, reason string) {
		t.Helper()
		at = at.Add(time.Minute)
		next, err := plan.Take(lifecycle.Step{Event: event, Phase: plan.Stage.Phase, Reason: reason}, at)
		if err != nil {
			t.Fatal(err)
		}
		if !next.UpdatedAt.Equal(at) || next.Reason != reason {
			t.Errorf("%s: %+v", event, next)
		}
		plan = next
	}
	take(lifecycle.Start, "")
	started := at
	take(lifecycle.Fail, "no disk")
	if !plan.StartedAt.Equal(started) || !plan.FinishedAt.Equal(at) {
		t.Errorf("failed plan: %+v", plan)
	}
	take(lifecycle.Retry, "")
	if !plan.StartedAt.IsZero() || !plan.FinishedAt.IsZero() {
		t.Errorf("queued plan: %+v", plan)
	}
}

func TestTakeRefuses(t *testing.T) {
	plan := lifecycle.Plan{ID: "p", Stage: lifecycle.Stage{Phase: lifecycle.PhaseExecute, State: lifecycle.Queued}}
	for _, c := range []struct {
		name string
		step lifecycle.Step
		want error
	}{
		{"no such event", lifecycle.Step{Event: "explode"}, lifecycle.ErrInvalid},
		{"no such phase", lifecycle.Step{Event: lifecycle.Start, Phase: "rest"}, lifecycle.ErrInvalid},
		{"another phase", lifecycle.Step{Event: lifecycle.Start, Phase: lifecycle.PhaseApply}, lifecycle.ErrNotReady},
		{"not in the table", lifecycle.Step{Event: lifecycle.Settle}, lifecycle.ErrNotReady},
	} {
		if _, err := plan.Take(c.step, now); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

func TestFilter(t *testing.T) {
	plan := lifecycle.Plan{
		Parent:   "parent",
		Projects: []string{"a", "b"},
		Stage:    lifecycle.Stage{Phase: lifecycle.PhaseApply, State: lifecycle.Applied},
	}
	for filter, want := range map[lifecycle.Filter]bool{
		{}:                              true,
		{Phase: lifecycle.PhaseApply}:   true,
		{Phase: lifecycle.PhaseExecute}: false,
		{State: lifecycle.Applied}:      true,
		{State: lifecycle.Queued}:       false,
		{Project: "b"}:                  true,
		{Project: "c"}:                  false,
		{Parent: "parent"}:              true,
		{Parent: "other"}:               false,
		{Project: "a", Phase: lifecycle.PhaseExecute}: false,
	} {
		if filter.Matches(plan) != want {
			t.Errorf("%+v matches: %v, want %v", filter, !want, want)
		}
	}
}

func TestErrors(t *testing.T) {
	err := lifecycle.NotReady("plan", "p", "it is cancelled")
	var typed *lifecycle.Error
	if !errors.As(err, &typed) || typed.ID != "p" || !errors.Is(err, lifecycle.ErrNotReady) {
		t.Errorf("%#v", err)
	}
	if got, want := err.Error(), `plan "p": not ready: it is cancelled`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := lifecycle.Unknown("plan", "p").Error(), `plan "p": unknown`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if !errors.Is(lifecycle.Duplicate("plan", "p"), lifecycle.ErrDuplicate) {
		t.Error("a duplicate is no duplicate")
	}
}

// walk draws a way of a plan through the table of moves, however long, and
// calls check at each event that was drawn.
func walk(t *rapid.T, check func(from lifecycle.Stage, event lifecycle.Event, to lifecycle.Plan, err error)) {
	plan := lifecycle.Plan{ID: "p", Stage: lifecycle.Stage{Phase: lifecycle.PhaseAction, State: lifecycle.Queued}}
	for _, event := range rapid.SliceOfN(rapid.SampledFrom(lifecycle.Events()), 0, 60).Draw(t, "events") {
		next, err := plan.Take(lifecycle.Step{Event: event}, now)
		check(plan.Stage, event, next, err)
		if err == nil {
			plan = next
		}
	}
}

func TestEveryWayKeepsToTheTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		walk(t, func(from lifecycle.Stage, event lifecycle.Event, to lifecycle.Plan, err error) {
			want, ok := lifecycle.Next(from, event)
			if ok != (err == nil) || ok && to.Stage != want {
				t.Fatalf("%s from %s led to %s, %v; the table says %s, %v", event, from, to.Stage, err, want, ok)
			}
			if !ok && !errors.Is(err, lifecycle.ErrNotReady) {
				t.Fatalf("%s from %s was refused with %v", event, from, err)
			}
		})
	})
}

func TestPhasesFollowOneAnother(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		walk(t, func(from lifecycle.Stage, event lifecycle.Event, to lifecycle.Plan, err error) {
			if err != nil || to.Stage.Phase == from.Phase {
				return
			}
			phases := lifecycle.Phases()
			before, after := slices.Index(phases, from.Phase), slices.Index(phases, to.Stage.Phase)
			forward := event == lifecycle.Advance && from.State == lifecycle.Complete && after == before+1
			back := event == lifecycle.Revert && to.Stage.Phase == lifecycle.PhaseStrategize && before > after
			if !forward && !back || to.Stage.State != lifecycle.Queued {
				t.Fatalf("%s led from %s to %s", event, from, to.Stage)
			}
		})
	})
}

func TestStatesOfTheApplyPhaseAndTheEnd(t *testing.T) {
	for _, phase := range lifecycle.Phases() {
		for _, state := range lifecycle.States() {
			from := lifecycle.Stage{Phase: phase, State: state}
			ways := 0
			for _, event := range lifecycle.Events() {
				to, ok := lifecycle.Next(from, event)
				if !ok {
					continue
				}
				ways++
				ofApply := to.State == lifecycle.Constrained || to.State == lifecycle.Applied
				if ofApply && to.Phase != lifecycle.PhaseApply {
					t.Errorf("%s leads from %s to %s", event, from, to)
				}
			}
			ofApply := state == lifecycle.Constrained || state == lifecycle.Applied
			unreachable := ofApply && phase != lifecycle.PhaseApply
			if (from.Terminal() || unreachable) != (ways == 0) {
				t.Errorf("%d ways lead out of %s", ways, from)
			}
		}
	}
}
