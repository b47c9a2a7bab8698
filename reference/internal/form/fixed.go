package form

import (
	"context"

	"github.com/mapguard/mapguard/reference/engine"
	"github.com/mapguard/mapguard/reference/fixed/gates"
	"github.com/mapguard/mapguard/reference/fixed/jobs"
	"github.com/mapguard/mapguard/reference/fixed/migrate"
	"github.com/mapguard/mapguard/reference/fixed/plan"
	"github.com/mapguard/mapguard/reference/fixed/replica"
	"github.com/mapguard/mapguard/reference/fixed/stmts"
	"github.com/mapguard/mapguard/reference/fixed/uow"
	"github.com/mapguard/mapguard/reference/fixed/workspaces"
	"github.com/mapguard/mapguard/reference/gate"
)

// Fixed returns the fixed form.
func Fixed() Form {
	return Form{
		Name: "fixed",
		OpenUnit: func(ctx context.Context, url string, open engine.Factory) (Unit, error) {
			runner := migrate.Runner{Open: open, Apply: ApplySchema}
			if engine.IsMemory(url) {
				open = runner.OpenMigrated
			}
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
