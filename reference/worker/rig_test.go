package worker_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mapguard/mapguard/reference/fixed/jobs"
	"github.com/mapguard/mapguard/reference/fixed/plan"
	"github.com/mapguard/mapguard/reference/fixed/uow"
	"github.com/mapguard/mapguard/reference/internal/servicetest"
	"github.com/mapguard/mapguard/reference/job"
	"github.com/mapguard/mapguard/reference/lifecycle"
	"github.com/mapguard/mapguard/reference/store"
	"github.com/mapguard/mapguard/reference/worker"
)

// pollEvery tells the ticker of those who wait from that of the heart.
const pollEvery = time.Second

// rig is a pool whose clock and heart a test has in hand.
type rig struct {
	*worker.Pool
	t        *testing.T
	unit     *uow.UnitOfWork
	registry *jobs.Registry
	clock    *servicetest.Clock
	planID   string
	ticks    chan time.Time
	polls    chan time.Time
	finished chan job.Job
	// adopt is that of the pool's configuration.
	adopt func(job.Job) error
	log   *logText
}

// logText is a text that goroutines write and a test reads and waits for.
type logText struct {
	// mu protects text; grown says that there is more of it.
	mu    sync.Mutex
	grown *sync.Cond
	text  strings.Builder
}

func newLogText() *logText {
	l := &logText{}
	l.grown = sync.NewCond(&l.mu)
	return l
}

// Write writes to the text.
func (l *logText) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.grown.Broadcast()
	return l.text.Write(line)
}

// await returns when the text holds each of the words.
func (l *logText) await(words ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, word := range words {
		for !strings.Contains(l.text.String(), word) {
			l.grown.Wait()
		}
	}
}

// newRig returns a rig whose pool has not been started.
func newRig(t *testing.T) *rig {
	t.Helper()
	ctx := t.Context()
	r := &rig{
		t:        t,
		unit:     servicetest.Unit(t),
		registry: jobs.NewRegistry(),
		clock:    servicetest.NewClock(),
		ticks:    make(chan time.Time),
		polls:    make(chan time.Time),
		finished: make(chan job.Job, 100),
		log:      newLogText(),
	}
	plans := plan.New(plan.Config{Unit: r.unit})
	if _, err := plans.CreateAction(ctx, lifecycle.ActionSpec{Name: "a/b", DefinitionOfDone: "done"}); err != nil {
		t.Fatal(err)
	}
	if _, err := plans.Publish(ctx, "a/b"); err != nil {
		t.Fatal(err)
	}
	made, err := plans.Use(ctx, lifecycle.Usage{Action: "a/b", Projects: []string{"p"}})
	if err != nil {
		t.Fatal(err)
	}
	r.planID = made.ID
	return r
}

// start starts the pool, which ends with the test at the latest.
func (r *rig) start(workers int, handle worker.Handler) {
	r.t.Helper()
	pool, err := worker.Start(r.unit, r.registry, handle, worker.Config{
		Workers: workers,
		Owner:   "here",
		Command: "true",
		Lease:   time.Minute,
		Limit:   time.Minute,
		Now:     r.clock.Now,
		Poll:    pollEvery,
		NewTicker: func(every time.Duration) (<-chan time.Time, func()) {
			if every == pollEvery {
				return r.polls, func() {}
			}
			return r.ticks, func() {}
		},
		Adopt:    r.adopt,
		Finished: func(j job.Job) { r.finished <- j },
		Log:      slog.New(slog.NewTextHandler(r.log, nil)),
	})
	if err != nil {
		r.t.Fatal(err)
	}
	r.Pool = pool
	r.t.Cleanup(func() {
		inHaste, end := context.WithCancel(context.Background())
		end()
		if err := pool.Shutdown(inHaste); err != nil && !errors.Is(err, context.Canceled) {
			r.t.Error(err)
		}
	})
}

// submit submits a plan that has no job.
func (r *rig) submit() job.Job {
	r.t.Helper()
	submitted, err := r.Submit(r.t.Context(), r.newPlans(1)[0])
	if err != nil {
		r.t.Fatal(err)
	}
	return submitted
}

// beat lets the heart beat, and waits until it has.
func (r *rig) beat() {
	r.ticks <- time.Time{}
	// The heart takes the second tick after the first beat.
	r.ticks <- time.Time{}
}

// read returns a job as the database has it.
func (r *rig) read(jobID string) (j job.Job) {
	r.t.Helper()
	ctx := r.t.Context()
	err := r.unit.Do(ctx, func(tx *store.Tx) (err error) {
		j, err = tx.Jobs.Get(ctx, jobID)
		return err
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return j
}

// insert puts a job of someone else into the database, as made by make.
func (r *rig) insert(make func(*job.Job)) job.Job {
	r.t.Helper()
	ctx := r.t.Context()
	theirs := job.New("theirs", r.planID, job.Lease{
		Owner: "elsewhere", Command: "false", Until: r.clock.Now().Add(time.Minute),
	}, r.clock.Now())
	make(&theirs)
	if err := r.unit.Do(ctx, func(tx *store.Tx) error { return tx.Jobs.Insert(ctx, theirs) }); err != nil {
		r.t.Fatal(err)
	}
	return theirs
}

// change writes a job of the database anew, as another process does.
func (r *rig) change(j job.Job) {
	r.t.Helper()
	ctx := r.t.Context()
	if err := r.unit.Do(ctx, func(tx *store.Tx) error { return tx.Jobs.Update(ctx, j) }); err != nil {
		r.t.Fatal(err)
	}
}

// newPlans makes n more plans.
func (r *rig) newPlans(n int) (planIDs []string) {
	r.t.Helper()
	plans := plan.New(plan.Config{Unit: r.unit})
	for range n {
		made, err := plans.Use(r.t.Context(), lifecycle.Usage{Action: "a/b", Projects: []string{"p"}})
		if err != nil {
			r.t.Fatal(err)
		}
		planIDs = append(planIDs, made.ID)
	}
	return planIDs
}

// untilStopped is a handler that tells who runs and waits until it is stopped.
func untilStopped(running chan<- string) worker.Handler {
	return func(ctx context.Context, j job.Job, _ func()) error {
		select {
		case running <- j.ID:
			<-ctx.Done()
		case <-ctx.Done():
		}
		return ctx.Err()
	}
}
