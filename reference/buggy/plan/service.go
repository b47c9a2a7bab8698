// Package plan is the plan service: actions, the plans that are made of them,
// and the phases the plans go through.
//
// This is the buggy form: the two maps of the service have no lock.
package plan

import (
	"cmp"
	"context"
	"time"

	"github.com/mapguard/mapguard/reference/id"
	"github.com/mapguard/mapguard/reference/ledger"
	"github.com/mapguard/mapguard/reference/lifecycle"
	"github.com/mapguard/mapguard/reference/store"
)

// Config is what a service is made of. Its zero value is a service in memory.
type Config struct {
	// Unit is the unit of work through which the service persists. Without one
	// it keeps everything in memory.
	Unit store.Unit
	// NewID makes the identifiers of plans; [id.New] when it is nil.
	NewID id.Source
	// Now is the clock; that of the system when it is nil.
	Now func() time.Time
}

// Service is the plan service. It is safe for concurrent use by multiple
// goroutines. What it returns are copies: callers may change them.
type Service struct {
	newID id.Source
	now   func() time.Time
	// ledger persists; it is nil when the service keeps the maps below instead.
	ledger *ledger.Ledger

	// What the service knows when it has no ledger.
	actions map[string]lifecycle.Action
	plans   map[string]lifecycle.Plan
}

// New returns a service without actions and plans.
func New(config Config) *Service {
	s := &Service{
		newID:   config.NewID,
		now:     config.Now,
		actions: map[string]lifecycle.Action{},
		plans:   map[string]lifecycle.Plan{},
	}
	if s.newID == nil {
		s.newID = id.New
	}
	if s.now == nil {
		s.now = func() time.Time { return time.Now().UTC() }
	}
	if config.Unit != nil {
		s.ledger = ledger.New(config.Unit, s.newID, s.now)
	}
	return s
}

// CreateAction adds the action that spec asks for, as a draft.
func (s *Service) CreateAction(ctx context.Context, spec lifecycle.ActionSpec) (lifecycle.Action, error) {
	if s.ledger != nil {
		return s.ledger.CreateAction(ctx, spec)
	}
	if err := cmp.Or(spec.Check(), ctx.Err()); err != nil {
		return lifecycle.Action{}, err
	}
	if _, ok := s.actions[spec.Name]; ok { // want:check-then-act
		return lifecycle.Action{}, lifecycle.Duplicate("action", spec.Name)
	}
	action, err := lifecycle.NewAction(spec, s.now())
	if err != nil {
		return lifecycle.Action{}, err
	}
	s.actions[action.Name] = action
	return action.Clone(), nil
}

// Publish makes a draft action available.
func (s *Service) Publish(ctx context.Context, name string) (lifecycle.Action, error) {
	return s.reviseAction(ctx, name, lifecycle.Action.Publish)
}

// Archive takes an action out of use. The plans made of it live on.
func (s *Service) Archive(ctx context.Context, name string) (lifecycle.Action, error) {
	return s.reviseAction(ctx, name, lifecycle.Action.Archive)
}

// reviseAction replaces the action called name by what revise makes of it.
func (s *Service) reviseAction(
	ctx context.Context,
	name string,
	revise func(lifecycle.Action, time.Time) (lifecycle.Action, error),
) (lifecycle.Action, error) {
	name = lifecycle.NormalName(name)
	if s.ledger != nil {
		return s.ledger.ReviseAction(ctx, name, revise)
	}
	if err := ctx.Err(); err != nil {
		return lifecycle.Action{}, err
	}
	current, ok := s.actions[name] // the same finding as above
	if !ok {
		return lifecycle.Action{}, lifecycle.Unknown("action", name)
	}
	revised, err := revise(current, s.now())
	if err != nil {
		return lifecycle.Action{}, err
	}
	s.actions[name] = revised
	return revised.Clone(), nil
}

// Use makes a plan of an action, for one or more projects.
func (s *Service) Use(ctx context.Context, usage lifecycle.Usage) (lifecycle.Plan, error) {
	usage.Action = lifecycle.NormalName(usage.Action)
	if s.ledger != nil {
		return s.ledger.Use(ctx, usage)
	}
	if err := ctx.Err(); err != nil {
		return lifecycle.Plan{}, err
	}
	action, ok := s.actions[usage.Action] // the same finding as in queries.go
	if !ok {
		return lifecycle.Plan{}, lifecycle.Unknown("action", usage.Action)
	}
	if usage.Parent != "" {
		if _, ok := s.plans[usage.Parent]; !ok { // the same finding as above
			return lifecycle.Plan{}, lifecycle.Unknown("plan", usage.Parent)
		}
	}
	plan, err := lifecycle.NewPlan(s.newID(), action, usage, s.now())
	if err != nil {
		return lifecycle.Plan{}, err
	}
	if _, ok := s.plans[plan.ID]; ok {
		return lifecycle.Plan{}, lifecycle.Duplicate("plan", plan.ID)
	}
	s.plans[plan.ID] = plan
	return plan.Clone(), nil
}

// take moves the plan called planID by one step.
func (s *Service) take(ctx context.Context, planID string, step lifecycle.Step) (lifecycle.Plan, error) {
	if s.ledger != nil {
		return s.ledger.Take(ctx, planID, step)
	}
	if err := ctx.Err(); err != nil {
		return lifecycle.Plan{}, err
	}
	current, ok := s.plans[planID] // the same finding as above
	if !ok {
		return lifecycle.Plan{}, lifecycle.Unknown("plan", planID)
	}
	next, err := current.Take(step, s.now())
	if err != nil {
		return lifecycle.Plan{}, err
	}
	s.plans[planID] = next
	return next.Clone(), nil
}
