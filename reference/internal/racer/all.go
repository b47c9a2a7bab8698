package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/mapguard/mapguard/reference/engine"
	"github.com/mapguard/mapguard/reference/internal/form"
	"github.com/mapguard/mapguard/reference/lifecycle"
	"github.com/mapguard/mapguard/reference/sqlite"
	"github.com/mapguard/mapguard/reference/workspace"
)

// The programs called "all of" call each method of a part in one goroutine, which
// does nothing else, while another one writes. Whatever a method shares without
// the lock is a race then: no lock that it takes elsewhere hides it.

// each lets every method meet the writer.
func each(writer func(round int) error, methods ...func(round int) error) error {
	for _, method := range methods {
		err := meet(rounds/4, func(goroutine, round int) error {
			if goroutine == 0 {
				return method(round)
			}
			return writer(round)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// names gives a name that it never gave before.
type names struct{ given atomic.Int64 }

func (n *names) next() string { return fmt.Sprintf("all/n%d", n.given.Add(1)) }

func allOfPlans(ctx context.Context, service form.Form) error {
	var fresh names
	s := service.NewPlans(form.PlansConfig{})
	create := func() (string, error) {
		action, err := s.CreateAction(ctx, lifecycle.ActionSpec{Name: fresh.next(), DefinitionOfDone: "done"})
		return action.Name, err
	}
	shared, err := create()
	if err != nil {
		return err
	}
	if _, err := s.Publish(ctx, shared); err != nil {
		return err
	}
	use := func(int) error {
		_, err := s.Use(ctx, lifecycle.Usage{Action: shared, Projects: []string{"project"}})
		return err
	}
	plan, err := s.Use(ctx, lifecycle.Usage{Action: shared, Projects: []string{"project"}})
	if err != nil {
		return err
	}
	// What is refused has looked, and that is what counts.
	refused := func(err error) error {
		if errors.Is(err, lifecycle.ErrNotReady) {
			return nil
		}
		return err
	}
	return errors.Join(
		each(func(int) error { _, err := create(); return err },
			func(int) error { _, err := create(); return err },
			func(int) error { _, err := s.Publish(ctx, shared); return refused(err) },
			func(int) error { _, err := s.Action(ctx, shared); return err },
			func(int) error { _, err := s.Actions(ctx); return err },
			use),
		each(use,
			use,
			func(int) error { _, err := s.Start(ctx, plan.ID, lifecycle.PhaseAction); return refused(err) },
			func(int) error { _, err := s.Plan(ctx, plan.ID); return err },
			func(int) error { _, err := s.Plans(ctx, lifecycle.Filter{}); return err }),
	)
}

func allOfJobs(_ context.Context, service form.Form) error {
	var fresh names
	now := time.Unix(0, 0)
	registry := service.NewRegistry()
	begin := func(int) error { return registry.Begin(fresh.next(), now) }
	if err := registry.Begin("shared", now); err != nil {
		return err
	}
	return each(begin,
		begin,
		func(int) error { return registry.Beat("shared", now) },
		func(int) error { registry.End("none"); return nil },
		func(int) error { registry.Stuck(now); return nil },
		func(int) error { registry.Len(); return nil },
		func(int) error {
			for range registry.Running() {
				break
			}
			return nil
		})
}

func allOfReplicas(ctx context.Context, service form.Form) error {
	var fresh names
	pool := service.NewReplicas(noDatabase)
	open := func(url string) error { _, err := pool.Engine(ctx, url); return err }
	if err := open("shared"); err != nil {
		return err
	}
	return each(func(int) error { return open(fresh.next()) },
		func(int) error { return open("shared") },
		func(int) error { return open(fresh.next()) },
		func(int) error { return pool.Close() })
}

func allOfStatements(ctx context.Context, service form.Form) error {
	eng, err := sqlite.Open(ctx, "memory:statements")
	if err != nil {
		return err
	}
	cache := service.NewStatements(eng.DB())
	prepare := func(round int) error {
		_, err := cache.Statement(ctx, fmt.Sprintf("SELECT %d", round%3))
		return err
	}
	err = each(prepare, prepare, func(int) error { return cache.Close() })
	return errors.Join(err, cache.Close(), eng.Close())
}

func allOfEngines(ctx context.Context, service form.Form) error {
	var fresh names
	fails := func(context.Context, string) (*engine.Engine, error) { return nil, errFactory }
	open := func(int) error {
		_, err := service.OpenUnit(ctx, "memory:"+fresh.next(), noDatabase)
		return err
	}
	return each(open,
		open,
		func(int) error { return service.Migrate(ctx, "memory:"+fresh.next(), noDatabase) },
		func(int) error { return service.Migrate(ctx, "memory:shared", noDatabase) },
		func(int) error { return engine.Dispose("memory:shared") },
		func(int) error {
			if _, err := service.OpenUnit(ctx, "memory:"+fresh.next(), fails); !errors.Is(err, errFactory) {
				return errors.New("an engine that cannot be opened was opened")
			}
			return nil
		})
}

func allOfWorkspaces(_ context.Context, service form.Form) error {
	var fresh names
	set := service.NewWorkspaces(func(string) (*workspace.Folder, error) { return &workspace.Folder{}, nil })
	claim := func(int) error { set.Claim(fresh.next(), "a"); return nil }
	folder := func(int) error { _, err := set.Folder(fresh.next()); return err }
	begin := func(int) error { set.Begin("shared"); return nil }
	return errors.Join(
		each(claim, claim, func(int) error { set.Leave("shared", "a"); return nil }),
		each(folder, folder, func(int) error { return set.Remove("shared") }, func(int) error { return set.Close() }),
		each(begin, begin),
	)
}
