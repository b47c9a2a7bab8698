package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/mapguard/mapguard/reference/job"
	"github.com/mapguard/mapguard/reference/lifecycle"
)

// Jobs is the repository of jobs in one transaction.
type Jobs struct{ tx *sql.Tx }

const jobColumns = `id, plan_id, state, attempts, error, queued_at, started_at, finished_at,
	owner, command, leased_until`

func scanJob(from row) (job.Job, error) {
	var j job.Job
	err := from.Scan(&j.ID, &j.PlanID, &j.State, &j.Attempts, &j.Error,
		stamp{&j.QueuedAt}, stamp{&j.StartedAt}, stamp{&j.FinishedAt},
		&j.Owner, &j.Command, stamp{&j.LeasedUntil})
	return j, err
}

// Insert adds a job whose identifier is not taken, for a plan that has no other
// at work.
func (r Jobs) Insert(ctx context.Context, j job.Job) error {
	inserted, err := changed(ctx, r.tx,
		`INSERT INTO jobs (`+jobColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		j.ID, j.PlanID, j.State, j.Attempts, j.Error,
		stamp{&j.QueuedAt}, stamp{&j.StartedAt}, stamp{&j.FinishedAt},
		j.Owner, j.Command, stamp{&j.LeasedUntil})
	if err != nil {
		return fmt.Errorf("insert job %s: %w", j.ID, err)
	}
	if !inserted {
		return lifecycle.Duplicate("job", j.ID)
	}
	return nil
}

// Get returns the job called id.
func (r Jobs) Get(ctx context.Context, id string) (job.Job, error) {
	j, err := scanJob(r.tx.QueryRowContext(ctx, `SELECT `+jobColumns+` FROM jobs WHERE id = ?`, id))
	return one(j, err, id)
}

// Oldest returns the job of owner that has been in the queue for longest, or an
// error that is [lifecycle.ErrUnknown] when there is none.
func (r Jobs) Oldest(ctx context.Context, owner string) (job.Job, error) {
	j, err := scanJob(r.tx.QueryRowContext(ctx,
		`SELECT `+jobColumns+` FROM jobs WHERE state = ? AND owner = ? ORDER BY id LIMIT 1`, job.Queued, owner))
	return one(j, err, "oldest")
}

// AtWork returns the job of a plan that is in the queue or runs, or an error that
// is [lifecycle.ErrUnknown] when there is none.
func (r Jobs) AtWork(ctx context.Context, planID string) (job.Job, error) {
	j, err := scanJob(r.tx.QueryRowContext(ctx,
		`SELECT `+jobColumns+` FROM jobs WHERE plan_id = ? AND state IN ('queued', 'running')`, planID))
	return one(j, err, "of plan "+planID)
}

func one(j job.Job, err error, id string) (job.Job, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return job.Job{}, lifecycle.Unknown("job", id)
	}
	if err != nil {
		return job.Job{}, fmt.Errorf("get job %s: %w", id, err)
	}
	return j, nil
}

// List returns the jobs in state, the oldest first; an empty state is all.
func (r Jobs) List(ctx context.Context, state job.State) ([]job.Job, error) {
	all, err := collect(ctx, r.tx, scanJob,
		`SELECT `+jobColumns+` FROM jobs WHERE ?1 = '' OR state = ?1 ORDER BY id`, state)
	if err != nil {
		return nil, fmt.Errorf("list jobs: %w", err)
	}
	return all, nil
}

// Unfinished returns the jobs that are in the queue or run, the oldest first.
func (r Jobs) Unfinished(ctx context.Context) ([]job.Job, error) {
	unfinished, err := collect(ctx, r.tx, scanJob,
		`SELECT `+jobColumns+` FROM jobs WHERE state IN ('queued', 'running') ORDER BY id`)
	if err != nil {
		return nil, fmt.Errorf("list unfinished jobs: %w", err)
	}
	return unfinished, nil
}

// Update writes a job that exists.
func (r Jobs) Update(ctx context.Context, j job.Job) error {
	updated, err := changed(ctx, r.tx, `UPDATE jobs
		SET state = ?, attempts = ?, error = ?, started_at = ?, finished_at = ?,
		owner = ?, command = ?, leased_until = ? WHERE id = ?`,
		j.State, j.Attempts, j.Error, stamp{&j.StartedAt}, stamp{&j.FinishedAt},
		j.Owner, j.Command, stamp{&j.LeasedUntil}, j.ID)
	if err != nil {
		return fmt.Errorf("update job %s: %w", j.ID, err)
	}
	if !updated {
		return lifecycle.Unknown("job", j.ID)
	}
	return nil
}

// Renew puts off the end of all leases of owner, and returns the identifiers of
// the jobs of owner that are at work.
func (r Jobs) Renew(ctx context.Context, owner string, until time.Time) ([]string, error) {
	scanID := func(from row) (id string, err error) { return id, from.Scan(&id) }
	renewed, err := collect(ctx, r.tx, scanID, `UPDATE jobs SET leased_until = ?
		WHERE owner = ? AND state IN ('queued', 'running') RETURNING id`, stamp{&until}, owner)
	if err != nil {
		return nil, fmt.Errorf("renew leases of %s: %w", owner, err)
	}
	return renewed, nil
}

// Release gives up all jobs of owner that are in the queue.
func (r Jobs) Release(ctx context.Context, owner string) error {
	_, err := r.tx.ExecContext(ctx,
		`UPDATE jobs SET owner = '', leased_until = 0 WHERE owner = ? AND state = ?`, owner, job.Queued)
	if err != nil {
		return fmt.Errorf("release jobs of %s: %w", owner, err)
	}
	return nil
}
