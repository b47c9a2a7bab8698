package form

import (
	"context"

	"github.com/mapguard/mapguard/reference/buggy/gates"
	"github.com/mapguard/mapguard/reference/buggy/jobs"
	"github.com/mapguard/mapguard/reference/buggy/migrate"
	"github.com/mapguard/mapguard/reference/buggy/plan"
	"github.com/mapguard/mapguard/reference/buggy/replica"
	"github.com/mapguard/mapguard/reference/buggy/stmts"
	"github.com/mapguard/mapguard/reference/buggy/uow"
	"github.com/mapguard/mapguard/reference/buggy/workspaces"
	"github.com/mapguard/mapguard/reference/engine"
	"github.com/mapguard/mapguard/reference/gate"
)

// Buggy returns the buggy form.
func Buggy() Form {
	return Form{
		Name: "buggy",
		OpenUnit: func(ctx context.Context, url string, open engine.Factory) (Unit, error) {
			return uow.Open(ctx, url, open)
		},
		MigrateBy: func(ctx context.Context, url string, open engine.Factory, apply Apply) error {
			return (&migrate.Runner{Open: open, Apply: apply}).Run(ctx, url)
		},
		NewReplicas:   func(open engine.Factory) Replicas { return replica.New(open) },
		NewStatements: func(db Preparer) Statements { return stmts.New(db) },
		NewPlans:      func(config PlansConfig) Plans { return plan.New(plan.Config(config)) },
		NewRegistry:   func() Registry { return jobs.NewRegistry() },
		NewGates:      func(newGate func() *gate.Gate) Gates { return gates.New(newGate) },
		NewWorkspaces: func(make MakeFolder) Workspaces { return workspaces.New(make) },
	}
}
