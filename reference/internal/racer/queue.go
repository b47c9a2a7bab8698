package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mapguard/mapguard/reference/internal/form"
	"github.com/mapguard/mapguard/reference/internal/interleave"
	"github.com/mapguard/mapguard/reference/lifecycle"
)

// A mutex that is released and taken again is, as a rule, taken by the same
// goroutine: what can happen between two critical sections hardly ever happens.
// But when a goroutine that has waited for a millisecond wakes and finds the mutex
// taken again, it goes from hand to hand from then on, in the order in which it was
// asked for. The program called "queue of plans" makes use of that: one goroutine
// holds the mutex, in its clock, while a crowd queues up behind it, gives it up, and
// is there again before the first of the crowd. Then each of the crowd gets one
// section after the other.

const (
	// starving is longer than the millisecond.
	starving = 2 * time.Millisecond
	// gathering is how long the crowd may take to queue up.
	gathering = 100 * time.Millisecond
)

// queue is a plan service whose clock holds a call when it is told to.
type queue struct {
	form.Plans
	ctx   context.Context
	ticks atomic.Int64
	held  atomic.Pointer[chan struct{}]
	again atomic.Bool
	// size is how many queue up.
	size  int
	fresh names
}

func newQueue(ctx context.Context, service form.Form, newID func() string) *queue {
	q := &queue{ctx: ctx}
	q.Plans = service.NewPlans(form.PlansConfig{NewID: newID, Now: q.now})
	return q
}

// now is the clock: it ticks at each call, and holds the call that is to be held.
func (q *queue) now() time.Time {
	if held := q.held.Swap(nil); held != nil {
		close(*held)
		for begun := time.Now(); interleave.Queued() < q.size && time.Since(begun) < gathering; {
			runtime.Gosched()
		}
		spin()
		q.again.Store(true)
	} else if q.again.Swap(false) {
		spin()
	}
	return time.Unix(0, q.ticks.Add(1))
}

func spin() {
	for begun := time.Now(); time.Since(begun) < starving; {
		runtime.Gosched()
	}
}

// behind calls do, which makes a queue of that size, while another call holds the
// mutex.
func (q *queue) behind(size int, do func() error) error {
	q.size = size
	held := make(chan struct{})
	q.held.Store(&held)
	var holder sync.WaitGroup
	var failure error
	first, second := q.fresh.next(), q.fresh.next()
	holder.Go(func() {
		if _, failure = q.create(first); failure == nil {
			_, failure = q.create(second)
		}
	})
	<-held
	err := do()
	holder.Wait()
	return errors.Join(failure, err)
}

func (q *queue) create(name string) (lifecycle.Action, error) {
	return q.CreateAction(q.ctx, lifecycle.ActionSpec{Name: name, DefinitionOfDone: "done"})
}

// wins lets a crowd queue up to do the same, which must succeed for one.
func (q *queue) wins(what string, do func() error) error {
	return q.behind(crowd, func() error { return oneWins(what, do) })
}

func queueOfPlans(ctx context.Context, service form.Form) error {
	var planID atomic.Int64
	q := newQueue(ctx, service, func() string { return fmt.Sprint(planID.Load()) })
	for range rounds / 20 {
		name := q.fresh.next()
		planID.Add(1)
		use := func() error {
			_, err := q.Use(ctx, lifecycle.Usage{Action: name, Projects: []string{"project"}})
			return err
		}
		err := inOrder(
			func() error { return q.wins("create", func() error { _, err := q.create(name); return err }) },
			func() error { return q.wins("publish", func() error { _, err := q.Publish(ctx, name); return err }) },
			func() error { return q.wins("use", use) },
			func() error {
				return q.wins("start", func() error {
					_, err := q.Start(ctx, fmt.Sprint(planID.Load()), lifecycle.PhaseAction)
					return err
				})
			},
			func() error { planID.Add(1); return q.usedAndArchived(name) },
		)
		if err != nil {
			return err
		}
	}
	return nil
}

// inOrder calls functions until one fails.
func inOrder(calls ...func() error) error {
	for _, call := range calls {
		if err := call(); err != nil {
			return err
		}
	}
	return nil
}

// usedAndArchived uses an action while it is archived: a plan that is made must be
// older than the end of the action.
func (q *queue) usedAndArchived(name string) error {
	var made lifecycle.Plan
	var archived lifecycle.Action
	var refused, failure error
	err := q.behind(2, func() error {
		atOnce(func(i int) {
			switch i {
			case 0:
				made, refused = q.Use(q.ctx, lifecycle.Usage{Action: name, Projects: []string{"project"}})
			case 1:
				archived, failure = q.Archive(q.ctx, name)
			}
		})
		return failure
	})
	if err == nil && refused == nil && made.CreatedAt.After(archived.UpdatedAt) {
		return errors.New("a plan was made of an action that was archived")
	}
	return err
}

// queueOfJobs has the mutex of the registry held for long by a call that goes
// through many jobs.
func queueOfJobs(_ context.Context, service form.Form) error {
	registry, now := service.NewRegistry(), time.Unix(0, 0)
	for i := range 50_000 {
		if err := registry.Begin(fmt.Sprint("many", i), now); err != nil {
			return err
		}
	}
	var ended atomic.Bool
	var holder sync.WaitGroup
	holder.Go(func() {
		for !ended.Load() {
			registry.Stuck(now)
		}
	})
	defer holder.Wait()
	defer ended.Store(true)
	for round := range rounds / 20 {
		jobID := fmt.Sprint(round)
		if err := oneWins("begin", func() error { return registry.Begin(jobID, now) }); err != nil {
			return err
		}
	}
	return nil
}
