// Package ledger is the plan service over a database: each call is one unit of
// work.
package ledger

import (
	"context"
	"time"

	"github.com/mapguard/mapguard/reference/id"
	"github.com/mapguard/mapguard/reference/lifecycle"
	"github.com/mapguard/mapguard/reference/store"
)

// Ledger keeps actions and plans through a unit of work. It is safe for
// concurrent use: the transactions are.
type Ledger struct {
	unit  store.Unit
	newID id.Source
	now   func() time.Time
}

// New returns a ledger over unit.
func New(unit store.Unit, newID id.Source, now func() time.Time) *Ledger {
	return &Ledger{unit: unit, newID: newID, now: now}
}

// CreateAction adds the action that spec asks for, as a draft.
func (l *Ledger) CreateAction(ctx context.Context, spec lifecycle.ActionSpec) (lifecycle.Action, error) {
	action, err := lifecycle.NewAction(spec, l.now())
	if err != nil {
		return lifecycle.Action{}, err
	}
	err = l.unit.Do(ctx, func(tx *store.Tx) error {
		return tx.Actions.Insert(ctx, action)
	})
	if err != nil {
		return lifecycle.Action{}, err
	}
	return action, nil
}

// Action returns the action called name.
func (l *Ledger) Action(ctx context.Context, name string) (action lifecycle.Action, err error) {
	err = l.unit.Do(ctx, func(tx *store.Tx) (err error) {
		action, err = tx.Actions.Get(ctx, name)
		return err
	})
	return action, err
}

// Actions returns all actions by name.
func (l *Ledger) Actions(ctx context.Context) (actions []lifecycle.Action, err error) {
	err = l.unit.Do(ctx, func(tx *store.Tx) (err error) {
		actions, err = tx.Actions.List(ctx)
		return err
	})
	return actions, err
}

// ReviseAction replaces the action called name by what revise makes of it.
func (l *Ledger) ReviseAction(
	ctx context.Context,
	name string,
	revise func(lifecycle.Action, time.Time) (lifecycle.Action, error),
) (action lifecycle.Action, err error) {
	err = l.unit.Do(ctx, func(tx *store.Tx) error {
		current, err := tx.Actions.Get(ctx, name)
		if err != nil {
			return err
		}
		if action, err = revise(current, l.now()); err != nil {
			return err
		}
		return tx.Actions.Update(ctx, action)
	})
	return action, err
}

// Use makes a plan of an action.
func (l *Ledger) Use(ctx context.Context, usage lifecycle.Usage) (plan lifecycle.Plan, err error) {
	err = l.unit.Do(ctx, func(tx *store.Tx) error {
		action, err := tx.Actions.Get(ctx, usage.Action)
		if err != nil {
			return err
		}
		if usage.Parent != "" {
			if _, err := tx.Plans.Get(ctx, usage.Parent); err != nil {
				return err
			}
		}
		if plan, err = lifecycle.NewPlan(l.newID(), action, usage, l.now()); err != nil {
			return err
		}
		return tx.Plans.Insert(ctx, plan)
	})
	return plan, err
}

// Plan returns the plan called planID.
func (l *Ledger) Plan(ctx context.Context, planID string) (plan lifecycle.Plan, err error) {
	err = l.unit.Do(ctx, func(tx *store.Tx) (err error) {
		plan, err = tx.Plans.Get(ctx, planID)
		return err
	})
	return plan, err
}

// Plans returns the plans that filter selects, the oldest first.
func (l *Ledger) Plans(ctx context.Context, filter lifecycle.Filter) (plans []lifecycle.Plan, err error) {
	err = l.unit.Do(ctx, func(tx *store.Tx) (err error) {
		plans, err = tx.Plans.List(ctx, filter)
		return err
	})
	return plans, err
}

// Take moves the plan called planID by one step.
func (l *Ledger) Take(ctx context.Context, planID string, step lifecycle.Step) (plan lifecycle.Plan, err error) {
	err = l.unit.Do(ctx, func(tx *store.Tx) error {
		current, err := tx.Plans.Get(ctx, planID)
		if err != nil {
			return err
		}
		if plan, err = current.Take(step, l.now()); err != nil {
			return err
		}
		return tx.Plans.Update(ctx, plan)
	})
	return plan, err
}
