package behaviour

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/cucumber/godog"

	"github.com/mapguard/mapguard/reference/internal/form"
	"github.com/mapguard/mapguard/reference/internal/interleave"
	"github.com/mapguard/mapguard/reference/lifecycle"
)

// planSteps are the steps about the plan service, of one scenario.
type planSteps struct {
	plans   form.Plans
	meeting *interleave.Meeting

	action lifecycle.Action
	plan   lifecycle.Plan
	// created are the actions that callers were told to have created.
	created []lifecycle.Action
	errs    []error
	before  lifecycle.Plan
}

func newPlanSteps(service form.Form) *planSteps {
	s := &planSteps{}
	s.plans = service.NewPlans(form.PlansConfig{Now: s.now})
	return s
}

func (s *planSteps) register(sc *godog.ScenarioContext) {
	sc.Given(`^a plan service in memory$`, func() {})
	sc.Given(`^the draft action "([^"]*)"$`, s.draft)
	sc.Given(`^a plan of the action "([^"]*)"$`, s.planOf)
	sc.Given(`^a plan that is (\S+)/(\S+)$`, s.planAt)
	sc.When(`^two callers create the action "([^"]*)", and both look before either writes$`, s.createTwice)
	sc.When(`^one caller archives and one publishes it, and both look before either writes$`, s.archiveAndPublish)
	sc.When(`^two workers start its phase, and both look before either writes$`, s.startTwice)
	sc.When(`^the caller changes all that the service returned$`, s.changeReturned)
	sc.When(`^it is told to (\S+)$`, s.tell)
	sc.When(`^a plan that does not exist is told to start$`, func(ctx context.Context) {
		_, err := s.plans.Start(ctx, "none", lifecycle.PhaseAction)
		s.errs = append(s.errs, err)
	})
	sc.When(`^a caller asks to (get the action|get the plan|publish|archive|use) what does not exist$`, s.askForNothing)
	sc.When(`^an action is asked for as "([^"]*)"$`, func(ctx context.Context, name string) (err error) {
		s.action, err = s.plans.Action(ctx, name)
		return err
	})
	sc.Then(`^the action is "([^"]*)"$`, func(name string) error {
		if s.action.Name != name {
			return fmt.Errorf("it is %q", s.action.Name)
		}
		return nil
	})
	sc.Then(`^one of them was refused because it is (?:a )?(duplicate|not ready)$`, s.oneRefused)
	sc.Then(`^the action that was created is kept$`, s.createdIsKept)
	sc.Then(`^the action "([^"]*)" is (\S+)$`, s.actionIs)
	sc.Then(`^it is refused because it is (unknown|not ready)$`, s.isRefused)
	sc.Then(`^the plan is (\S+)/(\S+)$`, s.planIs)
	sc.Then(`^the service returns what it returned before$`, s.unchanged)
}

// now is the clock of the service, which it asks between check and act.
func (s *planSteps) now() time.Time {
	if s.meeting != nil {
		s.meeting.Arrive()
	}
	return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
}

func (s *planSteps) askForNothing(ctx context.Context, request string) {
	const none = "no/such"
	var err error
	switch request {
	case "get the action":
		_, err = s.plans.Action(ctx, none)
	case "get the plan":
		_, err = s.plans.Plan(ctx, none)
	case "publish":
		_, err = s.plans.Publish(ctx, none)
	case "archive":
		_, err = s.plans.Archive(ctx, none)
	case "use":
		_, err = s.plans.Use(ctx, lifecycle.Usage{Action: none, Projects: []string{"project"}})
	}
	s.errs = append(s.errs, err)
}

// meet lets first and second meet between check and act.
func (s *planSteps) meet(first, second func() error) {
	s.meeting = interleave.New()
	s.errs = make([]error, 2)
	s.meeting.Run(
		func() { s.errs[0] = first() },
		func() { s.errs[1] = second() },
	)
}

func (s *planSteps) draft(ctx context.Context, name string) (err error) {
	s.action, err = s.plans.CreateAction(ctx, lifecycle.ActionSpec{
		Name:             name,
		DefinitionOfDone: "done",
		Arguments:        []lifecycle.Argument{{Name: "host", Default: "all"}},
	})
	return err
}

func (s *planSteps) planOf(ctx context.Context, name string) error {
	if err := s.draft(ctx, name); err != nil {
		return err
	}
	if _, err := s.plans.Publish(ctx, name); err != nil {
		return err
	}
	var err error
	s.plan, err = s.plans.Use(ctx, lifecycle.Usage{Action: name, Projects: []string{"project"}})
	return err
}

func (s *planSteps) planAt(ctx context.Context, phase, state string) error {
	if err := s.planOf(ctx, "ops/patch"); err != nil {
		return err
	}
	return form.Reach(ctx, s.plans, s.plan.ID, lifecycle.Stage{Phase: lifecycle.Phase(phase), State: lifecycle.State(state)})
}

func (s *planSteps) createTwice(ctx context.Context, name string) {
	var actions [2]lifecycle.Action
	create := func(i int, description string) func() error {
		return func() (err error) {
			actions[i], err = s.plans.CreateAction(ctx, lifecycle.ActionSpec{
				Name: name, Description: description, DefinitionOfDone: "done",
			})
			return err
		}
	}
	s.meet(create(0, "the first"), create(1, "the second"))
	for i, action := range actions {
		if s.errs[i] == nil {
			s.created = append(s.created, action)
		}
	}
}

func (s *planSteps) archiveAndPublish(ctx context.Context) error {
	s.meet(
		func() error { _, err := s.plans.Archive(ctx, s.action.Name); return err },
		func() error { _, err := s.plans.Publish(ctx, s.action.Name); return err },
	)
	return s.errs[0]
}

func (s *planSteps) startTwice(ctx context.Context) {
	start := func() error {
		_, err := s.plans.Start(ctx, s.plan.ID, s.plan.Stage.Phase)
		return err
	}
	s.meet(start, start)
}

func (s *planSteps) oneRefused(kind string) error {
	want, reason := lifecycle.ErrNotReady, "lost-update"
	if kind == "duplicate" {
		want, reason = lifecycle.ErrDuplicate, "lost-action"
	}
	switch first, second := s.errs[0], s.errs[1]; {
	case first == nil && second == nil:
		return failed(reason, "both were told that they succeeded")
	case first == nil && errors.Is(second, want), second == nil && errors.Is(first, want):
		return nil
	default:
		return errors.Join(first, second)
	}
}

func (s *planSteps) createdIsKept(ctx context.Context) error {
	kept, err := s.plans.Action(ctx, s.created[0].Name)
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(kept, s.created[0]) {
		return fmt.Errorf("kept %+v, created %+v", kept, s.created[0])
	}
	return nil
}

func (s *planSteps) actionIs(ctx context.Context, name, want string) error {
	action, err := s.plans.Action(ctx, name)
	if err != nil {
		return err
	}
	if action.Status != lifecycle.ActionStatus(want) {
		return failed("lost-update", "action %s was archived and is %s", name, action.Status)
	}
	return nil
}

func (s *planSteps) tell(ctx context.Context, event string) {
	if event == "complete" {
		event = string(lifecycle.Finish)
	}
	s.errs = append(s.errs, form.Tell(ctx, s.plans, s.plan.ID, lifecycle.Event(event)))
}

func (s *planSteps) isRefused(kind string) error {
	want := map[string]error{"unknown": lifecycle.ErrUnknown, "not ready": lifecycle.ErrNotReady}[kind]
	if err := s.errs[len(s.errs)-1]; !errors.Is(err, want) {
		return fmt.Errorf("it returned %v, want %v", err, want)
	}
	return nil
}

func (s *planSteps) planIs(ctx context.Context, phase, state string) error {
	plan, err := s.plans.Plan(ctx, s.plan.ID)
	if err != nil {
		return err
	}
	if want := (lifecycle.Stage{Phase: lifecycle.Phase(phase), State: lifecycle.State(state)}); plan.Stage != want {
		return fmt.Errorf("the plan is %s, want %s; %w", plan.Stage, want, errors.Join(s.errs...))
	}
	return nil
}

func (s *planSteps) changeReturned(ctx context.Context) error {
	s.before = s.plan.Clone()
	listed, err := s.plans.Plans(ctx, lifecycle.Filter{})
	if err != nil {
		return err
	}
	got, err := s.plans.Plan(ctx, s.plan.ID)
	if err != nil {
		return err
	}
	for _, plan := range append(listed, s.plan, got) {
		plan.Projects[0] = "changed"
		plan.Arguments["host"] = "changed"
	}
	actions, err := s.plans.Actions(ctx)
	if err != nil {
		return err
	}
	for _, action := range append(actions, s.action) {
		action.Arguments[0].Name = "changed"
	}
	return nil
}

func (s *planSteps) unchanged(ctx context.Context) error {
	plan, err := s.plans.Plan(ctx, s.before.ID)
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(plan, s.before) {
		return fmt.Errorf("the service returns %+v, returned %+v", plan, s.before)
	}
	action, err := s.plans.Action(ctx, s.before.Action)
	if err != nil {
		return err
	}
	if action.Arguments[0].Name != "host" {
		return fmt.Errorf("the argument of the action is %s", action.Arguments[0].Name)
	}
	return nil
}
