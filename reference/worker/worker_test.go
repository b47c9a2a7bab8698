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
	"github.com/mapguard/mapguard/reference/store"
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

func TestJobsInTheQueueAreTakenAtTheStart(t *testing.T) {
	r := newRig(t)
	ctx := t.Context()
	waiting := job.New("waiting", r.planID, r.clock.Now())
	if err := r.unit.Do(ctx, func(tx *store.Tx) error { return tx.Jobs.Insert(ctx, waiting) }); err != nil {
		t.Fatal(err)
	}
	r.start(1, func(context.Context, job.Job, func()) error { return nil })
	if finished := <-r.finished; finished.ID != waiting.ID {
		t.Errorf("finished %+v", finished)
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

func TestJobsOfAProcessThatIsGone(t *testing.T) {
	r := newRig(t)
	ctx := t.Context()
	lost, err := job.New("lost", r.planID, r.clock.Now()).Move(job.Running, "", r.clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	if err := r.unit.Do(ctx, func(tx *store.Tx) error { return tx.Jobs.Insert(ctx, lost) }); err != nil {
		t.Fatal(err)
	}
	r.start(1, func(context.Context, job.Job, func()) error { return nil })
	if err := r.Cancel(ctx, lost.ID); !errors.Is(err, lifecycle.ErrNotReady) {
		t.Errorf("cancelled what runs elsewhere: %v", err)
	}
	if early, err := r.Recover(ctx); err != nil || len(early) != 0 {
		t.Errorf("recovered too early: %+v, %v", early, err)
	}
	r.clock.Advance(2 * time.Minute)
	if recovered, err := r.Recover(ctx); err != nil || len(recovered) != 1 || recovered[0].ID != lost.ID {
		t.Errorf("recovered %+v, %v", recovered, err)
	}
	if finished := <-r.finished; finished.ID != lost.ID || finished.Attempts != 2 || finished.State != job.Succeeded {
		t.Errorf("finished %+v", finished)
	}
}

func TestHeartbeat(t *testing.T) {
	r := newRig(t)
	running, release := make(chan string), make(chan struct{})
	r.start(1, func(_ context.Context, j job.Job, beat func()) error {
		running <- j.ID
		<-release
		beat()
		running <- j.ID
		<-release
		return nil
	})
	submitted := r.submit()
	<-running
	r.clock.Advance(50 * time.Second)
	r.beat()
	if got := r.read(submitted.ID).HeartbeatAt; !got.Equal(r.clock.Now()) {
		t.Errorf("the heart beat at %s, want %s", got, r.clock.Now())
	}
	release <- struct{}{}
	<-running // after the job's own sign of life
	r.clock.Advance(50 * time.Second)
	r.beat()
	release <- struct{}{}
	if finished := <-r.finished; finished.State != job.Succeeded {
		t.Errorf("a job that gets on was stopped: %+v", finished)
	}
	r.beat() // with nothing that runs
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

func TestTheHeartWakesAWorkerForJobsOfOthers(t *testing.T) {
	r := newRig(t)
	ctx := t.Context()
	r.start(1, func(context.Context, job.Job, func()) error { return nil })
	r.submit()
	<-r.finished
	err := r.unit.Do(ctx, func(tx *store.Tx) error {
		return tx.Jobs.Insert(ctx, job.New("zzz", r.planID, r.clock.Now()))
	})
	if err != nil {
		t.Fatal(err)
	}
	r.beat()
	if finished := <-r.finished; finished.ID != "zzz" {
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
	if _, err := worker.Start(nil, nil, nil, worker.Config{Workers: -1}); !errors.Is(err, lifecycle.ErrInvalid) {
		t.Errorf("%v", err)
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
	r.log.await("msg=heartbeat", `msg="beat of job"`, `msg="finish job"`)
}

func TestTheDatabaseFailsBeforeAJobIsTaken(t *testing.T) {
	r := newRig(t)
	servicetest.Execute(t, r.unit, "DROP TABLE jobs")
	r.start(1, nil)
	r.log.await(`msg="take job"`)
	if _, err := r.Submit(t.Context(), r.planID); err == nil {
		t.Error("a job was submitted")
	}
	if _, err := r.Recover(t.Context()); err == nil {
		t.Error("jobs were recovered")
	}
}

func TestAJobThatRunsAlreadyIsNotRunAgain(t *testing.T) {
	r := newRig(t)
	ctx := t.Context()
	const twin = "0" // older than any other
	if err := r.registry.Begin(twin, r.clock.Now()); err != nil {
		t.Fatal(err)
	}
	err := r.unit.Do(ctx, func(tx *store.Tx) error {
		return tx.Jobs.Insert(ctx, job.New(twin, r.planID, r.clock.Now()))
	})
	if err != nil {
		t.Fatal(err)
	}
	r.start(1, func(context.Context, job.Job, func()) error { return nil })
	r.submit()
	if finished := <-r.finished; finished.ID == twin {
		t.Error("it was run again")
	}
	r.log.await(`msg="begin job"`)
}
