package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mapguard/mapguard/reference/job"
	"github.com/mapguard/mapguard/reference/lifecycle"
	"github.com/mapguard/mapguard/reference/store"
)

// work is one worker: it runs the jobs of its owner in the queue, waits for more when there
// are none, and returns when the pool shuts down.
func (p *Pool) work() {
	for {
		select {
		case <-p.quit:
			return
		default:
		}
		if p.workOne() {
			continue
		}
		select {
		case <-p.quit:
		case <-p.wake:
		}
	}
}

// workOne runs the oldest job of the owner in the queue, and reports whether
// there was one.
func (p *Pool) workOne() bool {
	ctx, stop := context.WithCancelCause(p.life)
	defer stop(nil)
	taken, err := p.claim(stop)
	if errors.Is(err, lifecycle.ErrUnknown) {
		return false
	}
	if err != nil {
		p.config.Log.Error("take job", "error", err)
		return false
	}
	if err := p.registry.Begin(taken.ID, p.config.Now()); err != nil {
		p.forget(taken.ID)
		p.config.Log.Error("begin job", "job", taken.ID, "error", err)
		return true
	}
	outcome := p.attempt(ctx, taken)
	p.registry.End(taken.ID)
	p.forget(taken.ID)
	p.finish(taken, outcome, context.Cause(ctx))
	return true
}

// claim takes the oldest job from the queue. From the moment when others can
// see that it is taken, stop stops it.
func (p *Pool) claim(stop context.CancelCauseFunc) (taken job.Job, err error) {
	err = p.unit.Do(p.life, func(tx *store.Tx) error {
		oldest, err := tx.Jobs.Oldest(p.life, p.config.Owner)
		if err != nil {
			return err
		}
		if taken, err = oldest.Move(job.Running, "", p.config.Now()); err != nil {
			return err
		}
		taken.LeasedUntil = p.lease().Until
		p.remember(taken.ID, stop)
		return tx.Jobs.Update(p.life, taken)
	})
	if err != nil {
		p.forget(taken.ID)
	}
	return taken, err
}

// remember enters a job among those that can be stopped.
func (p *Pool) remember(jobID string, stop context.CancelCauseFunc) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stops[jobID] = stop
}

// forget takes a job out of those that can be stopped.
func (p *Pool) forget(jobID string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.stops, jobID)
}

// attempt calls the handler. A panic in it is the end of the job, not of the
// worker.
func (p *Pool) attempt(ctx context.Context, taken job.Job) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("panic: %v", reason)
		}
	}()
	return p.handle(ctx, taken, func() {
		if err := p.registry.Beat(taken.ID, p.config.Now()); err != nil {
			p.config.Log.Error("beat of job", "job", taken.ID, "error", err)
		}
	})
}

// errGone says that a job which was lost belongs to another process.
var errGone = errors.New("the job is another's")

// finish writes what became of a job: outcome is what its handler returned,
// cause is why its context ended, if it did.
func (p *Pool) finish(taken job.Job, outcome, cause error) {
	state, reason := job.Succeeded, ""
	switch {
	case outcome == nil:
	case errors.Is(cause, ErrLost), errors.Is(cause, ErrShutdown):
		// What becomes of one that is lost is up to the process that has it now. If
		// none has taken it, it is this pool's again, and waits for a worker.
		state, reason = job.Queued, cause.Error()
	case errors.Is(cause, ErrCancelled):
		state, reason = job.Cancelled, cause.Error()
	case errors.Is(cause, ErrStuck):
		state, reason = job.Failed, cause.Error()
	default:
		state, reason = job.Failed, outcome.Error()
	}
	ctx := context.WithoutCancel(p.life)
	var finished job.Job
	err := p.unit.Do(ctx, func(tx *store.Tx) error {
		current, err := tx.Jobs.Get(ctx, taken.ID)
		if err != nil {
			return err
		}
		if !p.Mine(current) && errors.Is(cause, ErrLost) {
			return errGone
		}
		if !p.Mine(current) {
			return job.NotFree(current)
		}
		if finished, err = current.Move(state, reason, p.config.Now()); err != nil {
			return err
		}
		return tx.Jobs.Update(ctx, finished)
	})
	p.tell(taken.ID)
	if errors.Is(err, errGone) {
		return
	}
	if err != nil {
		p.config.Log.Error("finish job", "job", taken.ID, "error", err)
		return
	}
	if p.config.Finished != nil {
		p.config.Finished(finished)
	}
}

// heart renews the leases of the pool and stops the jobs that are stuck, until
// the workers are done; then it gives up what is left in the queue.
func (p *Pool) heart(workersDone <-chan struct{}) {
	defer close(p.idle)
	ticks, stopTicks := p.config.NewTicker(p.config.Lease / 5)
	defer stopTicks()
	for {
		select {
		case <-workersDone:
			p.release()
			return
		case <-ticks:
			p.beat()
		}
	}
}

// release gives up the jobs in the queue, so that others need not wait for the
// end of their leases.
func (p *Pool) release() {
	ctx := context.WithoutCancel(p.life)
	err := p.unit.Do(ctx, func(tx *store.Tx) error { return tx.Jobs.Release(ctx, p.config.Owner) })
	if err != nil {
		p.config.Log.Error("give up jobs", "error", err)
	}
}

// beat is one heartbeat. It also makes a worker look at the queue, for jobs that
// could not be taken before.
func (p *Pool) beat() {
	p.wakeOne()
	if p.config.Limit > 0 {
		for _, jobID := range p.registry.Stuck(p.config.Now().Add(-p.config.Limit)) {
			p.config.Log.Warn("stop stuck job", "job", jobID, "limit", p.config.Limit)
			p.stop(jobID, ErrStuck)
		}
	}
	for _, jobID := range p.renew() {
		p.config.Log.Warn("stop job whose lease is lost", "job", jobID)
		p.stop(jobID, ErrLost)
	}
}

// renew puts off the end of the pool's leases, and returns the running jobs that
// are lost: another process has them, or can take them before the next beat,
// since the database could not be written for too long.
func (p *Pool) renew() (lost []string) {
	running := p.registry.Running()
	until := p.lease().Until
	ctx, cancel := context.WithTimeout(context.WithoutCancel(p.life), p.config.Lease/2)
	defer cancel()
	var held []string
	err := p.unit.Do(ctx, func(tx *store.Tx) (err error) {
		held, err = tx.Jobs.Renew(ctx, p.config.Owner, until)
		return err
	})
	if err == nil {
		p.safe = until
	} else {
		p.config.Log.Error("renew leases", "error", err)
		if p.config.Now().Add(2 * p.config.Lease / 5).Before(p.safe) {
			return nil
		}
	}
	for jobID := range running {
		if !slices.Contains(held, jobID) {
			lost = append(lost, jobID)
		}
	}
	slices.Sort(lost)
	return lost
}
