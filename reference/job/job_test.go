package job_test

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mapguard/mapguard/reference/job"
	"github.com/mapguard/mapguard/reference/lifecycle"
)

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func TestLifeOfAJob(t *testing.T) {
	j := job.New("j", "p", now)
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
	if j.Attempts != 1 || !j.StartedAt.Equal(now.Add(time.Second)) || !j.HeartbeatAt.Equal(j.StartedAt) {
		t.Errorf("running job: %+v", j)
	}
	move(job.Queued, "", now.Add(2*time.Second))
	if !j.StartedAt.IsZero() || !j.HeartbeatAt.IsZero() {
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

func TestAJobRunsBeforeItEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		j := job.New("j", "p", now)
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
