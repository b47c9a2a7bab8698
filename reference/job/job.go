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
// goes back to the queue when the process that ran it stops or is gone.
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
	// Owner is the process that is to do the job, empty when it gave the job up.
	Owner string
	// Command is what that process does in each phase of the plan.
	Command string
	// LeasedUntil is how long the job belongs to its owner. The owner puts it off
	// again and again; when it has passed, the owner is gone.
	LeasedUntil time.Time
}

// Lease says whose a job is: the owner, what it does in each phase, and until
// when others leave the job to it.
type Lease struct {
	Owner   string
	Command string
	Until   time.Time
}

// New returns a queued job for a plan, which belongs to the owner of lease.
func New(id, planID string, lease Lease, now time.Time) Job {
	j := Job{ID: id, PlanID: planID, State: Queued, QueuedAt: now}
	return j.leased(lease)
}

func (j Job) leased(lease Lease) Job {
	j.Owner, j.Command, j.LeasedUntil = lease.Owner, lease.Command, lease.Until
	return j
}

// Free reports whether the job waits for an owner: it is at work in name, but
// nothing does it, since its owner gave it up or is gone.
func (j Job) Free(now time.Time) bool {
	return !j.Terminal() && (j.Owner == "" || j.LeasedUntil.Before(now))
}

// Adopt returns a free job as that of another owner, in the queue.
func (j Job) Adopt(lease Lease, now time.Time) (Job, error) {
	if !j.Free(now) {
		return Job{}, NotFree(j)
	}
	if j.State == Running {
		var err error
		if j, err = j.Move(Queued, "", now); err != nil {
			return Job{}, err
		}
	}
	return j.leased(lease), nil
}

// NotFree returns the error that a job belongs to another process.
func NotFree(j Job) error {
	return lifecycle.NotReady("job", j.ID, "process "+j.Owner+" has it")
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
		j.StartedAt = now
	case Queued:
		j.StartedAt = time.Time{}
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
