package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"

	"github.com/mapguard/mapguard/reference/lifecycle"
)

// errNested is what a script gets that would read a script.
var errNested = errors.New("a script cannot run a script")

func readCreate(args *arguments) (action, error) {
	var names list
	done := args.flags.String("done", "", "the definition of done")
	description := args.flags.String("description", "", "what the action does")
	args.flags.Var(&names, "arg", "an argument: name, or name=default")
	positional, err := args.parse(1, 1)
	if err != nil {
		return nil, err
	}
	spec := lifecycle.ActionSpec{Name: positional[0], Description: *description, DefinitionOfDone: *done}
	for _, text := range names {
		name, value, optional := pair(text)
		spec.Arguments = append(spec.Arguments, lifecycle.Argument{Name: name, Required: !optional, Default: value})
	}
	return func(ctx context.Context, p *planner) error {
		return p.printAction(p.plans.CreateAction(ctx, spec))
	}, nil
}

func readPublish(args *arguments) (action, error) {
	names, err := args.parse(1, 1)
	return func(ctx context.Context, p *planner) error {
		return p.printAction(p.plans.Publish(ctx, names[0]))
	}, err
}

func readArchive(args *arguments) (action, error) {
	names, err := args.parse(1, 1)
	return func(ctx context.Context, p *planner) error {
		return p.printAction(p.plans.Archive(ctx, names[0]))
	}, err
}

// printAction prints an action, unless there is an error, which it returns.
func (p *planner) printAction(changed lifecycle.Action, err error) error {
	if err == nil {
		fmt.Fprintf(p.stdout, "%s %s\n", changed.Name, changed.Status)
	}
	return err
}

func readActions(args *arguments) (action, error) {
	_, err := args.parse(0, 0)
	return func(ctx context.Context, p *planner) error {
		all, err := p.plans.Actions(ctx)
		for _, listed := range all {
			fmt.Fprintf(p.stdout, "%-24s %-10s %s\n", listed.Name, listed.Status, lifecycle.Printable(listed.Description))
		}
		return err
	}, err
}

// usageFlags are the flags that say how an action is used.
type usageFlags struct{ projects, settings list }

func (u *usageFlags) on(flags *flag.FlagSet) {
	flags.Var(&u.projects, "project", "a project on which to use the action")
	flags.Var(&u.settings, "set", "the value of an argument: name=value")
}

// values returns the values of the arguments.
func (u *usageFlags) values() (map[string]string, error) {
	values := map[string]string{}
	for _, text := range u.settings {
		name, value, ok := pair(text)
		if !ok {
			return nil, lifecycle.Invalid("argument", text, "it must be name=value")
		}
		values[name] = value
	}
	return values, nil
}

func readUse(args *arguments) (action, error) {
	var flags usageFlags
	flags.on(args.flags)
	names, err := args.parse(1, 1)
	if err != nil {
		return nil, err
	}
	values, err := flags.values()
	return func(ctx context.Context, p *planner) error {
		made, err := p.plans.Use(ctx, lifecycle.Usage{Action: names[0], Projects: flags.projects, Arguments: values})
		if err == nil {
			p.last = made.ID
			fmt.Fprintln(p.stdout, made.ID)
		}
		return err
	}, err
}

func readPlans(args *arguments) (action, error) {
	var filter lifecycle.Filter
	args.flags.StringVar((*string)(&filter.Phase), "phase", "", "only plans in this phase")
	args.flags.StringVar((*string)(&filter.State), "state", "", "only plans in this state")
	args.flags.StringVar(&filter.Project, "project", "", "only plans of this project")
	args.flags.StringVar(&filter.Parent, "parent", "", "only children of this plan")
	if _, err := args.parse(0, 0); err != nil {
		return nil, err
	}
	return func(ctx context.Context, p *planner) error {
		filter.Parent = p.named(filter.Parent)
		plans, err := p.plans.Plans(ctx, filter)
		for _, listed := range plans {
			p.line(listed)
		}
		return err
	}, filter.Check()
}

// line prints a plan in one line.
func (p *planner) line(listed lifecycle.Plan) {
	fmt.Fprintf(p.stdout, "%s %-24s %-24s %s\n",
		listed.ID, listed.Stage, listed.Action, lifecycle.Printable(strings.Join(listed.Projects, ",")))
}

// printPlan prints a plan, unless there is an error, which it returns.
func (p *planner) printPlan(moved lifecycle.Plan, err error) error {
	if err == nil {
		p.line(moved)
	}
	return err
}

func readRetry(args *arguments) (action, error) {
	names, err := args.parse(1, 1)
	return func(ctx context.Context, p *planner) error {
		current, err := p.plans.Plan(ctx, p.named(names[0]))
		if err != nil {
			return err
		}
		return p.printPlan(p.plans.Retry(ctx, current.ID, current.Stage.Phase))
	}, err
}

func readRevert(args *arguments) (action, error) {
	reason := args.flags.String("reason", "", "why")
	names, err := args.parse(1, 1)
	return func(ctx context.Context, p *planner) error {
		return p.printPlan(p.plans.Revert(ctx, p.named(names[0]), *reason))
	}, err
}

func readCancel(args *arguments) (action, error) {
	reason := args.flags.String("reason", "", "why")
	names, err := args.parse(1, 1)
	return func(ctx context.Context, p *planner) error {
		return p.printPlan(p.plans.Cancel(ctx, p.named(names[0]), *reason))
	}, err
}

func readScript(args *arguments) (action, error) {
	_, err := args.parse(0, 0)
	return func(ctx context.Context, p *planner) error {
		return eachLine(p.stdin, func(words []string) error {
			if words[0] == "script" {
				return errNested
			}
			_, do, err := parse(words, p.stderr)
			if errors.Is(err, flag.ErrHelp) {
				return nil // it was shown, and the script goes on
			}
			if err != nil {
				return err
			}
			return do(ctx, p)
		})
	}, err
}
