// Package job holds what a job of the worker is, and the one table of the moves
// between its states.
package job

import (
	"time"

	"github.com/mapguard/mapguard/reference/lifecycle"
)

// State is the state of a job.
type State string

// The states of a job.
const (
	Queued    State = "queued"
	Running   State = "running"
	Succeeded State = "succeeded"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// States returns all states.
func States() []State {
	return []State{Queued, Running, Succeeded, Failed, Cancelled}
}

// moves lists, for each state, the states that may follow it. A running job
// goes back to the queue when the process that ran it is gone.
var moves = map[State][]State{
	Queued:  {Running, Cancelled},
	Running: {Succeeded, Failed, Cancelled, Queued},
}

// Job is one piece of work for the worker: to carry a plan through its phases.
type Job struct {
	// ID is the identifier of the job, a ULID: the oldest job is the first.
	ID     string
	PlanID string
	State  State
	// Attempts counts how often the job was started.
	Attempts int
	// Error says why the job failed or was cancelled.
	Error      string
	QueuedAt   time.Time
	StartedAt  time.Time
	FinishedAt time.Time
	// HeartbeatAt is when the worker that runs the job last said so.
	HeartbeatAt time.Time
}

// New returns a queued job for a plan.
func New(id, planID string, now time.Time) Job {
	return Job{ID: id, PlanID: planID, State: Queued, QueuedAt: now}
}

// Move returns the job in state to, or the error that it cannot go there.
func (j Job) Move(to State, reason string, now time.Time) (Job, error) {
	allowed := false
	for _, state := range moves[j.State] {
		allowed = allowed || state == to
	}
	if !allowed {
		return Job{}, lifecycle.NotReady("job", j.ID,
			"it is "+string(j.State)+" and cannot become "+string(to))
	}
	j.State, j.Error = to, reason
	switch to {
	case Running:
		j.Attempts++
		j.StartedAt, j.HeartbeatAt = now, now
	case Queued:
		j.StartedAt, j.HeartbeatAt = time.Time{}, time.Time{}
	default:
		j.FinishedAt = now
	}
	return j, nil
}

// Terminal reports whether the job is done, one way or another.
func (j Job) Terminal() bool { return len(moves[j.State]) == 0 }

// Run is what is known of a job while it runs.
type Run struct {
	Since     time.Time
	Heartbeat time.Time
}
