package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/mapguard/mapguard/reference/engine"
	"github.com/mapguard/mapguard/reference/internal/form"
	"github.com/mapguard/mapguard/reference/workspace"
)

// The programs called "churn of" have one goroutine get something again and again
// while another takes it away. At the end nothing must be left over: what was taken
// out of the map must be what was closed.

// unschemed applies nothing, to a database of which nothing is asked.
func unschemed(context.Context, *sql.DB) error { return nil }

// turns is how often each does so.
const turns = 30_000

// churn runs both in a goroutine each.
func churn(get, take func() error) error {
	var errs [2]error
	var both sync.WaitGroup
	for i, do := range []func() error{get, take} {
		both.Go(func() {
			for range turns {
				if errs[i] = do(); errs[i] != nil {
					return
				}
			}
		})
	}
	both.Wait()
	return errors.Join(errs[:]...)
}

func churnOfEngines(ctx context.Context, service form.Form) error {
	var databases openings
	const url = "memory:churn"
	err := churn(
		func() error { return service.MigrateBy(ctx, url, databases.engine, unschemed) },
		func() error { return engine.Dispose(url) },
	)
	if err := errors.Join(err, engine.Dispose(url)); err != nil {
		return err
	}
	if open := databases.open.Load(); open != 0 {
		return fmt.Errorf("%d engines are open after the URL was disposed of", open)
	}
	return nil
}

func churnOfWorkspaces(_ context.Context, service form.Form) (err error) {
	parent, err := os.MkdirTemp("", "churn")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(parent)) }()
	if err := os.Setenv("TMPDIR", parent); err != nil {
		return err
	}
	set := service.NewWorkspaces(workspace.Make)
	err = churn(
		func() error { _, err := set.Folder("plan"); return err },
		func() error { return set.Remove("plan") },
	)
	if err := errors.Join(err, set.Close()); err != nil {
		return err
	}
	left, err := os.ReadDir(parent)
	if err == nil && len(left) != 0 {
		err = fmt.Errorf("%d folders are left over", len(left))
	}
	return err
}
