package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/mapguard/mapguard/reference/fixed/jobs"
	"github.com/mapguard/mapguard/reference/job"
	"github.com/mapguard/mapguard/reference/lifecycle"
	"github.com/mapguard/mapguard/reference/runner"
	"github.com/mapguard/mapguard/reference/subplan"
	"github.com/mapguard/mapguard/reference/worker"
)

// executeFlags are the flags that say how plans are executed.
type executeFlags struct {
	command      string
	limit, lease time.Duration
}

func (f *executeFlags) on(flags *flag.FlagSet) {
	flags.StringVar(&f.command, "exec", "", "the shell command to run in each phase")
	flags.DurationVar(&f.limit, "limit", 0, "how long the command may run; 0 means no limit")
	flags.DurationVar(&f.lease, "lease", 10*time.Second, "how long others leave plans to a planner that was killed")
}

// check returns the error that the flags have no meaning.
func (f *executeFlags) check() error {
	switch {
	case f.limit < 0:
		return lifecycle.Invalid("limit", f.limit.String(), "it cannot be negative; 0 is none")
	case f.lease < worker.LeastLease:
		return lifecycle.Invalid("lease", f.lease.String(), "it must be at least "+worker.LeastLease.String())
	}
	return nil
}

// carrier carries one plan to its end.
type carrier func(ctx context.Context, planID string) (lifecycle.Plan, error)

func readExecute(args *arguments) (action, error) {
	var flags executeFlags
	flags.on(args.flags)
	workers := args.flags.Int("workers", worker.DefaultWorkers, "how many plans at a time")
	planIDs, err := args.parse(0, -1)
	if err != nil {
		return nil, err
	}
	if *workers < 1 || *workers > worker.MaxWorkers {
		return nil, lifecycle.Invalid("workers", fmt.Sprint(*workers),
			fmt.Sprintf("between 1 and %d plans can be carried at a time", worker.MaxWorkers))
	}
	config := flags.config(*workers)
	if len(planIDs) == 0 {
		config.Adopt = sameCommand(flags.command)
	}
	return func(ctx context.Context, p *planner) error {
		return p.carrying(ctx, flags, config, func(carry carrier, pool *worker.Pool) error {
			var chosen []string
			for _, planID := range planIDs {
				chosen = append(chosen, p.named(planID))
			}
			if len(chosen) == 0 {
				var err error
				if chosen, err = p.unfinished(ctx, pool); err != nil {
					return err
				}
			}
			// A plan that is named twice is carried once.
			slices.Sort(chosen)
			return p.execute(ctx, carry, slices.Compact(chosen))
		})
	}, flags.check()
}

// sameCommand lets a pool adopt what was not begun, or with that command. A plan
// that was interrupted while another command did it is left, unless it is named:
// parts of it are done.
func sameCommand(command string) func(job.Job) error {
	return func(free job.Job) error {
		if free.Attempts == 0 || free.Command == command {
			return nil
		}
		return lifecycle.NotReady("plan", free.PlanID,
			fmt.Sprintf("it was interrupted with -exec %q: execute with that, or name the plan", free.Command))
	}
}

func readSubplans(args *arguments) (action, error) {
	var flags executeFlags
	var using usageFlags
	flags.on(args.flags)
	using.on(args.flags)
	parallel := args.flags.Int("parallel", subplan.DefaultParallel, "how many children at a time")
	goOn := args.flags.Bool("continue", false, "go on when a child failed")
	names, err := args.parse(2, 2)
	if err != nil {
		return nil, err
	}
	values, err := using.values()
	if err == nil && len(using.projects) == 0 {
		err = lifecycle.Invalid("action", names[1], "it must be used on one or more projects: -project")
	}
	if *parallel == 0 { // what leaves it to the executor elsewhere is a mistake here
		*parallel = -1
	}
	options := subplan.Options{Parallel: *parallel, ContinueOnError: *goOn}
	if err := errors.Join(err, flags.check(), options.Check()); err != nil {
		return nil, err
	}
	usages := make([]lifecycle.Usage, len(using.projects))
	for i, project := range using.projects {
		usages[i] = lifecycle.Usage{Action: names[1], Projects: []string{project}, Arguments: values}
	}
	return func(ctx context.Context, p *planner) error {
		return p.carrying(ctx, flags, flags.config(*parallel), func(carry carrier, _ *worker.Pool) error {
			executor, err := subplan.NewExecutor(p.plans, subplan.Run(carry), options)
			if err != nil {
				return err
			}
			results, err := executor.Execute(ctx, p.named(names[0]), usages)
			for _, result := range results {
				p.line(result.Plan)
			}
			return err
		})
	}, nil
}

// config is how a pool works that carries as many plans at a time.
func (f *executeFlags) config(workers int) worker.Config {
	return worker.Config{Workers: workers, Command: f.command, Lease: f.lease}
}

// carrying calls do with a carrier of as many plans at a time as config says,
// and returns when all that it carries has stopped. With a database that is the
// worker, whose pool do gets as well, so that other processes know; without one
// the plans are carried at once.
func (p *planner) carrying(
	ctx context.Context, flags executeFlags, config worker.Config, do func(carrier, *worker.Pool) error,
) error {
	carry := runner.New(p.plans, p.gates, p.work(flags))
	if p.unit == nil {
		places := make(chan struct{}, config.Workers)
		return do(func(ctx context.Context, planID string) (lifecycle.Plan, error) {
			places <- struct{}{}
			defer func() { <-places }()
			return applied(carry.Run(ctx, planID, func() {}))
		}, nil)
	}
	config.Log = p.log
	pool, err := worker.Start(p.unit, jobs.NewRegistry(), carry.Handle, config)
	if err != nil {
		return err
	}
	err = do(func(ctx context.Context, planID string) (lifecycle.Plan, error) {
		return p.queueAndWait(ctx, pool, planID)
	}, pool)
	return errors.Join(err, pool.Shutdown(ctx))
}

// queueAndWait carries one plan through the queue: by this process, or by the one
// that has it already.
func (p *planner) queueAndWait(ctx context.Context, pool *worker.Pool, planID string) (lifecycle.Plan, error) {
	current, err := p.plans.Plan(ctx, planID)
	if err != nil || current.Stage.Terminal() {
		return applied(current, err)
	}
	queued, err := pool.Submit(ctx, planID)
	if err != nil {
		return current, err
	}
	if !pool.Mine(queued) {
		p.log.Info("another process executes the plan; waiting for it", "plan", planID, "process", queued.Owner)
	}
	ended, err := pool.Wait(ctx, queued.ID)
	if err != nil {
		return lifecycle.Plan{}, err
	}
	after, err := p.plans.Plan(ctx, planID)
	switch {
	case err != nil:
		return current, err
	case ended.State != job.Succeeded:
		return after, fmt.Errorf("plan %s: %s: %s", planID, ended.State, ended.Error)
	}
	return applied(after, nil)
}

// applied adds to a plan the error that it did not get to its end, unless it did
// or there is an error already.
func applied(plan lifecycle.Plan, err error) (lifecycle.Plan, error) {
	if err == nil && plan.Stage.State != lifecycle.Applied {
		err = lifecycle.NotReady("plan", plan.ID, "it is "+plan.Stage.String())
	}
	return plan, err
}

// execute carries plans to their end, all at once as far as carry lets it, and
// prints what became of each.
func (p *planner) execute(ctx context.Context, carry carrier, planIDs []string) error {
	errs := make([]error, len(planIDs))
	var plans sync.WaitGroup
	for i, planID := range planIDs {
		plans.Go(func() {
			reached, err := carry(ctx, planID)
			if reached.ID != "" {
				p.line(reached)
			}
			errs[i] = err
		})
	}
	plans.Wait()
	return errors.Join(errs...)
}

// unfinished returns the plans that execute carries when none is named: those
// whose present phase is queued, and those that are at work, here or elsewhere, or
// were.
func (p *planner) unfinished(ctx context.Context, pool *worker.Pool) ([]string, error) {
	plans, err := p.plans.Plans(ctx, lifecycle.Filter{State: lifecycle.Queued})
	if err != nil {
		return nil, err
	}
	if pool != nil {
		begun, err := pool.Unfinished(ctx)
		if err != nil {
			return nil, err
		}
		for _, j := range begun {
			plan, err := p.plans.Plan(ctx, j.PlanID)
			if err != nil {
				return nil, err
			}
			plans = append(plans, plan)
		}
	}
	var planIDs []string
	for _, plan := range plans {
		if !plan.Stage.Terminal() { // it was cancelled meanwhile
			planIDs = append(planIDs, plan.ID)
		}
	}
	return planIDs, nil
}
