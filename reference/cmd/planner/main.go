// The planner command runs the plan service over a database: it creates
// actions, uses them on projects, executes the plans and shows where they
// stand.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

const usage = `planner keeps actions and plans in a database and executes the plans.

usage: planner [-db URL] COMMAND [arguments]

  create NAME -done TEXT [-description TEXT] [-arg ARG]...
                          create an action, a draft; ARG is name for one that
                          is required, name=value for one with a default
  publish NAME            make a draft action available
  archive NAME            take an action out of use
  actions                 list the actions
  use NAME -project P [-project P]... [-set name=value]...
                          make a plan of an action, and print its identifier
  plans [-phase P] [-state S] [-project P]
                          list plans
  execute [-workers N] [-exec COMMAND] [PLAN]...
                          carry plans to their end, all that are queued when
                          none is named, and those that were interrupted;
                          COMMAND is run by the shell in each phase, with
                          PLAN_ID, PLAN_ACTION and PLAN_PHASE set, and exit
                          status 75 in the apply phase means that only a part
                          could be applied
  status [PLAN]           show one plan, or how many plans are at each stage
  retry PLAN              queue the phase again that failed
  cancel PLAN [-reason TEXT]
                          give a plan up
  script                  read commands from standard input, one on each line,
                          its words separated by blanks or quoted with ""

URL is the path of a file, or memory:NAME for a database that lives as long as
the command does, which is useful with script. It is planner.db by default.
`

// errUsage says that the command line was wrong, and that this has been said.
var errUsage = errors.New("usage")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run runs the command and returns its exit status: 0 when it succeeded, 1 when
// it failed, 2 when the command line was wrong.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	// The workers of execute write as well.
	stdout, stderr = &lockedWriter{to: stdout}, &lockedWriter{to: stderr}
	flags := flag.NewFlagSet("planner", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() { fmt.Fprint(stderr, usage) }
	url := flags.String("db", "planner.db", "")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	if flags.NArg() == 0 {
		flags.Usage()
		return 2
	}
	err := withPlanner(ctx, *url, stdin, stdout, stderr, func(p *planner) error {
		return p.command(ctx, flags.Args())
	})
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, errUsage):
		return 2
	default:
		fmt.Fprintln(stderr, "planner:", err)
		return 1
	}
}
