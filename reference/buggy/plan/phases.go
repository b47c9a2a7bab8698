package plan

import (
	"context"

	"github.com/mapguard/mapguard/reference/lifecycle"
)

// Start begins the work on a phase that is queued.
func (s *Service) Start(ctx context.Context, planID string, phase lifecycle.Phase) (lifecycle.Plan, error) {
	return s.take(ctx, planID, lifecycle.Step{Event: lifecycle.Start, Phase: phase})
}

// Complete ends the work on a phase.
func (s *Service) Complete(ctx context.Context, planID string, phase lifecycle.Phase) (lifecycle.Plan, error) {
	return s.take(ctx, planID, lifecycle.Step{Event: lifecycle.Finish, Phase: phase})
}

// Fail ends the work on a phase with an error, for reason.
func (s *Service) Fail(ctx context.Context, planID string, phase lifecycle.Phase, reason string) (lifecycle.Plan, error) {
	return s.take(ctx, planID, lifecycle.Step{Event: lifecycle.Fail, Phase: phase, Reason: reason})
}

// Retry queues a phase again that failed or was constrained.
func (s *Service) Retry(ctx context.Context, planID string, phase lifecycle.Phase) (lifecycle.Plan, error) {
	return s.take(ctx, planID, lifecycle.Step{Event: lifecycle.Retry, Phase: phase})
}

// Advance queues the phase after the one that is complete.
func (s *Service) Advance(ctx context.Context, planID string) (lifecycle.Plan, error) {
	return s.take(ctx, planID, lifecycle.Step{Event: lifecycle.Advance})
}

// Revert takes a plan back from execute or apply to strategize, for reason.
func (s *Service) Revert(ctx context.Context, planID, reason string) (lifecycle.Plan, error) {
	return s.take(ctx, planID, lifecycle.Step{Event: lifecycle.Revert, Reason: reason})
}

// Constrain ends the apply phase with only a part applied, for reason.
func (s *Service) Constrain(ctx context.Context, planID, reason string) (lifecycle.Plan, error) {
	return s.take(ctx, planID, lifecycle.Step{Event: lifecycle.Constrain, Reason: reason})
}

// Settle makes final what was applied.
func (s *Service) Settle(ctx context.Context, planID string) (lifecycle.Plan, error) {
	return s.take(ctx, planID, lifecycle.Step{Event: lifecycle.Settle})
}

// Cancel gives a plan up, for reason.
func (s *Service) Cancel(ctx context.Context, planID, reason string) (lifecycle.Plan, error) {
	return s.take(ctx, planID, lifecycle.Step{Event: lifecycle.Cancel, Reason: reason})
}
