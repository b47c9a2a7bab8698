// Package worker works off a queue of jobs, each of which carries one plan to
// its end, with a few goroutines at a time.
//
// The queue is in the database, so that a job outlives the process that took it,
// and several processes share it. Each job belongs to one of them, by a lease:
// the process puts off its end for as long as it lives, also while it shuts
// down, and takes no job but its own. When a lease ends, its process is gone, and
// another may adopt the job. A process that cannot renew its leases stops what
// it runs before they end.
//
// Apart from that, a job gives a sign of life when it gets on, at the beginning
// of each phase. One that does not for longer than the limit, if there is one, is
// stopped.
package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/mapguard/mapguard/reference/id"
	"github.com/mapguard/mapguard/reference/job"
	"github.com/mapguard/mapguard/reference/lifecycle"
	"github.com/mapguard/mapguard/reference/store"
)

// DefaultWorkers is how many jobs run at a time unless it is said otherwise.
const DefaultWorkers = 4

// MaxWorkers is how many jobs may run at a time: each is a goroutine at least, and
// more likely a process.
const MaxWorkers = 256

// LeastLease is how long a lease must last at least: what is renewed more often
// than a busy machine can is lost.
const LeastLease = 100 * time.Millisecond

// Why a running job was stopped: the causes of its context.
var (
	ErrCancelled = errors.New("cancelled by request")
	ErrStuck     = errors.New("it took longer than the limit")
	ErrShutdown  = errors.New("the worker shuts down")
	ErrLost      = errors.New("the lease was lost to another process")
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
	// Owner names the process in its leases: host, process and a unique part when
	// it is empty.
	Owner string
	// Command is what the handler does in each phase, as it is written to jobs.
	Command string
	// Lease is how long a job stays with a process that gives no sign of life, 10
	// seconds when it is zero. Leases are renewed five times in that time.
	Lease time.Duration
	// Limit is how long a job may go without a sign of life; 0 means no limit.
	Limit time.Duration
	// Poll is the time between two looks at a job of another process which a
	// caller waits for; 200 milliseconds when it is zero.
	Poll time.Duration
	// Adopt, when it is not nil, says whether a job that no process has may be
	// adopted, by nil, or why not.
	Adopt func(job.Job) error
	// NewID makes the identifiers of jobs, Now is the clock, NewTicker makes
	// the ticks at which leases are renewed and others' jobs looked at: the real
	// ones where they are nil.
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
	c.Lease = cmp.Or(c.Lease, 10*time.Second)
	c.Poll = cmp.Or(c.Poll, 200*time.Millisecond)
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
	if c.Owner == "" {
		host, _ := os.Hostname() // only people read it: the last part makes it unique
		c.Owner = fmt.Sprintf("%s:%d:%s", host, os.Getpid(), id.New())
	}
	return c
}

// check returns the error that a pool cannot work like this.
func (c Config) check() error {
	switch {
	case c.Workers < 0 || c.Workers > MaxWorkers:
		return lifecycle.Invalid("workers", fmt.Sprint(c.Workers), fmt.Sprintf("between 1 and %d jobs can run at a time", MaxWorkers))
	case c.Lease < LeastLease:
		return lifecycle.Invalid("lease", c.Lease.String(), "it must be at least "+LeastLease.String())
	case c.Limit < 0:
		return lifecycle.Invalid("limit", c.Limit.String(), "it cannot be negative; 0 is none")
	}
	return nil
}

// lease is what the pool writes to its jobs now.
func (p *Pool) lease() job.Lease {
	return job.Lease{Owner: p.config.Owner, Command: p.config.Command, Until: p.config.Now().Add(p.config.Lease)}
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

	// mu protects stops, which stop the jobs that run, and waiters, which are
	// told when a job ends or goes back to the queue, both by identifier of the job.
	mu      sync.Mutex
	stops   map[string]context.CancelCauseFunc
	waiters map[string][]chan struct{}

	// safe is until when no other process takes the jobs of this one. Only the
	// heart uses it.
	safe time.Time
}

// Start returns a pool whose workers take the jobs of its owner from the queue
// until [Pool.Shutdown].
func Start(unit store.Unit, registry Registry, handle Handler, config Config) (*Pool, error) {
	config = config.withDefaults()
	if err := config.check(); err != nil {
		return nil, err
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
		waiters:  map[string][]chan struct{}{},
	}
	p.safe = p.lease().Until
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

// Submit puts a job for the plan called planID into the queue and returns it. A
// plan has one job at a time: one that is free is adopted, to be done with the
// command of this pool; one that a process has, this or another, is returned as
// it is.
func (p *Pool) Submit(ctx context.Context, planID string) (submitted job.Job, err error) {
	select {
	case <-p.quit:
		return job.Job{}, lifecycle.NotReady("worker", planID, ErrShutdown.Error())
	default:
	}
	err = p.unit.Do(ctx, func(tx *store.Tx) error {
		if _, err := tx.Plans.Get(ctx, planID); err != nil {
			return err
		}
		now := p.config.Now()
		current, err := tx.Jobs.AtWork(ctx, planID)
		switch {
		case errors.Is(err, lifecycle.ErrUnknown):
			submitted = job.New(p.config.NewID(), planID, p.lease(), now)
			return tx.Jobs.Insert(ctx, submitted)
		case err != nil:
			return err
		case !current.Free(now):
			submitted = current
			return nil
		}
		submitted, err = p.adopt(ctx, tx, current, now)
		return err
	})
	if err != nil {
		return job.Job{}, err
	}
	p.wakeOne()
	return submitted, nil
}

// Mine reports whether a job belongs to this pool.
func (p *Pool) Mine(j job.Job) bool { return j.Owner == p.config.Owner }

// Wait waits for the end of a job, whichever process does it, and returns it as
// it is then. A job that becomes free meanwhile is adopted, if it may be. When the pool shuts
// down, the jobs in its queue will not end here, and Wait gives up.
func (p *Pool) Wait(ctx context.Context, jobID string) (job.Job, error) {
	changed := p.listen(jobID)
	defer p.unlisten(jobID, changed)
	polls, stopPolls := p.config.NewTicker(p.config.Poll)
	defer stopPolls()
	for {
		current, err := p.look(ctx, jobID)
		if err != nil || current.Terminal() {
			return current, err
		}
		// This pool's own jobs need no second look: it will say when they end.
		ticks := polls
		if p.Mine(current) {
			ticks = nil
		}
		select {
		case <-changed:
		case <-ticks:
		case <-p.quit:
			return current, lifecycle.NotReady("job", jobID, ErrShutdown.Error())
		case <-ctx.Done():
			return current, context.Cause(ctx)
		}
	}
}

// look returns a job as it is now, adopted when it was free.
func (p *Pool) look(ctx context.Context, jobID string) (current job.Job, err error) {
	adopted := false
	err = p.unit.Do(ctx, func(tx *store.Tx) error {
		if current, err = tx.Jobs.Get(ctx, jobID); err != nil {
			return err
		}
		now := p.config.Now()
		if adopted = current.Free(now); !adopted {
			return nil
		}
		current, err = p.adopt(ctx, tx, current, now)
		return err
	})
	if adopted && err == nil {
		p.wakeOne()
	}
	return current, err
}

// adopt makes a free job one of this pool, if it may be.
func (p *Pool) adopt(ctx context.Context, tx *store.Tx, free job.Job, now time.Time) (job.Job, error) {
	if p.config.Adopt != nil {
		if err := p.config.Adopt(free); err != nil {
			return free, err
		}
	}
	adopted, err := free.Adopt(p.lease(), now)
	if err != nil {
		return free, err
	}
	return adopted, tx.Jobs.Update(ctx, adopted)
}

// listen returns a channel that gets a token when a job ends or goes back to the
// queue in this process.
func (p *Pool) listen(jobID string) chan struct{} {
	changed := make(chan struct{}, 1)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiters[jobID] = append(p.waiters[jobID], changed)
	return changed
}

// unlisten takes back a call of listen.
func (p *Pool) unlisten(jobID string, changed chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	left := slices.DeleteFunc(p.waiters[jobID], func(c chan struct{}) bool { return c == changed })
	if len(left) == 0 {
		delete(p.waiters, jobID)
		return
	}
	p.waiters[jobID] = left
}

// tell gives a token to all who listen for a job.
func (p *Pool) tell(jobID string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, changed := range p.waiters[jobID] {
		select {
		case changed <- struct{}{}:
		default: // it has one already
		}
	}
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
	if err == nil {
		p.tell(jobID)
	}
	if errors.Is(err, lifecycle.ErrNotReady) && p.stop(jobID, ErrCancelled) {
		// A worker took it from the queue meanwhile.
		return nil
	}
	return err
}

// Unfinished returns the jobs that have not come to an end, whichever process has
// them, if one has.
func (p *Pool) Unfinished(ctx context.Context) (unfinished []job.Job, err error) {
	err = p.unit.Do(ctx, func(tx *store.Tx) (err error) {
		unfinished, err = tx.Jobs.Unfinished(ctx)
		return err
	})
	return unfinished, err
}

// Shutdown stops taking jobs and waits for those that run. When ctx ends before
// they do it stops them; they go back to the queue. All leases are renewed until
// the last has stopped, and jobs in the queue are given up then. It returns when
// no goroutine of the pool is left.
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
