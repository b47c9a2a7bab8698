// Package subplan executes the children of a plan, several at a time.
package subplan

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/mapguard/mapguard/reference/lifecycle"
)

// The bounds of how many children are executed at a time.
const (
	DefaultParallel = 4
	MaxParallel     = 32
)

// Plans is the part of the plan service that an executor uses. It must be safe
// for concurrent use.
type Plans interface {
	Plan(ctx context.Context, planID string) (lifecycle.Plan, error)
	Use(ctx context.Context, usage lifecycle.Usage) (lifecycle.Plan, error)
	Cancel(ctx context.Context, planID, reason string) (lifecycle.Plan, error)
}

// Run carries one plan to its end. It must be safe for concurrent use.
type Run func(ctx context.Context, planID string) (lifecycle.Plan, error)

// Options says how children are executed.
type Options struct {
	// Parallel is how many children are executed at a time, the rest waits:
	// DefaultParallel when it is zero, MaxParallel at most.
	Parallel int
	// ContinueOnError says that the children go on when one of them failed.
	// Without it the first failure stops the others.
	ContinueOnError bool
}

// Check returns the error that nothing can be executed like this, or nil.
func (o Options) Check() error {
	if o.Parallel < 0 || o.Parallel > MaxParallel {
		return lifecycle.Invalid("parallel", fmt.Sprint(o.Parallel),
			fmt.Sprintf("between 1 and %d children can be executed at a time", MaxParallel))
	}
	return nil
}

// Result is what became of one child.
type Result struct {
	Plan lifecycle.Plan
	Err  error
}

// errSibling is why a child is cancelled after another one failed.
var errSibling = errors.New("a sibling failed")

// Executor executes the children of plans. It is safe for concurrent use.
type Executor struct {
	plans    Plans
	run      Run
	parallel int
	failFast bool
}

// NewExecutor returns an executor that carries each child to its end with run.
func NewExecutor(plans Plans, run Run, options Options) (*Executor, error) {
	if err := options.Check(); err != nil {
		return nil, err
	}
	if options.Parallel == 0 {
		options.Parallel = DefaultParallel
	}
	return &Executor{
		plans:    plans,
		run:      run,
		parallel: options.Parallel,
		failFast: !options.ContinueOnError,
	}, nil
}

// Execute makes one child of the plan called parentID for each usage and
// executes them all. It returns what became of each, in the order of usages,
// and all failures joined. When it fails fast, the children that had not begun
// are cancelled.
func (e *Executor) Execute(ctx context.Context, parentID string, usages []lifecycle.Usage) ([]Result, error) {
	parent, err := e.plans.Plan(ctx, parentID)
	if err != nil {
		return nil, err
	}
	if parent.Stage.Terminal() {
		return nil, lifecycle.NotReady("plan", parentID, "it is "+parent.Stage.String())
	}
	results := make([]Result, len(usages))
	for i, usage := range usages {
		usage.Parent = parentID
		if results[i].Plan, err = e.plans.Use(ctx, usage); err != nil {
			return nil, errors.Join(err, e.cancel(ctx, results[:i], "a sibling could not be made"))
		}
	}
	e.executeAll(ctx, results)
	var errs []error
	for _, result := range results {
		errs = append(errs, result.Err)
	}
	return results, errors.Join(errs...)
}

// executeAll executes the children in results, and writes what became of each
// in its place: every goroutine writes elements of its own only.
func (e *Executor) executeAll(ctx context.Context, results []Result) {
	running, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	queue := make(chan *Result)
	var workers sync.WaitGroup
	for range min(e.parallel, len(results)) {
		workers.Go(func() {
			for result := range queue {
				e.execute(running, result)
				if result.Err != nil && e.failFast {
					stop(errSibling)
				}
			}
		})
	}
	for i := range results {
		queue <- &results[i]
	}
	close(queue)
	workers.Wait()
}

// execute executes one child, or cancels it when the others have been stopped.
func (e *Executor) execute(ctx context.Context, result *Result) {
	if ctx.Err() != nil {
		result.Err = e.cancelOne(ctx, result, context.Cause(ctx).Error())
		return
	}
	plan, err := e.run(ctx, result.Plan.ID)
	if plan.ID != "" {
		result.Plan = plan
	}
	result.Err = err
}

// cancel cancels children that were made but will not be executed.
func (e *Executor) cancel(ctx context.Context, children []Result, reason string) error {
	var errs []error
	for i := range children {
		errs = append(errs, e.cancelOne(ctx, &children[i], reason))
	}
	return errors.Join(errs...)
}

// cancelOne cancels one child, also when ctx has ended.
func (e *Executor) cancelOne(ctx context.Context, child *Result, reason string) error {
	plan, err := e.plans.Cancel(context.WithoutCancel(ctx), child.Plan.ID, reason)
	if err != nil {
		return err
	}
	child.Plan = plan
	return nil
}
