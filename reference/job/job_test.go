package job_test

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mapguard/mapguard/reference/job"
	"github.com/mapguard/mapguard/reference/lifecycle"
)

var (
	now   = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	lease = job.Lease{Owner: "here", Command: "true", Until: now.Add(time.Minute)}
)

func TestLifeOfAJob(t *testing.T) {
	j := job.New("j", "p", lease, now)
	if j.State != job.Queued || j.Terminal() || !j.QueuedAt.Equal(now) {
		t.Errorf("new job: %+v", j)
	}
	move := func(to job.State, reason string, at time.Time) {
		t.Helper()
		next, err := j.Move(to, reason, at)
		if err != nil {
			t.Fatal(err)
		}
		j = next
	}
	move(job.Running, "", now.Add(time.Second))
	if j.Attempts != 1 || !j.StartedAt.Equal(now.Add(time.Second)) {
		t.Errorf("running job: %+v", j)
	}
	move(job.Queued, "", now.Add(2*time.Second))
	if !j.StartedAt.IsZero() {
		t.Errorf("job that was queued again: %+v", j)
	}
	move(job.Running, "", now.Add(3*time.Second))
	move(job.Failed, "no disk", now.Add(4*time.Second))
	if j.Attempts != 2 || j.Error != "no disk" || !j.FinishedAt.Equal(now.Add(4*time.Second)) || !j.Terminal() {
		t.Errorf("failed job: %+v", j)
	}
	if _, err := j.Move(job.Queued, "", now); !errors.Is(err, lifecycle.ErrNotReady) {
		t.Errorf("a failed job was queued: %v", err)
	}
}

func TestWhoCanAdoptAJob(t *testing.T) {
	other := job.Lease{Owner: "elsewhere", Command: "false", Until: now.Add(time.Hour)}
	queued := job.New("j", "p", lease, now)
	if _, err := queued.Adopt(other, lease.Until); !errors.Is(err, lifecycle.ErrNotReady) {
		t.Errorf("adopted while it is leased: %v", err)
	}
	running, err := queued.Move(job.Running, "", now)
	if err != nil {
		t.Fatal(err)
	}
	released, done := queued, running
	released.Owner = ""
	if done, err = done.Move(job.Succeeded, "", now); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		free job.Job
		at   time.Time
	}{
		"released":       {released, now},
		"lapsed":         {queued, lease.Until.Add(1)},
		"its owner died": {running, lease.Until.Add(1)},
	} {
		got, err := c.free.Adopt(other, c.at)
		if err != nil || got.State != job.Queued || got.Owner != "elsewhere" || got.Command != "false" || !got.LeasedUntil.Equal(other.Until) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	if _, err := done.Adopt(other, other.Until); !errors.Is(err, lifecycle.ErrNotReady) {
		t.Errorf("a job that is done was adopted: %v", err)
	}
}

func TestAJobRunsBeforeItEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		j := job.New("j", "p", lease, now)
		ran := false
		for _, to := range rapid.SliceOf(rapid.SampledFrom(job.States())).Draw(t, "states") {
			next, err := j.Move(to, "", now)
			if err != nil {
				continue
			}
			if j.Terminal() {
				t.Fatalf("%s follows %s", to, j.State)
			}
			ran = ran || to == job.Running
			if (to == job.Succeeded || to == job.Failed) && !ran {
				t.Fatalf("a job that never ran is %s", to)
			}
			j = next
		}
	})
}
