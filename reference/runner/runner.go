// Package runner carries a plan through its phases.
package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mapguard/mapguard/reference/gate"
	"github.com/mapguard/mapguard/reference/job"
	"github.com/mapguard/mapguard/reference/lifecycle"
)

// ErrPartial is what [Work] returns, wrapped or not, when it could apply only a
// part of a plan: the plan is then constrained, not errored.
var ErrPartial = errors.New("applied in part")

// Plans is the part of the plan service that a runner uses.
type Plans interface {
	Plan(ctx context.Context, planID string) (lifecycle.Plan, error)
	Start(ctx context.Context, planID string, phase lifecycle.Phase) (lifecycle.Plan, error)
	Complete(ctx context.Context, planID string, phase lifecycle.Phase) (lifecycle.Plan, error)
	Fail(ctx context.Context, planID string, phase lifecycle.Phase, reason string) (lifecycle.Plan, error)
	Retry(ctx context.Context, planID string, phase lifecycle.Phase) (lifecycle.Plan, error)
	Advance(ctx context.Context, planID string) (lifecycle.Plan, error)
	Constrain(ctx context.Context, planID, reason string) (lifecycle.Plan, error)
	Settle(ctx context.Context, planID string) (lifecycle.Plan, error)
}

// Gates gives the gate of a project, the same to all callers.
type Gates interface {
	Of(project string) *gate.Gate
}

// Work does the work of the phase in which plan is.
type Work func(ctx context.Context, plan lifecycle.Plan) error

// Runner carries plans through their phases. It is safe for concurrent use, on
// different plans; on one plan the second caller is refused by the service.
type Runner struct {
	plans Plans
	gates Gates
	work  Work
}

// New returns a runner that does work.
func New(plans Plans, gates Gates, work Work) *Runner {
	return &Runner{plans: plans, gates: gates, work: work}
}

// Handle does a job of the worker: it carries the job's plan to its end. A job
// that was begun before was interrupted, and so was its plan.
func (r *Runner) Handle(ctx context.Context, j job.Job, beat func()) error {
	if j.Attempts > 1 {
		if err := r.resume(ctx, j.PlanID); err != nil {
			return err
		}
	}
	plan, err := r.Run(ctx, j.PlanID, beat)
	if err == nil && plan.Stage.State == lifecycle.Cancelled {
		err = stuck(plan)
	}
	return err
}

// resume queues the phase again in which a plan was interrupted.
func (r *Runner) resume(ctx context.Context, planID string) error {
	plan, err := r.plans.Plan(ctx, planID)
	if err != nil {
		return err
	}
	if plan.Stage.State == lifecycle.Processing {
		if plan, err = r.plans.Fail(ctx, planID, plan.Stage.Phase, "interrupted"); err != nil {
			return err
		}
	}
	if plan.Stage.State == lifecycle.Errored {
		_, err = r.plans.Retry(ctx, planID, plan.Stage.Phase)
	}
	return err
}

// Run carries the plan called planID from where it stands to the end, and
// returns it as it is then. It calls beat, a sign of life, before each phase. When
// ctx ends, a phase that was done is noted as done, and no other begins.
func (r *Runner) Run(ctx context.Context, planID string, beat func()) (lifecycle.Plan, error) {
	plan, err := r.plans.Plan(ctx, planID)
	for err == nil && !plan.Stage.Terminal() {
		if ctx.Err() != nil {
			return plan, context.Cause(ctx)
		}
		switch plan.Stage.State {
		case lifecycle.Queued:
			beat()
			plan, err = r.phase(ctx, plan)
		case lifecycle.Complete:
			if plan.Stage.Phase == lifecycle.PhaseApply {
				plan, err = r.plans.Settle(ctx, planID)
			} else {
				plan, err = r.plans.Advance(ctx, planID)
			}
		default:
			return plan, stuck(plan)
		}
	}
	return plan, err
}

// stuck returns the error that a plan does not go on by itself.
func stuck(plan lifecycle.Plan) error {
	reason := "it is " + plan.Stage.String()
	if _, ok := lifecycle.Next(plan.Stage, lifecycle.Retry); ok {
		reason += "; retry it first"
	}
	return lifecycle.NotReady("plan", plan.ID, reason)
}

// phase does the work of the phase that is queued, and notes how it went.
func (r *Runner) phase(ctx context.Context, plan lifecycle.Plan) (lifecycle.Plan, error) {
	at := plan.Stage.Phase
	plan, err := r.plans.Start(ctx, plan.ID, at)
	if err != nil {
		return plan, err
	}
	workErr := r.guarded(ctx, plan)
	// How it went must be noted also when ctx has ended: that is often why.
	ctx = context.WithoutCancel(ctx)
	if workErr == nil {
		return r.plans.Complete(ctx, plan.ID, at)
	}
	note := r.plans.Fail
	if at == lifecycle.PhaseApply && errors.Is(workErr, ErrPartial) {
		note = func(ctx context.Context, planID string, _ lifecycle.Phase, reason string) (lifecycle.Plan, error) {
			return r.plans.Constrain(ctx, planID, reason)
		}
	}
	after, err := note(ctx, plan.ID, at, lifecycle.Printable(workErr.Error()))
	if err != nil {
		return plan, errors.Join(workErr, err)
	}
	return after, fmt.Errorf("plan %s: %s: %w", plan.ID, at, workErr)
}

// guarded does the work of a phase; that of the apply phase with the gates of
// the plan's projects, which no two plans may change at once. The gates are
// entered in the order of the projects' names, so that no two plans wait for
// each other.
func (r *Runner) guarded(ctx context.Context, plan lifecycle.Plan) error {
	if plan.Stage.Phase == lifecycle.PhaseApply {
		projects := slices.Clone(plan.Projects)
		slices.Sort(projects)
		for _, project := range slices.Compact(projects) {
			entrance := r.gates.Of(project)
			if err := entrance.Enter(ctx); err != nil {
				return fmt.Errorf("wait for project %s: %w", project, err)
			}
			defer entrance.Leave()
		}
	}
	return r.work(ctx, plan)
}
