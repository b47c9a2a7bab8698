// Package form gives the two forms of the service one shape, so that what is
// asked of one can be asked of the other.
package form

import (
	"context"
	"database/sql"
	"time"

	"github.com/mapguard/mapguard/reference/engine"
	"github.com/mapguard/mapguard/reference/gate"
	"github.com/mapguard/mapguard/reference/id"
	"github.com/mapguard/mapguard/reference/job"
	"github.com/mapguard/mapguard/reference/lifecycle"
	"github.com/mapguard/mapguard/reference/schema"
	"github.com/mapguard/mapguard/reference/store"
	"github.com/mapguard/mapguard/reference/workspace"
)

// Unit is a unit of work on an engine.
type Unit interface {
	store.Unit
	Engine() *engine.Engine
	Close() error
}

// Replicas is a pool of read-only engines.
type Replicas interface {
	Engine(ctx context.Context, url string) (*engine.Engine, error)
	Close() error
}

// Preparer prepares statements.
type Preparer interface {
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
}

// Statements is a cache of prepared statements.
type Statements interface {
	Statement(ctx context.Context, query string) (*sql.Stmt, error)
	Close() error
}

// Plans is a plan service.
type Plans interface {
	CreateAction(ctx context.Context, spec lifecycle.ActionSpec) (lifecycle.Action, error)
	Publish(ctx context.Context, name string) (lifecycle.Action, error)
	Archive(ctx context.Context, name string) (lifecycle.Action, error)
	Action(ctx context.Context, name string) (lifecycle.Action, error)
	Actions(ctx context.Context) ([]lifecycle.Action, error)

	Use(ctx context.Context, usage lifecycle.Usage) (lifecycle.Plan, error)
	Plan(ctx context.Context, planID string) (lifecycle.Plan, error)
	Plans(ctx context.Context, filter lifecycle.Filter) ([]lifecycle.Plan, error)

	Start(ctx context.Context, planID string, phase lifecycle.Phase) (lifecycle.Plan, error)
	Complete(ctx context.Context, planID string, phase lifecycle.Phase) (lifecycle.Plan, error)
	Fail(ctx context.Context, planID string, phase lifecycle.Phase, reason string) (lifecycle.Plan, error)
	Retry(ctx context.Context, planID string, phase lifecycle.Phase) (lifecycle.Plan, error)
	Advance(ctx context.Context, planID string) (lifecycle.Plan, error)
	Revert(ctx context.Context, planID, reason string) (lifecycle.Plan, error)
	Constrain(ctx context.Context, planID, reason string) (lifecycle.Plan, error)
	Settle(ctx context.Context, planID string) (lifecycle.Plan, error)
	Cancel(ctx context.Context, planID, reason string) (lifecycle.Plan, error)
}

// PlansConfig is what a plan service is made of.
type PlansConfig struct {
	Unit  store.Unit
	NewID id.Source
	Now   func() time.Time
}

// Registry is a registry of running jobs.
type Registry interface {
	Begin(jobID string, now time.Time) error
	Beat(jobID string, now time.Time) error
	End(jobID string)
	Stuck(cutoff time.Time) []string
	Len() int
	Running() map[string]job.Run
}

// Gates is a set of gates.
type Gates interface {
	Of(project string) *gate.Gate
}

// Workspaces is what a process has of the plans that it carries.
type Workspaces interface {
	Claim(planID, carrier string) bool
	Leave(planID, carrier string)
	Folder(planID string) (*workspace.Folder, error)
	Remove(planID string) error
	Begin(planID string) int
	Close() error
}

// MakeFolder makes the folder of a plan.
type MakeFolder func(planID string) (*workspace.Folder, error)

// Form is one form of the service: how each of its parts is made.
type Form struct {
	Name          string
	OpenUnit      func(ctx context.Context, url string, open engine.Factory) (Unit, error)
	MigrateBy     func(ctx context.Context, url string, open engine.Factory, apply Apply) error
	NewReplicas   func(open engine.Factory) Replicas
	NewStatements func(db Preparer) Statements
	NewPlans      func(config PlansConfig) Plans
	NewRegistry   func() Registry
	NewGates      func(newGate func() *gate.Gate) Gates
	NewWorkspaces func(make MakeFolder) Workspaces
}

// All returns both forms.
func All() []Form { return []Form{Fixed(), Buggy()} }

// Named returns the form called name.
func Named(name string) (Form, bool) {
	for _, form := range All() {
		if form.Name == name {
			return form, true
		}
	}
	return Form{}, false
}

// Migrate brings the schema of the database that url names up to date.
func (f Form) Migrate(ctx context.Context, url string, open engine.Factory) error {
	return f.MigrateBy(ctx, url, open, ApplySchema)
}

// Apply brings the schema of a database up to date.
type Apply func(ctx context.Context, db *sql.DB) error

// ApplySchema is what the migration runners of both forms apply. An engine
// without a database, as tests use where only the cache matters, needs no schema.
func ApplySchema(ctx context.Context, db *sql.DB) error {
	if db == nil {
		return nil
	}
	return schema.Up(ctx, db)
}
