package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/mapguard/mapguard/reference/fixed/stmts"
	"github.com/mapguard/mapguard/reference/job"
	"github.com/mapguard/mapguard/reference/lifecycle"
	"github.com/mapguard/mapguard/reference/report"
	"github.com/mapguard/mapguard/reference/store"
)

// action is what a command does.
type action func(ctx context.Context, p *planner) error

// command is one command: what it does to the database, and how its arguments
// become what it does.
type command struct {
	access access
	read   func(args *arguments) (action, error)
}

// commands are all commands by name.
func commands() map[string]command {
	return map[string]command{
		"create":   {creates, readCreate},
		"publish":  {writes, readPublish},
		"archive":  {writes, readArchive},
		"actions":  {reads, readActions},
		"use":      {writes, readUse},
		"plans":    {reads, readPlans},
		"execute":  {writes, readExecute},
		"subplans": {writes, readSubplans},
		"status":   {reads, readStatus},
		"retry":    {writes, readRetry},
		"revert":   {writes, readRevert},
		"cancel":   {writes, readCancel},
		"script":   {creates, readScript},
	}
}

// parse reads one command and its arguments.
func parse(words []string, stderr io.Writer) (command, action, error) {
	c, ok := commands()[words[0]]
	if !ok {
		fmt.Fprintf(stderr, "planner: there is no command %q; see planner -h\n", words[0])
		return command{}, nil, errUsage
	}
	args := &arguments{words: words[1:], flags: flag.NewFlagSet("planner "+words[0], flag.ContinueOnError)}
	args.flags.SetOutput(printableWriter{stderr})
	do, err := c.read(args)
	if errors.Is(err, lifecycle.ErrInvalid) {
		fmt.Fprintf(stderr, "planner: %v\n", err)
		err = errUsage
	}
	return c, do, err
}

// readStatus reads the command that shows one plan, or counts all.
func readStatus(args *arguments) (action, error) {
	names, err := args.parse(0, 1)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, p *planner) error {
		if len(names) == 0 {
			return p.counts(ctx)
		}
		shown, err := p.plans.Plan(ctx, p.named(names[0]))
		if err != nil {
			return err
		}
		p.show(shown)
		return p.showJob(ctx, shown.ID)
	}, nil
}

// named returns the identifier of the plan that an argument names.
func (p *planner) named(argument string) string {
	if argument == "last" && p.last != "" {
		return p.last
	}
	return argument
}

// counts prints how many plans are at each stage.
func (p *planner) counts(ctx context.Context) (err error) {
	var counts []report.Count
	if p.unit == nil {
		plans, err := p.plans.Plans(ctx, lifecycle.Filter{})
		if err != nil {
			return err
		}
		counts = report.Of(plans)
	} else {
		db, err := p.reader(ctx)
		if err != nil {
			return err
		}
		statements := stmts.New(db)
		defer func() { err = errors.Join(err, statements.Close()) }()
		if counts, err = report.Counts(ctx, statements); err != nil {
			return err
		}
	}
	for _, count := range counts {
		fmt.Fprintf(p.stdout, "%-24s %d\n", count.Stage, count.Plans)
	}
	return nil
}

// showJob prints which process has a plan, if one has.
func (p *planner) showJob(ctx context.Context, planID string) error {
	if p.unit == nil {
		return nil
	}
	var current job.Job
	err := p.unit.Do(ctx, func(tx *store.Tx) (err error) {
		current, err = tx.Jobs.AtWork(ctx, planID)
		return err
	})
	switch {
	case errors.Is(err, lifecycle.ErrUnknown):
		return nil
	case err != nil:
		return err
	case current.Free(time.Now()):
		fmt.Fprintf(p.stdout, "job       interrupted; execute goes on with it\n")
	default:
		fmt.Fprintf(p.stdout, "job       %s, process %s\n", current.State, lifecycle.Printable(current.Owner))
	}
	fmt.Fprintf(p.stdout, "command   %s\n", lifecycle.Printable(current.Command))
	return nil
}

// show prints all of one plan.
func (p *planner) show(shown lifecycle.Plan) {
	fmt.Fprintf(p.stdout, "plan      %s\naction    %s\nstage     %s\n", shown.ID, shown.Action, shown.Stage)
	for _, project := range shown.Projects {
		fmt.Fprintf(p.stdout, "project   %s\n", lifecycle.Printable(project))
	}
	if shown.Parent != "" {
		fmt.Fprintf(p.stdout, "parent    %s\n", shown.Parent)
	}
	if shown.Reason != "" {
		fmt.Fprintf(p.stdout, "reason    %s\n", lifecycle.Printable(shown.Reason))
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
