package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/mapguard/mapguard/reference/lifecycle"
)

// Plans is the repository of plans in one transaction.
type Plans struct{ tx *sql.Tx }

const planColumns = `id, action, parent, projects, arguments, phase, state, reason,
	created_at, updated_at, started_at, finished_at`

func scanPlan(from row) (lifecycle.Plan, error) {
	var p lifecycle.Plan
	err := from.Scan(&p.ID, &p.Action, &p.Parent, document{&p.Projects}, document{&p.Arguments},
		&p.Stage.Phase, &p.Stage.State, &p.Reason,
		stamp{&p.CreatedAt}, stamp{&p.UpdatedAt}, stamp{&p.StartedAt}, stamp{&p.FinishedAt})
	return p, err
}

// Insert adds a plan whose identifier is not taken.
func (r Plans) Insert(ctx context.Context, p lifecycle.Plan) error {
	inserted, err := changed(ctx, r.tx,
		`INSERT INTO plans (`+planColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		p.ID, p.Action, p.Parent, document{p.Projects}, document{p.Arguments}, p.Stage.Phase, p.Stage.State, p.Reason,
		stamp{&p.CreatedAt}, stamp{&p.UpdatedAt}, stamp{&p.StartedAt}, stamp{&p.FinishedAt})
	if err != nil {
		return fmt.Errorf("insert plan %s: %w", p.ID, err)
	}
	if !inserted {
		return lifecycle.Duplicate("plan", p.ID)
	}
	return nil
}

// Get returns the plan called id.
func (r Plans) Get(ctx context.Context, id string) (lifecycle.Plan, error) {
	p, err := scanPlan(r.tx.QueryRowContext(ctx, `SELECT `+planColumns+` FROM plans WHERE id = ?`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return lifecycle.Plan{}, lifecycle.Unknown("plan", id)
	}
	if err != nil {
		return lifecycle.Plan{}, fmt.Errorf("get plan %s: %w", id, err)
	}
	return p, nil
}

// List returns the plans that filter selects, the oldest first.
func (r Plans) List(ctx context.Context, filter lifecycle.Filter) ([]lifecycle.Plan, error) {
	selected, err := collect(ctx, r.tx, scanPlan, `SELECT `+planColumns+` FROM plans
		WHERE (?1 = '' OR phase = ?1) AND (?2 = '' OR state = ?2) AND (?3 = '' OR parent = ?3)
		AND (?4 = '' OR EXISTS (SELECT 1 FROM json_each(projects) WHERE json_each.value = ?4))
		ORDER BY id`, filter.Phase, filter.State, filter.Parent, filter.Project)
	if err != nil {
		return nil, fmt.Errorf("list plans: %w", err)
	}
	return selected, nil
}

// Update writes the stage of a plan that exists.
func (r Plans) Update(ctx context.Context, p lifecycle.Plan) error {
	updated, err := changed(ctx, r.tx, `UPDATE plans
		SET phase = ?, state = ?, reason = ?, updated_at = ?, started_at = ?, finished_at = ? WHERE id = ?`,
		p.Stage.Phase, p.Stage.State, p.Reason,
		stamp{&p.UpdatedAt}, stamp{&p.StartedAt}, stamp{&p.FinishedAt}, p.ID)
	if err != nil {
		return fmt.Errorf("update plan %s: %w", p.ID, err)
	}
	if !updated {
		return lifecycle.Unknown("plan", p.ID)
	}
	return nil
}
