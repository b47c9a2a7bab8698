package form

import (
	"context"
	"fmt"

	"github.com/mapguard/mapguard/reference/lifecycle"
)

// Tell calls the method of the service that stands for event, for the phase in
// which the plan is.
func Tell(ctx context.Context, plans Plans, planID string, event lifecycle.Event) error {
	plan, err := plans.Plan(ctx, planID)
	if err != nil {
		return err
	}
	phase := plan.Stage.Phase
	switch event {
	case lifecycle.Start:
		_, err = plans.Start(ctx, planID, phase)
	case lifecycle.Finish:
		_, err = plans.Complete(ctx, planID, phase)
	case lifecycle.Fail:
		_, err = plans.Fail(ctx, planID, phase, "for a reason")
	case lifecycle.Retry:
		_, err = plans.Retry(ctx, planID, phase)
	case lifecycle.Cancel:
		_, err = plans.Cancel(ctx, planID, "for a reason")
	case lifecycle.Advance:
		_, err = plans.Advance(ctx, planID)
	case lifecycle.Revert:
		_, err = plans.Revert(ctx, planID, "for a reason")
	case lifecycle.Constrain:
		_, err = plans.Constrain(ctx, planID, "for a reason")
	case lifecycle.Settle:
		_, err = plans.Settle(ctx, planID)
	default:
		err = fmt.Errorf("there is no event %q", event)
	}
	return err
}

// Reach takes a plan from where it is to a stage, the shortest way that the
// table of moves has.
func Reach(ctx context.Context, plans Plans, planID string, want lifecycle.Stage) error {
	plan, err := plans.Plan(ctx, planID)
	if err != nil {
		return err
	}
	route, ok := Route(plan.Stage, want)
	if !ok {
		return fmt.Errorf("no way leads from %s to %s", plan.Stage, want)
	}
	for _, event := range route {
		if err := Tell(ctx, plans, planID, event); err != nil {
			return err
		}
	}
	return nil
}

// Route returns the events that lead from one stage to another, as few as
// possible, and whether there are any that do.
func Route(from, to lifecycle.Stage) ([]lifecycle.Event, bool) {
	routes := map[lifecycle.Stage][]lifecycle.Event{from: nil}
	for queue := []lifecycle.Stage{from}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if at == to {
			return routes[at], true
		}
		for _, event := range lifecycle.Events() {
			next, ok := lifecycle.Next(at, event)
			if _, known := routes[next]; !ok || known {
				continue
			}
			routes[next] = append(routes[at][:len(routes[at]):len(routes[at])], event)
			queue = append(queue, next)
		}
	}
	return nil, false
}
