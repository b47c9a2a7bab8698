package store_test

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/mapguard/mapguard/reference/internal/servicetest"
	"github.com/mapguard/mapguard/reference/job"
	"github.com/mapguard/mapguard/reference/lifecycle"
	"github.com/mapguard/mapguard/reference/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	now    = time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	action = lifecycle.Action{
		Name:             "ops/patch",
		Description:      "patch hosts",
		DefinitionOfDone: "done",
		Arguments:        []lifecycle.Argument{{Name: "host", Required: true}, {Name: "mode", Default: "fast"}},
		Status:           lifecycle.Draft,
		CreatedAt:        now,
		UpdatedAt:        now,
	}
	plan = lifecycle.Plan{
		ID:        "p1",
		Action:    action.Name,
		Parent:    "p0",
		Projects:  []string{"a", "b"},
		Arguments: map[string]string{"host": "db1"},
		Stage:     lifecycle.Stage{Phase: lifecycle.PhaseAction, State: lifecycle.Queued},
		CreatedAt: now,
		UpdatedAt: now,
	}
	lease  = job.Lease{Owner: "here", Command: "true", Until: now.Add(time.Minute)}
	queued = job.New("j1", plan.ID, lease, now)
)

// fill puts one action, one plan and one job into the database.
func fill(ctx context.Context) func(*store.Tx) error {
	return func(tx *store.Tx) error {
		if err := tx.Actions.Insert(ctx, action); err != nil {
			return err
		}
		if err := tx.Plans.Insert(ctx, plan); err != nil {
			return err
		}
		return tx.Jobs.Insert(ctx, queued)
	}
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	ctx := t.Context()
	unit := servicetest.Unit(t)
	if err := unit.Do(ctx, fill(ctx)); err != nil {
		t.Fatal(err)
	}
	err := unit.Do(ctx, func(tx *store.Tx) error {
		gotAction, err := tx.Actions.Get(ctx, action.Name)
		if err != nil || !reflect.DeepEqual(gotAction, action) {
			t.Errorf("action %+v, %v", gotAction, err)
		}
		gotPlan, err := tx.Plans.Get(ctx, plan.ID)
		if err != nil || !reflect.DeepEqual(gotPlan, plan) {
			t.Errorf("plan %+v, %v", gotPlan, err)
		}
		gotJob, err := tx.Jobs.Oldest(ctx, "here")
		if err != nil || !reflect.DeepEqual(gotJob, queued) {
			t.Errorf("job %+v, %v", gotJob, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestWhatIsUpdatedIsRead(t *testing.T) {
	ctx := t.Context()
	unit := servicetest.Unit(t)
	if err := unit.Do(ctx, fill(ctx)); err != nil {
		t.Fatal(err)
	}
	later := now.Add(time.Hour)
	published, _ := action.Publish(later)
	started, _ := plan.Take(lifecycle.Step{Event: lifecycle.Start}, later)
	running, _ := queued.Move(job.Running, "", later)
	err := unit.Do(ctx, func(tx *store.Tx) error {
		return errors.Join(tx.Actions.Update(ctx, published), tx.Plans.Update(ctx, started),
			tx.Jobs.Update(ctx, running))
	})
	if err != nil {
		t.Fatal(err)
	}
	err = unit.Do(ctx, func(tx *store.Tx) error {
		if all, err := tx.Actions.List(ctx); err != nil || !reflect.DeepEqual(all, []lifecycle.Action{published}) {
			t.Errorf("actions %+v, %v", all, err)
		}
		if all, err := tx.Plans.List(ctx, lifecycle.Filter{Project: "b", Parent: "p0"}); err != nil ||
			!reflect.DeepEqual(all, []lifecycle.Plan{started}) {
			t.Errorf("plans %+v, %v", all, err)
		}
		if all, err := tx.Jobs.List(ctx, job.Running); err != nil || !reflect.DeepEqual(all, []job.Job{running}) {
			t.Errorf("jobs %+v, %v", all, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestLeases(t *testing.T) {
	ctx := t.Context()
	unit := servicetest.Unit(t)
	if err := unit.Do(ctx, fill(ctx)); err != nil {
		t.Fatal(err)
	}
	later := lease.Until.Add(time.Hour)
	err := unit.Do(ctx, func(tx *store.Tx) error {
		if _, err := tx.Jobs.Oldest(ctx, "elsewhere"); !errors.Is(err, lifecycle.ErrUnknown) {
			t.Errorf("another owner got it: %v", err)
		}
		if all, err := tx.Jobs.Unfinished(ctx); err != nil || !reflect.DeepEqual(all, []job.Job{queued}) {
			t.Errorf("unfinished: %+v, %v", all, err)
		}
		if held, err := tx.Jobs.Renew(ctx, "elsewhere", later); err != nil || len(held) != 0 {
			t.Errorf("another owner renewed %v, %v", held, err)
		}
		if held, err := tx.Jobs.Renew(ctx, "here", later); err != nil || !reflect.DeepEqual(held, []string{queued.ID}) {
			t.Errorf("the owner renewed %v, %v", held, err)
		}
		if got, err := tx.Jobs.AtWork(ctx, plan.ID); err != nil || !got.LeasedUntil.Equal(later) {
			t.Errorf("at work is %+v, %v", got, err)
		}
		twin := job.New("j2", plan.ID, lease, now)
		if err := tx.Jobs.Insert(ctx, twin); !errors.Is(err, lifecycle.ErrDuplicate) {
			t.Errorf("a second job of the plan: %v", err)
		}
		if err := tx.Jobs.Release(ctx, "here"); err != nil {
			t.Error(err)
		}
		if got, err := tx.Jobs.AtWork(ctx, plan.ID); err != nil || !got.Free(now) || got.Command != "true" {
			t.Errorf("after it was released it is %+v, %v", got, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestDuplicateAndUnknown(t *testing.T) {
	ctx := t.Context()
	unit := servicetest.Unit(t)
	if err := unit.Do(ctx, fill(ctx)); err != nil {
		t.Fatal(err)
	}
	other, otherPlan, otherJob := action, plan, queued
	other.Name, otherPlan.ID, otherJob.ID = "no/such", "none", "none"
	for name, c := range map[string]struct {
		do   func(*store.Tx) error
		want error
	}{
		"insert action": {func(tx *store.Tx) error { return tx.Actions.Insert(ctx, action) }, lifecycle.ErrDuplicate},
		"insert plan":   {func(tx *store.Tx) error { return tx.Plans.Insert(ctx, plan) }, lifecycle.ErrDuplicate},
		"insert job":    {func(tx *store.Tx) error { return tx.Jobs.Insert(ctx, queued) }, lifecycle.ErrDuplicate},
		"get action":    {func(tx *store.Tx) error { _, err := tx.Actions.Get(ctx, other.Name); return err }, lifecycle.ErrUnknown},
		"get plan":      {func(tx *store.Tx) error { _, err := tx.Plans.Get(ctx, "none"); return err }, lifecycle.ErrUnknown},
		"get job":       {func(tx *store.Tx) error { _, err := tx.Jobs.Get(ctx, "none"); return err }, lifecycle.ErrUnknown},
		"update action": {func(tx *store.Tx) error { return tx.Actions.Update(ctx, other) }, lifecycle.ErrUnknown},
		"update plan":   {func(tx *store.Tx) error { return tx.Plans.Update(ctx, otherPlan) }, lifecycle.ErrUnknown},
		"update job":    {func(tx *store.Tx) error { return tx.Jobs.Update(ctx, otherJob) }, lifecycle.ErrUnknown},
	} {
		if err := unit.Do(ctx, c.do); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestRollback(t *testing.T) {
	ctx := t.Context()
	unit := servicetest.Unit(t)
	errWork := errors.New("work failed")
	err := unit.Do(ctx, func(tx *store.Tx) error {
		return errors.Join(fill(ctx)(tx), errWork)
	})
	if !errors.Is(err, errWork) {
		t.Errorf("it returned %v", err)
	}
	func() {
		defer func() {
			if reason := recover(); reason != "work panicked" {
				t.Errorf("recovered %v", reason)
			}
		}()
		_ = unit.Do(ctx, func(tx *store.Tx) error {
			if err := fill(ctx)(tx); err != nil {
				t.Error(err)
			}
			panic("work panicked")
		})
	}()
	// A context that ends before the commit.
	ending, end := context.WithCancel(ctx)
	err = unit.Do(ending, func(tx *store.Tx) error {
		err := fill(ending)(tx)
		end()
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("commit after the context ended: %v", err)
	}
	if err := unit.Do(ctx, fill(ctx)); err != nil {
		t.Errorf("something is left: %v", err)
	}
}

func TestEveryCallReportsThatTheDatabaseFails(t *testing.T) {
	ctx := t.Context()
	unit := servicetest.Unit(t)
	for _, table := range []string{"jobs", "plans", "actions"} {
		servicetest.Execute(t, unit, "DROP TABLE "+table)
	}
	for name, do := range map[string]func(*store.Tx) error{
		"insert action": func(tx *store.Tx) error { return tx.Actions.Insert(ctx, action) },
		"get action":    func(tx *store.Tx) error { _, err := tx.Actions.Get(ctx, action.Name); return err },
		"list actions":  func(tx *store.Tx) error { _, err := tx.Actions.List(ctx); return err },
		"update action": func(tx *store.Tx) error { return tx.Actions.Update(ctx, action) },
		"insert plan":   func(tx *store.Tx) error { return tx.Plans.Insert(ctx, plan) },
		"get plan":      func(tx *store.Tx) error { _, err := tx.Plans.Get(ctx, plan.ID); return err },
		"list plans":    func(tx *store.Tx) error { _, err := tx.Plans.List(ctx, lifecycle.Filter{}); return err },
		"update plan":   func(tx *store.Tx) error { return tx.Plans.Update(ctx, plan) },
		"insert job":    func(tx *store.Tx) error { return tx.Jobs.Insert(ctx, queued) },
		"get job":       func(tx *store.Tx) error { _, err := tx.Jobs.Get(ctx, queued.ID); return err },
		"oldest job":    func(tx *store.Tx) error { _, err := tx.Jobs.Oldest(ctx, "here"); return err },
		"list jobs":     func(tx *store.Tx) error { _, err := tx.Jobs.List(ctx, ""); return err },
		"unfinished":    func(tx *store.Tx) error { _, err := tx.Jobs.Unfinished(ctx); return err },
		"job at work":   func(tx *store.Tx) error { _, err := tx.Jobs.AtWork(ctx, plan.ID); return err },
		"renew":         func(tx *store.Tx) error { _, err := tx.Jobs.Renew(ctx, "here", now); return err },
		"release":       func(tx *store.Tx) error { return tx.Jobs.Release(ctx, "here") },
		"update job":    func(tx *store.Tx) error { return tx.Jobs.Update(ctx, queued) },
	} {
		var typed *lifecycle.Error
		if err := unit.Do(ctx, do); err == nil || errors.As(err, &typed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := unit.Engine().Close(); err != nil {
		t.Fatal(err)
	}
	if err := unit.Do(ctx, fill(ctx)); err == nil {
		t.Error("a transaction began on a closed engine")
	}
}

func TestColumnsThatCannotBeRead(t *testing.T) {
	ctx := t.Context()
	for _, c := range []struct{ name, table string }{
		{"time that is text", `CREATE TABLE actions AS SELECT 'a/b' name, '' description, '' definition_of_done,
			'[]' arguments, 'draft' status, 'noon' created_at, 0 updated_at`},
		{"document that is a number", `CREATE TABLE actions AS SELECT 'a/b' name, '' description, '' definition_of_done,
			1 arguments, 'draft' status, 0 created_at, 0 updated_at`},
		{"document that is no document", `CREATE TABLE actions AS SELECT 'a/b' name, '' description, '' definition_of_done,
			'{' arguments, 'draft' status, 0 created_at, 0 updated_at`},
	} {
		t.Run(c.name, func(t *testing.T) {
			unit := servicetest.Unit(t)
			servicetest.Execute(t, unit, "DROP TABLE actions")
			servicetest.Execute(t, unit, c.table)
			err := unit.Do(ctx, func(tx *store.Tx) error {
				_, err := tx.Actions.List(ctx)
				return err
			})
			if err == nil {
				t.Error("it was read")
			}
		})
	}
}
