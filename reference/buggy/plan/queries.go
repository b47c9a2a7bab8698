package plan

import (
	"cmp"
	"context"
	"slices"

	"github.com/mapguard/mapguard/reference/lifecycle"
)

// Action returns the action called name, or whose name that is when it is
// written in the normal way.
func (s *Service) Action(ctx context.Context, name string) (lifecycle.Action, error) {
	name = lifecycle.NormalName(name)
	if s.ledger != nil {
		return s.ledger.Action(ctx, name)
	}
	if err := ctx.Err(); err != nil {
		return lifecycle.Action{}, err
	}
	action, ok := s.actions[name] // want:unguarded-access
	if !ok {
		return lifecycle.Action{}, lifecycle.Unknown("action", name)
	}
	return action.Clone(), nil
}

// Actions returns all actions by name.
func (s *Service) Actions(ctx context.Context) ([]lifecycle.Action, error) {
	if s.ledger != nil {
		return s.ledger.Actions(ctx)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var all []lifecycle.Action
	for _, action := range s.actions { // the same finding as above
		all = append(all, action.Clone())
	}
	slices.SortFunc(all, func(a, b lifecycle.Action) int { return cmp.Compare(a.Name, b.Name) })
	return all, nil
}

// Plan returns the plan called planID.
func (s *Service) Plan(ctx context.Context, planID string) (lifecycle.Plan, error) {
	if s.ledger != nil {
		return s.ledger.Plan(ctx, planID)
	}
	if err := ctx.Err(); err != nil {
		return lifecycle.Plan{}, err
	}
	plan, ok := s.plans[planID]
	if !ok {
		return lifecycle.Plan{}, lifecycle.Unknown("plan", planID)
	}
	return plan.Clone(), nil
}

// Plans returns the plans that filter selects, the oldest first.
func (s *Service) Plans(ctx context.Context, filter lifecycle.Filter) ([]lifecycle.Plan, error) {
	if err := cmp.Or(filter.Check(), ctx.Err()); err != nil {
		return nil, err
	}
	if s.ledger != nil {
		return s.ledger.Plans(ctx, filter)
	}
	var selected []lifecycle.Plan
	for _, plan := range s.plans { // the same finding as above
		if filter.Matches(plan) {
			selected = append(selected, plan.Clone())
		}
	}
	slices.SortFunc(selected, func(a, b lifecycle.Plan) int { return cmp.Compare(a.ID, b.ID) })
	return selected, nil
}
