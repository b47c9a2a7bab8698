package main

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/mapguard/mapguard/reference/engine"
	"github.com/mapguard/mapguard/reference/fixed/gates"
	"github.com/mapguard/mapguard/reference/fixed/migrate"
	"github.com/mapguard/mapguard/reference/fixed/plan"
	"github.com/mapguard/mapguard/reference/fixed/replica"
	"github.com/mapguard/mapguard/reference/fixed/stmts"
	"github.com/mapguard/mapguard/reference/fixed/uow"
	"github.com/mapguard/mapguard/reference/gate"
	"github.com/mapguard/mapguard/reference/lifecycle"
	"github.com/mapguard/mapguard/reference/report"
	"github.com/mapguard/mapguard/reference/schema"
	"github.com/mapguard/mapguard/reference/sqlite"
)

// planner is the service on one database, with the streams it talks through.
type planner struct {
	url            string
	unit           *uow.UnitOfWork
	plans          *plan.Service
	gates          *gates.Set
	replicas       *replica.Pool
	stdin          io.Reader
	stdout, stderr io.Writer
	log            *slog.Logger
}

// withPlanner opens the database that url names, brings it up to date, calls do
// and closes the database.
func withPlanner(
	ctx context.Context, url string, stdin io.Reader, stdout, stderr io.Writer, do func(*planner) error,
) (err error) {
	runner := migrate.Runner{Open: sqlite.Open, Apply: schema.Up}
	if err := runner.Run(ctx, url); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, engine.Dispose(url)) }()
	unit, err := uow.Open(ctx, url, sqlite.Open)
	if err != nil {
		return err
	}
	replicas := replica.New(sqlite.OpenReadOnly)
	defer func() { err = errors.Join(err, replicas.Close(), unit.Close()) }()
	return do(&planner{
		url:      url,
		unit:     unit,
		plans:    plan.New(plan.Config{Unit: unit}),
		gates:    gates.New(gate.New),
		replicas: replicas,
		stdin:    stdin,
		stdout:   stdout,
		stderr:   stderr,
		log:      slog.New(slog.NewTextHandler(stderr, nil)),
	})
}

// reader returns what reports are read from: a replica where there can be one.
func (p *planner) reader(ctx context.Context) (*sql.DB, error) {
	if engine.IsMemory(p.url) {
		return p.unit.Engine().DB(), nil
	}
	eng, err := p.replicas.Engine(ctx, p.url)
	if err != nil {
		return nil, err
	}
	return eng.DB(), nil
}

// command runs one command.
func (p *planner) command(ctx context.Context, words []string) error {
	commands := map[string]func(context.Context, *arguments) error{
		"create":  p.create,
		"publish": p.publish,
		"archive": p.archive,
		"actions": p.listActions,
		"use":     p.use,
		"plans":   p.listPlans,
		"execute": p.execute,
		"status":  p.status,
		"retry":   p.retry,
		"cancel":  p.cancel,
		"script":  p.script,
	}
	command, ok := commands[words[0]]
	if !ok {
		fmt.Fprintf(p.stderr, "planner: there is no command %q; see planner -h\n", words[0])
		return errUsage
	}
	args := &arguments{words: words[1:], flags: flag.NewFlagSet("planner "+words[0], flag.ContinueOnError)}
	args.flags.SetOutput(p.stderr)
	return command(ctx, args)
}

// status shows one plan, or counts all.
func (p *planner) status(ctx context.Context, args *arguments) (err error) {
	names, err := args.parse(0, 1)
	if err != nil {
		return err
	}
	if len(names) == 1 {
		shown, err := p.plans.Plan(ctx, names[0])
		if err != nil {
			return err
		}
		p.show(shown)
		return nil
	}
	db, err := p.reader(ctx)
	if err != nil {
		return err
	}
	statements := stmts.New(db)
	defer func() { err = errors.Join(err, statements.Close()) }()
	counts, err := report.Counts(ctx, statements)
	if err != nil {
		return err
	}
	for _, count := range counts {
		fmt.Fprintf(p.stdout, "%-24s %d\n", count.Stage, count.Plans)
	}
	return nil
}

// show prints all of one plan.
func (p *planner) show(shown lifecycle.Plan) {
	fmt.Fprintf(p.stdout, "plan      %s\naction    %s\nstage     %s\n", shown.ID, shown.Action, shown.Stage)
	for _, project := range shown.Projects {
		fmt.Fprintf(p.stdout, "project   %s\n", project)
	}
	if shown.Parent != "" {
		fmt.Fprintf(p.stdout, "parent    %s\n", shown.Parent)
	}
	if shown.Reason != "" {
		fmt.Fprintf(p.stdout, "reason    %s\n", shown.Reason)
	}
	for _, stamp := range []struct {
		name string
		at   time.Time
	}{{"created", shown.CreatedAt}, {"updated", shown.UpdatedAt}, {"started", shown.StartedAt}, {"finished", shown.FinishedAt}} {
		if !stamp.at.IsZero() {
			fmt.Fprintf(p.stdout, "%-9s %s\n", stamp.name, stamp.at.Format(time.RFC3339))
		}
	}
}
