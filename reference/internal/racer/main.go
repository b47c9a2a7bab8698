// The racer command lets two goroutines loose on one part of one form of the
// service, with nothing to order them. It is built with the race detector and
// run by the behaviour tests as a process of its own, which may well be killed.
//
//	racer FORM PROGRAM
//
// It exits with status 0 when it came to its end and nothing was lost or done
// twice, 1 when something was, 2 when it was called wrongly; what the race detector makes of
// it is up to the GORACE variable.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/mapguard/mapguard/reference/engine"
	"github.com/mapguard/mapguard/reference/gate"
	"github.com/mapguard/mapguard/reference/internal/form"
	"github.com/mapguard/mapguard/reference/lifecycle"
	"github.com/mapguard/mapguard/reference/sqlite"
)

// rounds is how often the two goroutines meet. The detector remembers only the
// last few accesses to a place and so may miss a race in one round, of which
// each of the others is another chance to see it.
const rounds = 200

var programs = map[string]func(context.Context, form.Form) error{
	"units of work":  unitsOfWork,
	"migrations":     migrations,
	"replicas":       replicas,
	"plans":          plans,
	"statements":     statements,
	"gates":          gates,
	"counted jobs":   countedJobs,
	"jobs in a list": listedJobs,

	"all of plans":      allOfPlans,
	"all of jobs":       allOfJobs,
	"all of replicas":   allOfReplicas,
	"all of statements": allOfStatements,
	"all of engines":    allOfEngines,
	"all of workspaces": allOfWorkspaces,

	"one action":    oneAction,
	"one job":       oneJob,
	"one gate":      oneGate,
	"one replica":   oneReplica,
	"one statement": oneStatement,
	"one engine":    oneEngine,
	"one workspace": oneWorkspace,
	"one phase":     onePhase,

	"queue of plans": queueOfPlans,
	"queue of jobs":  queueOfJobs,

	"churn of engines":    churnOfEngines,
	"churn of workspaces": churnOfWorkspaces,
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: racer FORM PROGRAM")
		os.Exit(2)
	}
	service, known := form.Named(os.Args[1])
	program, ok := programs[os.Args[2]]
	if !known || !ok {
		fmt.Fprintf(os.Stderr, "racer: there is no form %q or no program %q\n", os.Args[1], os.Args[2])
		os.Exit(2)
	}
	// One whose test was killed, and which waits for a lock that is never given, must
	// not wait for ever.
	time.AfterFunc(time.Minute, func() {
		fmt.Fprintln(os.Stderr, "racer: it hangs")
		os.Exit(1)
	})
	if err := program(context.Background(), service); err != nil {
		fmt.Fprintln(os.Stderr, "racer:", err)
		os.Exit(1)
	}
}

// together calls do in two goroutines at once, and does so again in each round.
func together(do func(goroutine, round int) error) error { return meet(rounds, do) }

// meet calls do in two goroutines at once, so many times.
func meet(rounds int, do func(goroutine, round int) error) error {
	for round := range rounds {
		var failures [2]error
		var goroutines sync.WaitGroup
		for g := range failures {
			goroutines.Go(func() { failures[g] = do(g, round) })
		}
		goroutines.Wait()
		if err := errors.Join(failures[:]...); err != nil {
			return err
		}
	}
	return nil
}

// noDatabase is a factory of engines that have none.
func noDatabase(_ context.Context, url string) (*engine.Engine, error) {
	return engine.New(url, nil, nil), nil
}

func unitsOfWork(ctx context.Context, service form.Form) error {
	return together(func(_, round int) error {
		_, err := service.OpenUnit(ctx, fmt.Sprintf("memory:%d", round), noDatabase)
		return err
	})
}

func migrations(ctx context.Context, service form.Form) error {
	return together(func(_, round int) error {
		return service.Migrate(ctx, fmt.Sprintf("memory:%d", round), noDatabase)
	})
}

func replicas(ctx context.Context, service form.Form) error {
	pool := service.NewReplicas(noDatabase)
	// Each opens its own, so that each writes after what the other read last.
	return errors.Join(together(func(goroutine, round int) error {
		_, err := pool.Engine(ctx, fmt.Sprintf("%d-%d", goroutine, round))
		return err
	}), pool.Close())
}

func plans(ctx context.Context, service form.Form) error {
	s := service.NewPlans(form.PlansConfig{})
	err := together(func(goroutine, round int) error {
		name := fmt.Sprintf("g%c/r%d", 'a'+goroutine, round)
		_, err := s.CreateAction(ctx, lifecycle.ActionSpec{Name: name, DefinitionOfDone: "done"})
		if err != nil {
			return err
		}
		if _, err := s.Publish(ctx, name); err != nil {
			return err
		}
		_, err = s.Use(ctx, lifecycle.Usage{Action: name, Projects: []string{"project"}})
		return err
	})
	if err != nil {
		return err
	}
	actions, _ := s.Actions(ctx)
	made, _ := s.Plans(ctx, lifecycle.Filter{})
	if len(actions) != 2*rounds || len(made) != 2*rounds {
		return fmt.Errorf("%d actions and %d plans are left of %d each", len(actions), len(made), 2*rounds)
	}
	return nil
}

func statements(ctx context.Context, service form.Form) error {
	eng, err := sqlite.Open(ctx, "memory:statements")
	if err != nil {
		return err
	}
	cache := service.NewStatements(eng.DB())
	err = together(func(_, round int) error {
		_, err := cache.Statement(ctx, fmt.Sprintf("SELECT %d", round%10))
		return err
	})
	return errors.Join(err, cache.Close(), eng.Close())
}

func gates(_ context.Context, service form.Form) error {
	set := service.NewGates(gate.New)
	return together(func(_, round int) error {
		set.Of(fmt.Sprint(round))
		return nil
	})
}

func countedJobs(_ context.Context, service form.Form) error {
	registry := service.NewRegistry()
	return together(func(goroutine, round int) error {
		if goroutine == 0 {
			registry.Len()
			return nil
		}
		return registry.Begin(fmt.Sprint(round), time.Unix(0, 0))
	})
}

func listedJobs(_ context.Context, service form.Form) error {
	registry := service.NewRegistry()
	return together(func(goroutine, round int) error {
		if err := registry.Begin(fmt.Sprintf("%d-%d", goroutine, round), time.Unix(0, 0)); err != nil {
			return err
		}
		for jobID, run := range registry.Running() {
			if run.Since.IsZero() {
				return fmt.Errorf("job %s has not begun", jobID)
			}
		}
		return nil
	})
}
