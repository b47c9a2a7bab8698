package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/mapguard/mapguard/reference/fixed/jobs"
	"github.com/mapguard/mapguard/reference/job"
	"github.com/mapguard/mapguard/reference/lifecycle"
	"github.com/mapguard/mapguard/reference/runner"
	"github.com/mapguard/mapguard/reference/store"
	"github.com/mapguard/mapguard/reference/worker"
)

// exitPartial is the exit status by which the command of a phase says that it
// could apply only a part: EX_TEMPFAIL.
const exitPartial = 75

// execute carries plans to their end through the worker, and fails when one of
// them did not get there. Jobs that an execution left which was interrupted are
// done as well.
func (p *planner) execute(ctx context.Context, args *arguments) error {
	workers := args.flags.Int("workers", worker.DefaultWorkers, "how many plans at a time")
	command := args.flags.String("exec", "", "the shell command to run in each phase")
	planIDs, err := args.parse(0, -1)
	if err != nil {
		return err
	}
	if len(planIDs) == 0 {
		if planIDs, err = p.queued(ctx); err != nil {
			return err
		}
	}
	left, err := p.queuedJobs(ctx)
	if err != nil {
		return err
	}
	ended := make(chan job.Job)
	waiting, stopWaiting := context.WithCancel(ctx)
	defer stopWaiting()
	carry := runner.New(p.plans, p.gates, p.work(*command))
	pool, err := worker.Start(p.unit, jobs.NewRegistry(), carry.Handle, worker.Config{
		Workers: *workers,
		Log:     p.log,
		Finished: func(j job.Job) {
			select {
			case ended <- j:
			case <-waiting.Done():
			}
		},
	})
	if err != nil {
		return err
	}
	pending, err := p.submit(waiting, pool, planIDs)
	err = errors.Join(err, p.await(waiting, append(pending, left...), ended))
	// From here on no one listens. A command that was interrupted does not wait
	// for what runs: it is stopped, and goes back to the queue.
	stopWaiting()
	return errors.Join(err, pool.Shutdown(ctx))
}

// queued returns the plans whose present phase is queued.
func (p *planner) queued(ctx context.Context) ([]string, error) {
	plans, err := p.plans.Plans(ctx, lifecycle.Filter{State: lifecycle.Queued})
	if err != nil {
		return nil, err
	}
	var planIDs []string
	for _, queued := range plans {
		planIDs = append(planIDs, queued.ID)
	}
	return planIDs, nil
}

// queuedJobs returns the jobs that are in the queue.
func (p *planner) queuedJobs(ctx context.Context) (left []job.Job, err error) {
	err = p.unit.Do(ctx, func(tx *store.Tx) (err error) {
		left, err = tx.Jobs.List(ctx, job.Queued)
		return err
	})
	return left, err
}

// submit submits one job for each plan. It returns those jobs that were
// accepted, and those of processes that are gone.
func (p *planner) submit(ctx context.Context, pool *worker.Pool, planIDs []string) ([]job.Job, error) {
	submitted, err := pool.Recover(ctx)
	errs := []error{err}
	for _, planID := range planIDs {
		accepted, err := pool.Submit(ctx, planID)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		submitted = append(submitted, accepted)
	}
	return submitted, errors.Join(errs...)
}

// await waits for the ends of jobs and prints what became of their plans.
func (p *planner) await(ctx context.Context, submitted []job.Job, ended <-chan job.Job) error {
	pending := map[string]bool{}
	for _, j := range submitted {
		pending[j.ID] = true
	}
	var errs []error
	for len(pending) > 0 {
		select {
		case <-ctx.Done():
			return errors.Join(append(errs, context.Cause(ctx))...)
		case j := <-ended:
			delete(pending, j.ID)
			if j.State != job.Succeeded {
				errs = append(errs, fmt.Errorf("job %s: %s: %s", j.ID, j.State, j.Error))
			}
			reached, err := p.plans.Plan(ctx, j.PlanID)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			p.line(reached)
		}
	}
	return errors.Join(errs...)
}

// work returns what the phases of a plan do: they run command, or nothing when
// it is empty.
func (p *planner) work(command string) runner.Work {
	return func(ctx context.Context, current lifecycle.Plan) error {
		if command == "" {
			return nil
		}
		shell := exec.CommandContext(ctx, "sh", "-c", command)
		shell.Env = append(os.Environ(),
			"PLAN_ID="+current.ID, "PLAN_ACTION="+current.Action, "PLAN_PHASE="+string(current.Stage.Phase))
		shell.Stdout, shell.Stderr = p.stdout, p.stderr
		err := shell.Run()
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() == exitPartial {
			return fmt.Errorf("%w: %w", runner.ErrPartial, err)
		}
		return err
	}
}
