package form_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/mapguard/mapguard/reference/internal/form"
	"github.com/mapguard/mapguard/reference/internal/servicetest"
	"github.com/mapguard/mapguard/reference/lifecycle"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var atAction = lifecycle.Stage{Phase: lifecycle.PhaseAction, State: lifecycle.Queued}

// eachService runs a test on the plan service of both forms, in memory and on a
// database: one caller at a time, they do not differ.
func eachService(t *testing.T, test func(t *testing.T, plans form.Plans, clock *servicetest.Clock)) {
	for _, f := range form.All() {
		t.Run(f.Name+" in maps", func(t *testing.T) {
			clock := servicetest.NewClock()
			test(t, f.NewPlans(form.PlansConfig{Now: clock.Now}), clock)
		})
		t.Run(f.Name+" in a database", func(t *testing.T) {
			clock := servicetest.NewClock()
			test(t, f.NewPlans(form.PlansConfig{Unit: servicetest.Unit(t), Now: clock.Now}), clock)
		})
	}
}

// available creates an action and publishes it.
func available(t testing.TB, plans form.Plans, name string) {
	t.Helper()
	ctx := t.Context()
	_, err := plans.CreateAction(ctx, lifecycle.ActionSpec{
		Name:             name,
		DefinitionOfDone: "done",
		Arguments:        []lifecycle.Argument{{Name: "mode", Default: "fast"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plans.Publish(ctx, name); err != nil {
		t.Fatal(err)
	}
}

func TestActions(t *testing.T) {
	eachService(t, func(t *testing.T, plans form.Plans, clock *servicetest.Clock) {
		ctx := t.Context()
		available(t, plans, "ops/restart")
		created, err := plans.CreateAction(ctx, lifecycle.ActionSpec{Name: "ops/patch", DefinitionOfDone: "done"})
		if err != nil {
			t.Fatal(err)
		}
		clock.Advance(time.Minute)
		archived, err := plans.Archive(ctx, created.Name)
		if err != nil || archived.Status != lifecycle.Archived || !archived.UpdatedAt.Equal(clock.Now()) {
			t.Errorf("archived: %+v, %v", archived, err)
		}
		got, err := plans.Action(ctx, created.Name)
		if err != nil || !reflect.DeepEqual(got, archived) {
			t.Errorf("got %+v, %v", got, err)
		}
		all, err := plans.Actions(ctx)
		if err != nil || len(all) != 2 || all[0].Name != "ops/patch" || all[1].Name != "ops/restart" {
			t.Errorf("all: %+v, %v", all, err)
		}
	})
}

func TestActionsThatAreRefused(t *testing.T) {
	eachService(t, func(t *testing.T, plans form.Plans, _ *servicetest.Clock) {
		ctx := t.Context()
		available(t, plans, "ops/patch")
		spec := lifecycle.ActionSpec{Name: "ops/patch", DefinitionOfDone: "done"}
		if _, err := plans.CreateAction(ctx, spec); !errors.Is(err, lifecycle.ErrDuplicate) {
			t.Errorf("created twice: %v", err)
		}
		if _, err := plans.CreateAction(ctx, lifecycle.ActionSpec{Name: "patch"}); !errors.Is(err, lifecycle.ErrInvalid) {
			t.Errorf("created invalid: %v", err)
		}
		if _, err := plans.Publish(ctx, "ops/patch"); !errors.Is(err, lifecycle.ErrNotReady) {
			t.Errorf("published twice: %v", err)
		}
		if _, err := plans.Archive(ctx, "no/such"); !errors.Is(err, lifecycle.ErrUnknown) {
			t.Errorf("archived what is not there: %v", err)
		}
		if _, err := plans.Action(ctx, "no/such"); !errors.Is(err, lifecycle.ErrUnknown) {
			t.Errorf("got what is not there: %v", err)
		}
	})
}

func TestPlans(t *testing.T) {
	eachService(t, func(t *testing.T, plans form.Plans, _ *servicetest.Clock) {
		ctx := t.Context()
		available(t, plans, "ops/patch")
		first, err := plans.Use(ctx, lifecycle.Usage{Action: "ops/patch", Projects: []string{"a", "b"}})
		if err != nil || first.Arguments["mode"] != "fast" {
			t.Fatalf("%+v, %v", first, err)
		}
		child, err := plans.Use(ctx, lifecycle.Usage{Action: "ops/patch", Projects: []string{"b"}, Parent: first.ID})
		if err != nil {
			t.Fatal(err)
		}
		if first, err = plans.Start(ctx, first.ID, lifecycle.PhaseAction); err != nil {
			t.Fatal(err)
		}
		for filter, want := range map[lifecycle.Filter][]lifecycle.Plan{
			{}:                              {first, child},
			{Project: "a"}:                  {first},
			{Project: "b"}:                  {first, child},
			{State: lifecycle.Queued}:       {child},
			{State: lifecycle.Processing}:   {first},
			{Phase: lifecycle.PhaseExecute}: nil,
			{Parent: first.ID}:              {child},
		} {
			if got, err := plans.Plans(ctx, filter); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%+v selects %+v, %v", filter, got, err)
			}
		}
		if got, err := plans.Plan(ctx, child.ID); err != nil || !reflect.DeepEqual(got, child) {
			t.Errorf("got %+v, %v", got, err)
		}
	})
}

func TestPlansThatAreRefused(t *testing.T) {
	eachService(t, func(t *testing.T, plans form.Plans, _ *servicetest.Clock) {
		ctx := t.Context()
		available(t, plans, "ops/patch")
		projects := []string{"a"}
		for name, c := range map[string]struct {
			usage lifecycle.Usage
			want  error
		}{
			"no action":  {lifecycle.Usage{Action: "no/such", Projects: projects}, lifecycle.ErrUnknown},
			"no parent":  {lifecycle.Usage{Action: "ops/patch", Projects: projects, Parent: "none"}, lifecycle.ErrUnknown},
			"no project": {lifecycle.Usage{Action: "ops/patch"}, lifecycle.ErrInvalid},
		} {
			if _, err := plans.Use(ctx, c.usage); !errors.Is(err, c.want) {
				t.Errorf("%s: %v, want %v", name, err, c.want)
			}
		}
		if _, err := plans.Plan(ctx, "none"); !errors.Is(err, lifecycle.ErrUnknown) {
			t.Errorf("got what is not there: %v", err)
		}
		if _, err := plans.Cancel(ctx, "none", ""); !errors.Is(err, lifecycle.ErrUnknown) {
			t.Errorf("cancelled what is not there: %v", err)
		}
		plan, err := plans.Use(ctx, lifecycle.Usage{Action: "ops/patch", Projects: projects})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := plans.Start(ctx, plan.ID, lifecycle.PhaseApply); !errors.Is(err, lifecycle.ErrNotReady) {
			t.Errorf("started another phase: %v", err)
		}
	})
}

func TestEveryStageCanBeReached(t *testing.T) {
	eachService(t, func(t *testing.T, plans form.Plans, _ *servicetest.Clock) {
		ctx := t.Context()
		available(t, plans, "ops/patch")
		for _, phase := range lifecycle.Phases() {
			for _, state := range lifecycle.States() {
				want := lifecycle.Stage{Phase: phase, State: state}
				if _, ok := form.Route(atAction, want); !ok {
					continue
				}
				plan, err := plans.Use(ctx, lifecycle.Usage{Action: "ops/patch", Projects: []string{"a"}})
				if err != nil {
					t.Fatal(err)
				}
				if err := form.Reach(ctx, plans, plan.ID, want); err != nil {
					t.Errorf("%s: %v", want, err)
				}
				if got, err := plans.Plan(ctx, plan.ID); err != nil || got.Stage != want {
					t.Errorf("%s was to be reached, the plan is %s, %v", want, got.Stage, err)
				}
			}
		}
	})
}

// TestTheServiceKeepsToTheTable tells the service whatever comes, and compares
// it with the table of moves.
func TestTheServiceKeepsToTheTable(t *testing.T) {
	eachService(t, func(t *testing.T, plans form.Plans, _ *servicetest.Clock) {
		ctx := t.Context()
		available(t, plans, "ops/patch")
		rapid.Check(t, func(t *rapid.T) {
			plan, err := plans.Use(ctx, lifecycle.Usage{Action: "ops/patch", Projects: []string{"a"}})
			if err != nil {
				t.Fatal(err)
			}
			want := plan.Stage
			for _, event := range rapid.SliceOfN(rapid.SampledFrom(lifecycle.Events()), 0, 20).Draw(t, "events") {
				err := form.Tell(ctx, plans, plan.ID, event)
				next, ok := lifecycle.Next(want, event)
				if ok != (err == nil) || !ok && !errors.Is(err, lifecycle.ErrNotReady) {
					t.Fatalf("%s from %s: %v, the table says %v", event, want, err, ok)
				}
				if ok {
					want = next
				}
				if got, err := plans.Plan(ctx, plan.ID); err != nil || got.Stage != want {
					t.Fatalf("after %s the plan is %s, %v, want %s", event, got.Stage, err, want)
				}
			}
		})
	})
}

// TestBothKeepersRefuseAlike tells a service in maps and one in a database the same
// things, sensible and not, and compares what they say, to the letter.
func TestBothKeepersRefuseAlike(t *testing.T) {
	for _, f := range form.All() {
		t.Run(f.Name, func(t *testing.T) {
			ctx := t.Context()
			clock := servicetest.NewClock()
			var pair [2]form.Plans
			for i, config := range []form.PlansConfig{{}, {Unit: servicetest.Unit(t)}} {
				made := 0
				config.Now, config.NewID = clock.Now, func() string { made++; return fmt.Sprintf("%06d", made) }
				pair[i] = f.NewPlans(config)
			}
			texts := rapid.SampledFrom([]string{"", "a/b", " A/B", "c/d", "x", "\xff", "\x1b", "000001", "000002"})
			lists := rapid.SliceOfN(texts, 0, 2)
			rapid.Check(t, func(t *rapid.T) {
				call := drawCall(t, texts, lists)
				inMaps, mapsErr := call(ctx, pair[0])
				inDatabase, databaseErr := call(ctx, pair[1])
				if fmt.Sprint(mapsErr) != fmt.Sprint(databaseErr) || fmt.Sprintf("%+v", inMaps) != fmt.Sprintf("%+v", inDatabase) {
					t.Fatalf("in maps: %+v, %v\nin a database: %+v, %v", inMaps, mapsErr, inDatabase, databaseErr)
				}
			})
		})
	}
}

// drawCall draws a call of the service, with its arguments.
func drawCall(
	t *rapid.T, texts *rapid.Generator[string], lists *rapid.Generator[[]string],
) func(context.Context, form.Plans) (any, error) {
	a, b := texts.Draw(t, "first"), texts.Draw(t, "second")
	list := lists.Draw(t, "list")
	switch rapid.SampledFrom([]string{"create", "publish", "archive", "action", "use", "plan", "plans", "tell", "cancel"}).Draw(t, "call") {
	case "create":
		spec := lifecycle.ActionSpec{Name: a, Description: b, DefinitionOfDone: rapid.SampledFrom([]string{"", "done"}).Draw(t, "done")}
		for _, name := range list {
			spec.Arguments = append(spec.Arguments, lifecycle.Argument{Name: name, Default: b})
		}
		return func(ctx context.Context, s form.Plans) (any, error) { return s.CreateAction(ctx, spec) }
	case "publish":
		return func(ctx context.Context, s form.Plans) (any, error) { return s.Publish(ctx, a) }
	case "archive":
		return func(ctx context.Context, s form.Plans) (any, error) { return s.Archive(ctx, a) }
	case "action":
		return func(ctx context.Context, s form.Plans) (any, error) { return s.Action(ctx, a) }
	case "use":
		usage := lifecycle.Usage{Action: a, Parent: b, Projects: list, Arguments: map[string]string{b: a}}
		if rapid.Bool().Draw(t, "plain") {
			usage.Parent, usage.Arguments = "", nil
		}
		return func(ctx context.Context, s form.Plans) (any, error) { return s.Use(ctx, usage) }
	case "plan":
		return func(ctx context.Context, s form.Plans) (any, error) { return s.Plan(ctx, a) }
	case "plans":
		filter := lifecycle.Filter{Phase: lifecycle.Phase(a), Project: b}
		return func(ctx context.Context, s form.Plans) (any, error) { return s.Plans(ctx, filter) }
	case "tell":
		event := rapid.SampledFrom(lifecycle.Events()).Draw(t, "event")
		return func(ctx context.Context, s form.Plans) (any, error) { return nil, form.Tell(ctx, s, a, event) }
	default:
		return func(ctx context.Context, s form.Plans) (any, error) { return s.Cancel(ctx, a, b) }
	}
}

func TestDriverRefuses(t *testing.T) {
	ctx := t.Context()
	plans := form.Fixed().NewPlans(form.PlansConfig{})
	available(t, plans, "ops/patch")
	plan, err := plans.Use(ctx, lifecycle.Usage{Action: "ops/patch", Projects: []string{"a"}})
	if err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"no such event": form.Tell(ctx, plans, plan.ID, "explode"),
		"no such plan":  form.Tell(ctx, plans, "none", lifecycle.Start),
		"reach no plan": form.Reach(ctx, plans, "none", atAction),
		"no such stage": form.Reach(ctx, plans, plan.ID, lifecycle.Stage{Phase: "rest"}),
	} {
		if err == nil {
			t.Errorf("%s: it did not fail", name)
		}
	}
	if _, ok := form.Named("none"); ok {
		t.Error("there is a form called none")
	}
	if f, ok := form.Named("buggy"); !ok || f.Name != "buggy" {
		t.Error("there is no form called buggy")
	}
}

// TestCallsOnAClosedDatabase checks that each call says so.
func TestCallsOnAClosedDatabase(t *testing.T) {
	ctx := t.Context()
	unit := servicetest.Unit(t)
	plans := form.Fixed().NewPlans(form.PlansConfig{Unit: unit})
	if err := unit.Engine().Close(); err != nil {
		t.Fatal(err)
	}
	calls := map[string]func(context.Context) error{
		"create": func(ctx context.Context) error {
			_, err := plans.CreateAction(ctx, lifecycle.ActionSpec{Name: "a/b", DefinitionOfDone: "done"})
			return err
		},
		"publish": func(ctx context.Context) error { _, err := plans.Publish(ctx, "a/b"); return err },
		"action":  func(ctx context.Context) error { _, err := plans.Action(ctx, "a/b"); return err },
		"actions": func(ctx context.Context) error { _, err := plans.Actions(ctx); return err },
		"use":     func(ctx context.Context) error { _, err := plans.Use(ctx, lifecycle.Usage{Action: "a/b"}); return err },
		"plan":    func(ctx context.Context) error { _, err := plans.Plan(ctx, "p"); return err },
		"plans":   func(ctx context.Context) error { _, err := plans.Plans(ctx, lifecycle.Filter{}); return err },
		"cancel":  func(ctx context.Context) error { _, err := plans.Cancel(ctx, "p", ""); return err },
	}
	for name, call := range calls {
		if err := call(ctx); err == nil {
			t.Errorf("%s succeeded", name)
		}
	}
}

func ExampleRoute() {
	route, _ := form.Route(atAction, lifecycle.Stage{Phase: lifecycle.PhaseStrategize, State: lifecycle.Queued})
	fmt.Println(route)
	// Output: [start finish advance]
}
