package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/mapguard/mapguard/reference/lifecycle"
)

// Actions is the repository of actions in one transaction.
type Actions struct{ tx *sql.Tx }

const actionColumns = `name, description, definition_of_done, arguments, status, created_at, updated_at`

func scanAction(from row) (lifecycle.Action, error) {
	var a lifecycle.Action
	err := from.Scan(&a.Name, &a.Description, &a.DefinitionOfDone, document{&a.Arguments},
		&a.Status, stamp{&a.CreatedAt}, stamp{&a.UpdatedAt})
	return a, err
}

// Insert adds an action whose name is not taken.
func (r Actions) Insert(ctx context.Context, a lifecycle.Action) error {
	inserted, err := changed(ctx, r.tx,
		`INSERT INTO actions (`+actionColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		a.Name, a.Description, a.DefinitionOfDone, document{a.Arguments}, a.Status, stamp{&a.CreatedAt}, stamp{&a.UpdatedAt})
	if err != nil {
		return fmt.Errorf("insert action %s: %w", a.Name, err)
	}
	if !inserted {
		return lifecycle.Duplicate("action", a.Name)
	}
	return nil
}

// Get returns the action called name.
func (r Actions) Get(ctx context.Context, name string) (lifecycle.Action, error) {
	a, err := scanAction(r.tx.QueryRowContext(ctx, `SELECT `+actionColumns+` FROM actions WHERE name = ?`, name))
	if errors.Is(err, sql.ErrNoRows) {
		return lifecycle.Action{}, lifecycle.Unknown("action", name)
	}
	if err != nil {
		return lifecycle.Action{}, fmt.Errorf("get action %s: %w", name, err)
	}
	return a, nil
}

// List returns all actions by name.
func (r Actions) List(ctx context.Context) ([]lifecycle.Action, error) {
	all, err := collect(ctx, r.tx, scanAction, `SELECT `+actionColumns+` FROM actions ORDER BY name`)
	if err != nil {
		return nil, fmt.Errorf("list actions: %w", err)
	}
	return all, nil
}

// Update writes the status of an action that exists.
func (r Actions) Update(ctx context.Context, a lifecycle.Action) error {
	updated, err := changed(ctx, r.tx, `UPDATE actions SET status = ?, updated_at = ? WHERE name = ?`,
		a.Status, stamp{&a.UpdatedAt}, a.Name)
	if err != nil {
		return fmt.Errorf("update action %s: %w", a.Name, err)
	}
	if !updated {
		return lifecycle.Unknown("action", a.Name)
	}
	return nil
}
