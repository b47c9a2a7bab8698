package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/mapguard/mapguard/reference/lifecycle"
)

// errNested is what a script gets that would read a script.
var errNested = errors.New("a script cannot run a script")

func (p *planner) create(ctx context.Context, args *arguments) error {
	var names list
	done := args.flags.String("done", "", "the definition of done")
	description := args.flags.String("description", "", "what the action does")
	args.flags.Var(&names, "arg", "an argument: name, or name=default")
	positional, err := args.parse(1, 1)
	if err != nil {
		return err
	}
	spec := lifecycle.ActionSpec{Name: positional[0], Description: *description, DefinitionOfDone: *done}
	for _, text := range names {
		name, value, optional := pair(text)
		spec.Arguments = append(spec.Arguments, lifecycle.Argument{Name: name, Required: !optional, Default: value})
	}
	action, err := p.plans.CreateAction(ctx, spec)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%s %s\n", action.Name, action.Status)
	return nil
}

func (p *planner) publish(ctx context.Context, args *arguments) error {
	return p.revise(ctx, args, p.plans.Publish)
}

func (p *planner) archive(ctx context.Context, args *arguments) error {
	return p.revise(ctx, args, p.plans.Archive)
}

func (p *planner) revise(
	ctx context.Context, args *arguments, revise func(context.Context, string) (lifecycle.Action, error),
) error {
	names, err := args.parse(1, 1)
	if err != nil {
		return err
	}
	action, err := revise(ctx, names[0])
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%s %s\n", action.Name, action.Status)
	return nil
}

func (p *planner) listActions(ctx context.Context, args *arguments) error {
	if _, err := args.parse(0, 0); err != nil {
		return err
	}
	actions, err := p.plans.Actions(ctx)
	if err != nil {
		return err
	}
	for _, action := range actions {
		fmt.Fprintf(p.stdout, "%-24s %-10s %s\n", action.Name, action.Status, action.Description)
	}
	return nil
}

func (p *planner) use(ctx context.Context, args *arguments) error {
	var projects, settings list
	args.flags.Var(&projects, "project", "a project on which to use the action")
	args.flags.Var(&settings, "set", "the value of an argument: name=value")
	names, err := args.parse(1, 1)
	if err != nil {
		return err
	}
	values := map[string]string{}
	for _, text := range settings {
		name, value, ok := pair(text)
		if !ok {
			return lifecycle.Invalid("argument", text, "it must be name=value")
		}
		values[name] = value
	}
	made, err := p.plans.Use(ctx, lifecycle.Usage{Action: names[0], Projects: projects, Arguments: values})
	if err != nil {
		return err
	}
	fmt.Fprintln(p.stdout, made.ID)
	return nil
}

func (p *planner) listPlans(ctx context.Context, args *arguments) error {
	phase := args.flags.String("phase", "", "only plans in this phase")
	state := args.flags.String("state", "", "only plans in this state")
	project := args.flags.String("project", "", "only plans of this project")
	if _, err := args.parse(0, 0); err != nil {
		return err
	}
	plans, err := p.plans.Plans(ctx, lifecycle.Filter{
		Phase:   lifecycle.Phase(*phase),
		State:   lifecycle.State(*state),
		Project: *project,
	})
	if err != nil {
		return err
	}
	for _, listed := range plans {
		p.line(listed)
	}
	return nil
}

// line prints a plan in one line.
func (p *planner) line(listed lifecycle.Plan) {
	fmt.Fprintf(p.stdout, "%s %-24s %-24s %s\n",
		listed.ID, listed.Stage, listed.Action, strings.Join(listed.Projects, ","))
}

func (p *planner) retry(ctx context.Context, args *arguments) error {
	names, err := args.parse(1, 1)
	if err != nil {
		return err
	}
	current, err := p.plans.Plan(ctx, names[0])
	if err != nil {
		return err
	}
	queued, err := p.plans.Retry(ctx, current.ID, current.Stage.Phase)
	if err != nil {
		return err
	}
	p.line(queued)
	return nil
}

func (p *planner) cancel(ctx context.Context, args *arguments) error {
	reason := args.flags.String("reason", "", "why")
	names, err := args.parse(1, 1)
	if err != nil {
		return err
	}
	cancelled, err := p.plans.Cancel(ctx, names[0], *reason)
	if err != nil {
		return err
	}
	p.line(cancelled)
	return nil
}

func (p *planner) script(ctx context.Context, args *arguments) error {
	if _, err := args.parse(0, 0); err != nil {
		return err
	}
	return eachLine(p.stdin, func(words []string) error {
		if words[0] == "script" {
			return errNested
		}
		return p.command(ctx, words)
	})
}
