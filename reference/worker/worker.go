// Package worker works off a queue of jobs, each of which carries one plan to
// its end, with a few goroutines at a time.
//
// The queue is in the database, so that a job outlives the process that took
// it. Two signs of life are kept of a job that runs. The process writes a
// heartbeat of all its jobs to the database: a job whose heartbeat has stopped
// belongs to a process that is gone, and is queued again by [Pool.Recover]. And
// the job itself beats when it gets on: one that has not for too long is stuck,
// and is stopped.
package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/mapguard/mapguard/reference/id"
	"github.com/mapguard/mapguard/reference/job"
	"github.com/mapguard/mapguard/reference/lifecycle"
	"github.com/mapguard/mapguard/reference/store"
)

// DefaultWorkers is how many jobs run at a time unless it is said otherwise.
const DefaultWorkers = 4

// Why a running job was stopped: the causes of its context.
var (
	ErrCancelled = errors.New("cancelled by request")
	ErrStuck     = errors.New("no sign of life")
	ErrShutdown  = errors.New("the worker shuts down")
)

// Registry knows the jobs that run in this process. It must be safe for
// concurrent use.
type Registry interface {
	Begin(jobID string, now time.Time) error
	Beat(jobID string, now time.Time) error
	End(jobID string)
	Stuck(cutoff time.Time) []string
	Running() map[string]job.Run
}

// Handler does a job. It calls beat whenever it gets on, and returns when its
// context ends. It must be safe for concurrent use.
type Handler func(ctx context.Context, j job.Job, beat func()) error

// Ticker returns a channel of ticks and a function that stops them.
type Ticker func(every time.Duration) (ticks <-chan time.Time, stop func())

// Config is how a pool works. Its zero value is what a service runs with.
type Config struct {
	// Workers is how many jobs run at a time, DefaultWorkers when it is zero.
	Workers int
	// Heartbeat is the time between two heartbeats, 5 seconds when it is zero.
	Heartbeat time.Duration
	// StuckAfter is how long a job may go without a sign of life, and how old
	// the heartbeat of a process must be for it to be held for gone; a minute
	// when it is zero.
	StuckAfter time.Duration
	// NewID makes the identifiers of jobs, Now is the clock, NewTicker makes
	// the ticks at which the heart beats: the real ones where they are nil.
	NewID     id.Source
	Now       func() time.Time
	NewTicker Ticker
	// Finished, when it is not nil, is told of each job that has come to an
	// end or gone back to the queue, after that was written. It is called by
	// the worker that ran the job and must be safe for concurrent use.
	Finished func(job.Job)
	// Log receives what goes wrong where no caller could be told.
	Log *slog.Logger
}

func (c Config) withDefaults() Config {
	c.Workers = cmp.Or(c.Workers, DefaultWorkers)
	c.Heartbeat = cmp.Or(c.Heartbeat, 5*time.Second)
	c.StuckAfter = cmp.Or(c.StuckAfter, time.Minute)
	c.Log = cmp.Or(c.Log, slog.Default())
	if c.NewID == nil {
		c.NewID = id.New
	}
	if c.Now == nil {
		c.Now = func() time.Time { return time.Now().UTC() }
	}
	if c.NewTicker == nil {
		c.NewTicker = func(every time.Duration) (<-chan time.Time, func()) {
			ticker := time.NewTicker(every)
			return ticker.C, ticker.Stop
		}
	}
	return c
}

// Pool works off the queue. It is safe for concurrent use.
type Pool struct {
	unit     store.Unit
	registry Registry
	handle   Handler
	config   Config

	// wake holds one token for each worker that should look at the queue.
	wake chan struct{}
	// quit is closed when no more jobs are to be taken from the queue.
	quit     chan struct{}
	quitOnce sync.Once
	// idle is closed when the heart has stopped, after the last worker.
	idle chan struct{}
	// life is the context of all jobs; end ends it.
	life context.Context
	end  context.CancelCauseFunc

	// mu protects stops, which stop the jobs that run, by identifier.
	mu    sync.Mutex
	stops map[string]context.CancelCauseFunc
}

// Start returns a pool whose workers take jobs from the queue until
// [Pool.Shutdown]. Jobs that are in the queue already are taken as well.
func Start(unit store.Unit, registry Registry, handle Handler, config Config) (*Pool, error) {
	config = config.withDefaults()
	if config.Workers < 0 {
		return nil, lifecycle.Invalid("worker", fmt.Sprint(config.Workers), "at least one job must run at a time")
	}
	p := &Pool{
		unit:     unit,
		registry: registry,
		handle:   handle,
		config:   config,
		wake:     make(chan struct{}, config.Workers),
		quit:     make(chan struct{}),
		idle:     make(chan struct{}),
		stops:    map[string]context.CancelCauseFunc{},
	}
	p.life, p.end = context.WithCancelCause(context.Background())
	workersDone := make(chan struct{})
	var workers sync.WaitGroup
	for range config.Workers {
		workers.Go(p.work)
	}
	go func() {
		workers.Wait()
		close(workersDone)
	}()
	go p.heart(workersDone)
	return p, nil
}

// Submit puts a job for the plan called planID into the queue.
func (p *Pool) Submit(ctx context.Context, planID string) (job.Job, error) {
	select {
	case <-p.quit:
		return job.Job{}, lifecycle.NotReady("worker", planID, ErrShutdown.Error())
	default:
	}
	queued := job.New(p.config.NewID(), planID, p.config.Now())
	err := p.unit.Do(ctx, func(tx *store.Tx) error {
		if _, err := tx.Plans.Get(ctx, planID); err != nil {
			return err
		}
		return tx.Jobs.Insert(ctx, queued)
	})
	if err != nil {
		return job.Job{}, err
	}
	p.wakeOne()
	return queued, nil
}

// Cancel takes a job out of the queue, or stops it when it runs.
func (p *Pool) Cancel(ctx context.Context, jobID string) error {
	if p.stop(jobID, ErrCancelled) {
		return nil
	}
	err := p.unit.Do(ctx, func(tx *store.Tx) error {
		current, err := tx.Jobs.Get(ctx, jobID)
		if err != nil {
			return err
		}
		if current.State == job.Running {
			return lifecycle.NotReady("job", jobID, "it is taken by a worker, but does not run here")
		}
		cancelled, err := current.Move(job.Cancelled, ErrCancelled.Error(), p.config.Now())
		if err != nil {
			return err
		}
		return tx.Jobs.Update(ctx, cancelled)
	})
	if errors.Is(err, lifecycle.ErrNotReady) && p.stop(jobID, ErrCancelled) {
		// A worker took it from the queue meanwhile.
		return nil
	}
	return err
}

// Recover queues the jobs again whose process is gone, and returns them.
func (p *Pool) Recover(ctx context.Context) (recovered []job.Job, err error) {
	err = p.unit.Do(ctx, func(tx *store.Tx) error {
		silent, err := tx.Jobs.Silent(ctx, p.config.Now().Add(-p.config.StuckAfter))
		if err != nil {
			return err
		}
		for _, lost := range silent {
			queued, err := lost.Move(job.Queued, "", p.config.Now())
			if err != nil {
				return err
			}
			if err := tx.Jobs.Update(ctx, queued); err != nil {
				return err
			}
			recovered = append(recovered, queued)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for range min(len(recovered), p.config.Workers) {
		p.wakeOne()
	}
	return recovered, nil
}

// Shutdown stops taking jobs and waits for those that run. When ctx ends before
// they do it stops them; they go back to the queue. It returns when no
// goroutine of the pool is left.
func (p *Pool) Shutdown(ctx context.Context) error {
	p.quitOnce.Do(func() { close(p.quit) })
	var err error
	select {
	case <-p.idle:
	case <-ctx.Done():
		err = fmt.Errorf("shut down in peace: %w", ctx.Err())
		p.end(ErrShutdown)
		<-p.idle
	}
	p.end(ErrShutdown)
	return err
}

// wakeOne makes a worker look at the queue. When there is a token for each
// worker already, each will look.
func (p *Pool) wakeOne() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// stop ends the context of a job, and reports whether it runs here.
func (p *Pool) stop(jobID string, cause error) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	stop, ok := p.stops[jobID]
	if ok {
		stop(cause)
	}
	return ok
}
