package worker

import (
	"context"
	"errors"
	"fmt"

	"github.com/mapguard/mapguard/reference/job"
	"github.com/mapguard/mapguard/reference/lifecycle"
	"github.com/mapguard/mapguard/reference/store"
)

// work is one worker: it runs the jobs in the queue, waits for more when there
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

// workOne runs the oldest job in the queue, and reports whether there was one.
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
		oldest, err := tx.Jobs.Oldest(p.life)
		if err != nil {
			return err
		}
		if taken, err = oldest.Move(job.Running, "", p.config.Now()); err != nil {
			return err
		}
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

// finish writes what became of a job: outcome is what its handler returned,
// cause is why its context ended, if it did.
func (p *Pool) finish(taken job.Job, outcome, cause error) {
	state, reason := job.Succeeded, ""
	switch {
	case outcome == nil:
	case errors.Is(cause, ErrShutdown):
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
		if finished, err = current.Move(state, reason, p.config.Now()); err != nil {
			return err
		}
		return tx.Jobs.Update(ctx, finished)
	})
	if err != nil {
		p.config.Log.Error("finish job", "job", taken.ID, "error", err)
		return
	}
	if p.config.Finished != nil {
		p.config.Finished(finished)
	}
}

// heart writes the heartbeats of the jobs that run, and stops those that are
// stuck, until the workers are done.
func (p *Pool) heart(workersDone <-chan struct{}) {
	defer close(p.idle)
	ticks, stopTicks := p.config.NewTicker(p.config.Heartbeat)
	defer stopTicks()
	for {
		select {
		case <-workersDone:
			return
		case <-ticks:
			p.beat()
		}
	}
}

// beat is one heartbeat. It also makes a worker look at the queue, for jobs that
// another process put there and for those that could not be taken before.
func (p *Pool) beat() {
	p.wakeOne()
	now := p.config.Now()
	for _, jobID := range p.registry.Stuck(now.Add(-p.config.StuckAfter)) {
		p.config.Log.Warn("stop stuck job", "job", jobID)
		p.stop(jobID, ErrStuck)
	}
	running := p.registry.Running()
	if len(running) == 0 {
		return
	}
	err := p.unit.Do(p.life, func(tx *store.Tx) error {
		for jobID := range running {
			if err := tx.Jobs.Beat(p.life, jobID, now); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		p.config.Log.Error("heartbeat", "error", err)
	}
}
