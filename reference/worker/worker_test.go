package worker_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/mapguard/mapguard/reference/internal/servicetest"
	"github.com/mapguard/mapguard/reference/job"
	"github.com/mapguard/mapguard/reference/lifecycle"
	"github.com/mapguard/mapguard/reference/worker"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var errWork = errors.New("no disk")

func TestWhatBecomesOfAJob(t *testing.T) {
	for name, c := range map[string]struct {
		handle worker.Handler
		want   job.State
		reason string
	}{
		"success": {func(context.Context, job.Job, func()) error { return nil }, job.Succeeded, ""},
		"failure": {func(context.Context, job.Job, func()) error { return errWork }, job.Failed, "no disk"},
		"panic":   {func(context.Context, job.Job, func()) error { panic("no disk") }, job.Failed, "panic: no disk"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.start(1, c.handle)
			submitted := r.submit()
			finished := <-r.finished
			if finished.ID != submitted.ID || finished.State != c.want || finished.Error != c.reason {
				t.Errorf("finished %+v", finished)
			}
			if got := r.read(submitted.ID); got != finished {
				t.Errorf("the database has %+v", got)
			}
			if r.registry.Len() != 0 {
				t.Error("the job still runs")
			}
		})
	}
}

func TestWorkersRunTogetherAndTakeAllJobs(t *testing.T) {
	r := newRig(t)
	var together sync.WaitGroup
	together.Add(worker.DefaultWorkers)
	var first sync.Map
	r.start(0, func(_ context.Context, j job.Job, _ func()) error {
		// The first job of each worker waits for those of the others.
		if j.QueuedAt.Equal(r.clock.Now()) {
			if _, ran := first.LoadOrStore(j.ID, true); ran {
				return errors.New("run twice")
			}
			together.Done()
			together.Wait()
		}
		return nil
	})
	for range worker.DefaultWorkers {
		r.submit()
	}
	for range worker.DefaultWorkers {
		<-r.finished
	}
	r.clock.Advance(time.Second)
	for range 3 * worker.DefaultWorkers {
		r.submit()
	}
	for range 3 * worker.DefaultWorkers {
		<-r.finished
	}
}

func TestOwnJobsInTheQueueAreTakenAtTheStart(t *testing.T) {
	r := newRig(t)
	waiting := r.insert(func(j *job.Job) { j.Owner = "here" })
	r.start(1, func(context.Context, job.Job, func()) error { return nil })
	if finished := <-r.finished; finished.ID != waiting.ID {
		t.Errorf("finished %+v", finished)
	}
}

// TestAPlanHasOneJob submits a plan that has a job already, in this process, in
// another, and in one that is gone.
func TestAPlanHasOneJob(t *testing.T) {
	r := newRig(t)
	running := make(chan string)
	theirs := r.insert(func(*job.Job) {})
	r.start(1, untilStopped(running))
	mine := r.submit()
	<-running
	if again, err := r.Submit(t.Context(), mine.PlanID); err != nil || again.ID != mine.ID || !r.Mine(again) {
		t.Errorf("submitted again: %+v, %v", again, err)
	}
	if got, err := r.Submit(t.Context(), r.planID); err != nil || got != theirs || r.Mine(got) {
		t.Errorf("submitted what another process has: %+v, %v", got, err)
	}
	if all, err := r.Unfinished(t.Context()); err != nil || len(all) != 2 {
		t.Errorf("unfinished: %+v, %v", all, err)
	}
	r.clock.Advance(2 * time.Minute)
	got, err := r.Submit(t.Context(), r.planID)
	if err != nil || got.ID != theirs.ID || !r.Mine(got) || got.Command != "true" {
		t.Errorf("submitted what a process had that is gone: %+v, %v", got, err)
	}
}

// TestAJobThatMayNotBeAdopted is left to whom it was, by who submits its plan and
// by who waits for it.
func TestAJobThatMayNotBeAdopted(t *testing.T) {
	r := newRig(t)
	theirs := r.insert(func(*job.Job) {})
	refusal := errors.New("not that one")
	r.adopt = func(free job.Job) error {
		if free.ID != theirs.ID {
			t.Errorf("asked about %+v", free)
		}
		return refusal
	}
	r.start(1, nil)
	r.clock.Advance(2 * time.Minute)
	if _, err := r.Submit(t.Context(), r.planID); !errors.Is(err, refusal) {
		t.Errorf("submitted: %v", err)
	}
	if _, err := r.Wait(t.Context(), theirs.ID); !errors.Is(err, refusal) {
		t.Errorf("waited for: %v", err)
	}
	if left := r.read(theirs.ID); left != theirs {
		t.Errorf("it was changed: %+v", left)
	}
}

// TestWaitingForAJobOfThisProcess waits for one that succeeds and one that is
// cancelled in the queue.
func TestWaitingForAJobOfThisProcess(t *testing.T) {
	r := newRig(t)
	running, release := make(chan string), make(chan struct{})
	r.start(1, func(_ context.Context, j job.Job, _ func()) error {
		running <- j.ID
		<-release
		return nil
	})
	first, second := r.submit(), r.submit()
	ended := make(chan job.Job)
	for _, waited := range []job.Job{first, first, second} {
		go func() {
			j, err := r.Wait(t.Context(), waited.ID)
			if err != nil {
				t.Error(err)
			}
			ended <- j
		}()
	}
	<-running
	if err := r.Cancel(t.Context(), second.ID); err != nil {
		t.Error(err)
	}
	if j := <-ended; j.ID != second.ID || j.State != job.Cancelled {
		t.Errorf("ended %+v", j)
	}
	release <- struct{}{}
	for range 2 {
		if j := <-ended; j.ID != first.ID || j.State != job.Succeeded {
			t.Errorf("ended %+v", j)
		}
	}
	if _, err := r.Wait(t.Context(), "none"); !errors.Is(err, lifecycle.ErrUnknown) {
		t.Errorf("waited for no job: %v", err)
	}
}

// TestWaitingForAJobOfAnotherProcess has the other process end it, or give it up,
// or die.
func TestWaitingForAJobOfAnotherProcess(t *testing.T) {
	for name, c := range map[string]struct {
		other func(r *rig, theirs job.Job)
		mine  bool
	}{
		"it ends": {func(r *rig, theirs job.Job) {
			theirs, _ = theirs.Move(job.Succeeded, "", r.clock.Now())
			r.change(theirs)
		}, false},
		"it is given up": {func(r *rig, theirs job.Job) {
			theirs, _ = theirs.Move(job.Queued, "", r.clock.Now())
			theirs.Owner = ""
			r.change(theirs)
		}, true},
		"its process dies": {func(r *rig, theirs job.Job) { r.clock.Advance(2 * time.Minute) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			theirs := r.insert(func(j *job.Job) { j.State, j.Attempts = job.Running, 1 })
			r.start(1, func(context.Context, job.Job, func()) error { return nil })
			ended := make(chan job.Job)
			go func() {
				j, err := r.Wait(t.Context(), theirs.ID)
				if err != nil {
					t.Error(err)
				}
				ended <- j
			}()
			r.polls <- time.Time{} // nothing has happened
			c.other(r, theirs)
			var j job.Job
			for j.ID == "" {
				select {
				case r.polls <- time.Time{}:
				case j = <-ended:
				}
			}
			if j.State != job.Succeeded || r.Mine(j) != c.mine || (j.Attempts == 2) != c.mine {
				t.Errorf("ended %+v", j)
			}
		})
	}
}

func TestWaitingIsGivenUp(t *testing.T) {
	r := newRig(t)
	theirs := r.insert(func(*job.Job) {})
	r.start(1, nil)
	ended, end := context.WithCancelCause(t.Context())
	end(errWork)
	if _, err := r.Wait(ended, theirs.ID); !errors.Is(err, errWork) && !errors.Is(err, context.Canceled) {
		t.Errorf("it returned %v", err)
	}
	if err := r.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := r.Wait(t.Context(), theirs.ID); !errors.Is(err, lifecycle.ErrNotReady) {
		t.Errorf("it returned %v", err)
	}
}

func TestCancel(t *testing.T) {
	r := newRig(t)
	ctx := t.Context()
	running := make(chan string)
	r.start(1, untilStopped(running))
	first, second := r.submit(), r.submit()
	<-running
	if err := r.Cancel(ctx, second.ID); err != nil {
		t.Error(err)
	}
	if got := r.read(second.ID); got.State != job.Cancelled {
		t.Errorf("the job in the queue is %s", got.State)
	}
	if err := r.Cancel(ctx, first.ID); err != nil {
		t.Error(err)
	}
	if finished := <-r.finished; finished.ID != first.ID || finished.State != job.Cancelled {
		t.Errorf("finished %+v", finished)
	}
	if err := r.Cancel(ctx, first.ID); !errors.Is(err, lifecycle.ErrNotReady) {
		t.Errorf("cancelled twice: %v", err)
	}
	if err := r.Cancel(ctx, "none"); !errors.Is(err, lifecycle.ErrUnknown) {
		t.Errorf("cancelled what is not there: %v", err)
	}
}

func TestAJobThatRunsElsewhereIsNotCancelled(t *testing.T) {
	r := newRig(t)
	theirs := r.insert(func(j *job.Job) { j.State = job.Running })
	r.start(1, nil)
	if err := r.Cancel(t.Context(), theirs.ID); !errors.Is(err, lifecycle.ErrNotReady) {
		t.Errorf("it returned %v", err)
	}
}

// TestLeasesAreRenewed checks it while a job runs for longer than its lease, and
// while the pool waits for it to stop.
func TestLeasesAreRenewed(t *testing.T) {
	r := newRig(t)
	running, stopped, release := make(chan string), make(chan bool), make(chan bool)
	r.start(1, func(ctx context.Context, j job.Job, beat func()) error {
		running <- j.ID
		<-release
		beat()
		running <- j.ID
		<-ctx.Done()
		close(stopped)
		<-release
		return ctx.Err()
	})
	submitted, waiting := r.submit(), r.submit()
	<-running
	renewed := func(when string) {
		t.Helper()
		r.clock.Advance(50 * time.Second)
		r.beat()
		for _, j := range []job.Job{submitted, waiting} {
			if got := r.read(j.ID); !got.LeasedUntil.Equal(r.clock.Now().Add(time.Minute)) {
				t.Errorf("%s: it is %s, the lease of %s ends at %s", when, r.clock.Now(), got.State, got.LeasedUntil)
			}
		}
	}
	renewed("while it runs")
	release <- true
	<-running // after the job's own sign of life
	renewed("while it runs on")
	down, ended := make(chan error), context.Background()
	ended, end := context.WithCancel(ended)
	end()
	go func() { down <- r.Shutdown(ended) }()
	<-stopped
	renewed("during shutdown")
	release <- true
	if err := <-down; !errors.Is(err, context.Canceled) {
		t.Errorf("shutdown returned %v", err)
	}
	for _, j := range []job.Job{submitted, waiting} {
		if got := r.read(j.ID); got.State != job.Queued || got.Owner != "" {
			t.Errorf("after shutdown: %+v", got)
		}
	}
}

// TestALeaseThatIsLost has another process take a running job, which is stopped,
// and what its handler makes of that is not written.
func TestALeaseThatIsLost(t *testing.T) {
	r := newRig(t)
	running := make(chan string)
	r.start(1, untilStopped(running))
	taken := r.submit()
	<-running
	theirs := r.read(taken.ID)
	theirs.Owner = "elsewhere"
	r.change(theirs)
	r.beat()
	r.log.await("lease is lost")
	if err := r.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	if got := r.read(taken.ID); got != theirs {
		t.Errorf("the other process' job is %+v, want %+v", got, theirs)
	}
}

// TestAJobThatIsLostAtTheEnd has another process take a job just before its
// handler returns.
func TestAJobThatIsLostAtTheEnd(t *testing.T) {
	r := newRig(t)
	var theirs job.Job
	r.start(1, func(_ context.Context, j job.Job, _ func()) error {
		theirs = r.read(j.ID)
		theirs.Owner = "elsewhere"
		r.change(theirs)
		return nil
	})
	taken := r.submit()
	r.log.await(`msg="finish job"`)
	if got := r.read(taken.ID); got != theirs {
		t.Errorf("the other process' job is %+v, want %+v", got, theirs)
	}
}

// TestLeasesThatCannotBeRenewed stops what runs before its lease ends, not at the
// first failure.
func TestLeasesThatCannotBeRenewed(t *testing.T) {
	r := newRig(t)
	running, stopped := make(chan string), make(chan error, 1)
	r.start(1, func(ctx context.Context, j job.Job, _ func()) error {
		running <- j.ID
		<-ctx.Done()
		stopped <- context.Cause(ctx)
		return ctx.Err()
	})
	r.submit()
	<-running
	servicetest.Execute(t, r.unit, "ALTER TABLE jobs RENAME TO gone")
	r.clock.Advance(20 * time.Second)
	r.beat()
	r.log.await(`msg="renew leases"`)
	select {
	case cause := <-stopped:
		t.Errorf("it was stopped at once: %v", cause)
	default:
	}
	r.clock.Advance(20 * time.Second)
	r.beat()
	if cause := <-stopped; !errors.Is(cause, worker.ErrLost) {
		t.Errorf("it was stopped because of %v", cause)
	}
}

func TestAStuckJobIsStopped(t *testing.T) {
	r := newRig(t)
	running := make(chan string)
	r.start(1, untilStopped(running))
	r.submit()
	<-running
	r.clock.Advance(2 * time.Minute)
	r.ticks <- time.Time{}
	if finished := <-r.finished; finished.State != job.Failed || finished.Error != worker.ErrStuck.Error() {
		t.Errorf("finished %+v", finished)
	}
}

func TestTheHeartWakesAWorker(t *testing.T) {
	r := newRig(t)
	r.start(1, func(context.Context, job.Job, func()) error { return nil })
	r.submit()
	<-r.finished
	r.insert(func(j *job.Job) { j.Owner = "here" })
	r.beat()
	if finished := <-r.finished; finished.ID != "theirs" {
		t.Errorf("finished %+v", finished)
	}
}

func TestShutdownWaitsForWhatRuns(t *testing.T) {
	r := newRig(t)
	running, release := make(chan string), make(chan struct{})
	r.start(1, func(_ context.Context, j job.Job, _ func()) error {
		running <- j.ID
		<-release
		return nil
	})
	first, second := r.submit(), r.submit()
	<-running
	done := make(chan error)
	go func() { done <- r.Shutdown(context.Background()) }()
	for {
		if _, err := r.Submit(t.Context(), r.planID); errors.Is(err, lifecycle.ErrNotReady) {
			break // the pool takes nothing any more
		}
	}
	release <- struct{}{}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if got := r.read(first.ID); got.State != job.Succeeded {
		t.Errorf("the job that ran is %s", got.State)
	}
	if got := r.read(second.ID); got.State != job.Queued {
		t.Errorf("the job that waited is %s", got.State)
	}
}

func TestShutdownInHasteQueuesWhatRuns(t *testing.T) {
	r := newRig(t)
	running := make(chan string)
	r.start(1, untilStopped(running))
	submitted := r.submit()
	<-running
	ended, end := context.WithCancel(t.Context())
	end()
	if err := r.Shutdown(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("shutdown returned %v", err)
	}
	if got := r.read(submitted.ID); got.State != job.Queued {
		t.Errorf("the job is %s", got.State)
	}
}

func TestStartRefuses(t *testing.T) {
	for _, config := range []worker.Config{{Workers: -1}, {Lease: time.Millisecond}, {Limit: -1}} {
		if _, err := worker.Start(nil, nil, nil, config); !errors.Is(err, lifecycle.ErrInvalid) {
			t.Errorf("%+v: %v", config, err)
		}
	}
}

func TestSubmitForNoPlan(t *testing.T) {
	r := newRig(t)
	r.start(1, nil)
	if _, err := r.Submit(t.Context(), "none"); !errors.Is(err, lifecycle.ErrUnknown) {
		t.Errorf("%v", err)
	}
}

func TestTheRealClockAndHeart(t *testing.T) {
	r := newRig(t)
	finished := make(chan job.Job, 1)
	pool, err := worker.Start(r.unit, r.registry,
		func(context.Context, job.Job, func()) error { return nil },
		worker.Config{Finished: func(j job.Job) { finished <- j }})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pool.Submit(t.Context(), r.planID); err != nil {
		t.Error(err)
	}
	if j := <-finished; j.State != job.Succeeded || time.Since(j.FinishedAt) > time.Minute {
		t.Errorf("finished %+v", j)
	}
	if err := pool.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestALostJobThatNoOneTook is done by the pool that lost it: it could not renew the
// lease for too long, and then no other process had taken the job.
func TestALostJobThatNoOneTook(t *testing.T) {
	r := newRig(t)
	running := make(chan string)
	r.start(1, func(ctx context.Context, j job.Job, _ func()) error {
		running <- j.ID
		if j.Attempts > 1 {
			return nil
		}
		<-ctx.Done()
		servicetest.Execute(t, r.unit, "ALTER TABLE gone RENAME TO jobs")
		return ctx.Err()
	})
	submitted := r.submit()
	<-running
	servicetest.Execute(t, r.unit, "ALTER TABLE jobs RENAME TO gone")
	r.clock.Advance(50 * time.Second)
	r.ticks <- time.Time{}
	if again := <-running; again != submitted.ID {
		t.Errorf("job %s runs, want %s again", again, submitted.ID)
	}
	for _, want := range []job.State{job.Queued, job.Succeeded} {
		if finished := <-r.finished; finished.State != want {
			t.Errorf("it is %s, want %s", finished.State, want)
		}
	}
}

func TestTheDatabaseFailsWhileAJobRuns(t *testing.T) {
	r := newRig(t)
	running, release := make(chan string), make(chan struct{})
	r.start(1, func(_ context.Context, j job.Job, beat func()) error {
		running <- j.ID
		<-release
		r.registry.End(j.ID)
		beat()
		return nil
	})
	r.submit()
	<-running
	servicetest.Execute(t, r.unit, "DROP TABLE jobs")
	r.beat()
	release <- struct{}{}
	if err := r.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	r.log.await(`msg="renew leases"`, `msg="beat of job"`, `msg="finish job"`)
}

func TestTheDatabaseFailsBeforeAJobIsTaken(t *testing.T) {
	r := newRig(t)
	servicetest.Execute(t, r.unit, "DROP TABLE jobs")
	r.start(1, nil)
	r.log.await(`msg="take job"`)
	if _, err := r.Submit(t.Context(), r.planID); err == nil {
		t.Error("a job was submitted")
	}
	if _, err := r.Unfinished(t.Context()); err == nil {
		t.Error("unfinished jobs were listed")
	}
}

func TestAJobThatRunsAlreadyIsNotRunAgain(t *testing.T) {
	r := newRig(t)
	if err := r.registry.Begin("0", r.clock.Now()); err != nil {
		t.Fatal(err)
	}
	r.insert(func(j *job.Job) { j.ID, j.Owner = "0", "here" }) // older than any other
	r.start(1, func(context.Context, job.Job, func()) error { return nil })
	r.submit()
	if finished := <-r.finished; finished.ID == "0" {
		t.Error("it was run again")
	}
	r.log.await(`msg="begin job"`)
}
