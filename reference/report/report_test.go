package report_test

import (
	"reflect"
	"testing"

	"go.uber.org/goleak"

	"github.com/mapguard/mapguard/reference/fixed/plan"
	"github.com/mapguard/mapguard/reference/fixed/stmts"
	"github.com/mapguard/mapguard/reference/fixed/uow"
	"github.com/mapguard/mapguard/reference/internal/servicetest"
	"github.com/mapguard/mapguard/reference/lifecycle"
	"github.com/mapguard/mapguard/reference/report"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newUnit returns a unit of work with three plans, one of which is cancelled.
func newUnit(t *testing.T) *uow.UnitOfWork {
	t.Helper()
	ctx := t.Context()
	unit := servicetest.Unit(t)
	plans := plan.New(plan.Config{Unit: unit})
	if _, err := plans.CreateAction(ctx, lifecycle.ActionSpec{Name: "a/b", DefinitionOfDone: "done"}); err != nil {
		t.Fatal(err)
	}
	if _, err := plans.Publish(ctx, "a/b"); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		made, err := plans.Use(ctx, lifecycle.Usage{Action: "a/b", Projects: []string{"p"}})
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			if _, err := plans.Cancel(ctx, made.ID, ""); err != nil {
				t.Fatal(err)
			}
		}
	}
	return unit
}

func TestCounts(t *testing.T) {
	statements := stmts.New(newUnit(t).Engine().DB())
	counts, err := report.Counts(t.Context(), statements)
	want := []report.Count{
		{Stage: lifecycle.Stage{Phase: lifecycle.PhaseAction, State: lifecycle.Cancelled}, Plans: 1},
		{Stage: lifecycle.Stage{Phase: lifecycle.PhaseAction, State: lifecycle.Queued}, Plans: 2},
	}
	if err != nil || !reflect.DeepEqual(counts, want) {
		t.Errorf("%+v, %v", counts, err)
	}
	if err := statements.Close(); err != nil {
		t.Error(err)
	}
}

func TestCountsOfADatabaseThatFails(t *testing.T) {
	ctx := t.Context()
	unit := newUnit(t)
	statements := stmts.New(unit.Engine().DB())
	if _, err := report.Counts(ctx, statements); err != nil {
		t.Error(err)
	}
	for _, table := range []string{"jobs", "plans"} {
		servicetest.Execute(t, unit, "DROP TABLE "+table)
	}
	if _, err := report.Counts(ctx, statements); err == nil {
		t.Error("plans were counted where there are none")
	}
	if err := statements.Close(); err != nil {
		t.Error(err)
	}
	if _, err := report.Counts(ctx, statements); err == nil {
		t.Error("a statement was prepared on no table")
	}
	servicetest.Execute(t, unit, "CREATE TABLE plans AS SELECT NULL phase, NULL state")
	if _, err := report.Counts(ctx, statements); err == nil {
		t.Error("a plan that is nowhere was counted")
	}
	if err := statements.Close(); err != nil {
		t.Error(err)
	}
}
