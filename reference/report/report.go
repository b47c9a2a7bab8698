// Package report reads what the service has to show, through prepared
// statements and without a transaction.
package report

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/mapguard/mapguard/reference/lifecycle"
)

// Statements gives the prepared statement of a query.
type Statements interface {
	Statement(ctx context.Context, query string) (*sql.Stmt, error)
}

// Count is how many plans are at a stage.
type Count struct {
	Stage lifecycle.Stage
	Plans int
}

const countQuery = `SELECT phase, state, COUNT(*) FROM plans GROUP BY phase, state ORDER BY phase, state`

// Counts returns how many plans are at each stage at which there are any.
func Counts(ctx context.Context, statements Statements) (counts []Count, err error) {
	stmt, err := statements.Statement(ctx, countQuery)
	if err != nil {
		return nil, fmt.Errorf("count plans: %w", err)
	}
	rows, err := stmt.QueryContext(ctx)
	if err != nil {
		return nil, fmt.Errorf("count plans: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var count Count
		if err := rows.Scan(&count.Stage.Phase, &count.Stage.State, &count.Plans); err != nil {
			return nil, fmt.Errorf("count plans: %w", err)
		}
		counts = append(counts, count)
	}
	return counts, rows.Err()
}

// Of returns the same of plans that are at hand.
func Of(plans []lifecycle.Plan) (counts []Count) {
	at := map[lifecycle.Stage]int{}
	for _, plan := range plans {
		at[plan.Stage]++
	}
	for stage, plans := range at {
		counts = append(counts, Count{stage, plans})
	}
	slices.SortFunc(counts, func(a, b Count) int {
		return cmp.Or(cmp.Compare(a.Stage.Phase, b.Stage.Phase), cmp.Compare(a.Stage.State, b.Stage.State))
	})
	return counts
}
