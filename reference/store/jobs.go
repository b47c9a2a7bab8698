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

const jobColumns = `id, plan_id, state, attempts, error, queued_at, started_at, finished_at, heartbeat_at`

func scanJob(from row) (job.Job, error) {
	var j job.Job
	err := from.Scan(&j.ID, &j.PlanID, &j.State, &j.Attempts, &j.Error,
		stamp{&j.QueuedAt}, stamp{&j.StartedAt}, stamp{&j.FinishedAt}, stamp{&j.HeartbeatAt})
	return j, err
}

// Insert adds a job whose identifier is not taken.
func (r Jobs) Insert(ctx context.Context, j job.Job) error {
	inserted, err := changed(ctx, r.tx,
		`INSERT INTO jobs (`+jobColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		j.ID, j.PlanID, j.State, j.Attempts, j.Error,
		stamp{&j.QueuedAt}, stamp{&j.StartedAt}, stamp{&j.FinishedAt}, stamp{&j.HeartbeatAt})
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

// Oldest returns the job that has been in the queue for longest, or an error
// that is [lifecycle.ErrUnknown] when the queue is empty.
func (r Jobs) Oldest(ctx context.Context) (job.Job, error) {
	j, err := scanJob(r.tx.QueryRowContext(ctx,
		`SELECT `+jobColumns+` FROM jobs WHERE state = ? ORDER BY id LIMIT 1`, job.Queued))
	return one(j, err, "oldest")
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

// Silent returns the running jobs whose last heartbeat is before cutoff.
func (r Jobs) Silent(ctx context.Context, cutoff time.Time) ([]job.Job, error) {
	silent, err := collect(ctx, r.tx, scanJob,
		`SELECT `+jobColumns+` FROM jobs WHERE state = ? AND heartbeat_at < ? ORDER BY id`,
		job.Running, stamp{&cutoff})
	if err != nil {
		return nil, fmt.Errorf("list silent jobs: %w", err)
	}
	return silent, nil
}

// Update writes a job that exists.
func (r Jobs) Update(ctx context.Context, j job.Job) error {
	updated, err := changed(ctx, r.tx, `UPDATE jobs
		SET state = ?, attempts = ?, error = ?, started_at = ?, finished_at = ?, heartbeat_at = ? WHERE id = ?`,
		j.State, j.Attempts, j.Error,
		stamp{&j.StartedAt}, stamp{&j.FinishedAt}, stamp{&j.HeartbeatAt}, j.ID)
	if err != nil {
		return fmt.Errorf("update job %s: %w", j.ID, err)
	}
	if !updated {
		return lifecycle.Unknown("job", j.ID)
	}
	return nil
}

// Beat writes the heartbeat of a job, unless it runs no longer.
func (r Jobs) Beat(ctx context.Context, id string, now time.Time) error {
	_, err := r.tx.ExecContext(ctx, `UPDATE jobs SET heartbeat_at = ? WHERE id = ? AND state = ?`,
		stamp{&now}, id, job.Running)
	if err != nil {
		return fmt.Errorf("beat of job %s: %w", id, err)
	}
	return nil
}
