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
	"strings"
	"syscall"

	"github.com/mapguard/mapguard/reference/lifecycle"
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
  plans [-phase P] [-state S] [-project P] [-parent PLAN]
                          list plans
  execute [PLAN]...       carry plans to their end; when none is named, all that
                          are queued or were interrupted, and wait for those
                          that other planners execute
  subplans PLAN NAME -project P [-project P]... [-set name=value]...
           [-parallel N] [-continue]
                          make a child of PLAN for each project, by the action
                          NAME, and carry them to their end, 4 at a time or N;
                          the first failure stops the others, but with -continue
  status [PLAN]           show one plan, or how many plans are at each stage
  retry PLAN              queue the phase again that failed
  revert PLAN [-reason TEXT]
                          take a plan back to its strategize phase
  cancel PLAN [-reason TEXT]
                          give a plan up
  script                  read commands from standard input, one on each line,
                          its words separated by blanks or quoted with ""

execute and subplans take, besides:
  -exec COMMAND           the shell command to run in each phase, with PLAN_ID,
                          PLAN_ACTION and PLAN_PHASE set, PLAN_DIR, a folder of
                          the plan's own until the planner ends, and PLAN_STEP,
                          which counts its commands; exit status 75 in the apply
                          phase means that only a part could be applied
  -limit DURATION         stop a command that runs for longer, such as 10m; by
                          default there is no limit
  -lease DURATION         how long the plans of a planner that was killed are left
                          to it before another takes them over; 10s by default
  -workers N              how many plans execute carries at a time; 4 by default,
                          256 at most

NAME is found however it is written: " Ops/Patch_Hosts" is ops/patch-hosts.
PLAN is what use printed, or last for the plan that use made last in this script.

URL is the path of a file, planner.db by default, which create and script make
when there is none; or sqlite:///PATH. It is memory:NAME, :memory: or
sqlite:///:memory: for a database that lives as long as the command does, which
is useful with script, and none for no database at all: actions and plans are
kept in two maps.

Several planners may use one file at a time. A plan is executed by one of them,
with the command of that one; others that are told to execute it wait for it.
After an interrupt (Ctrl-C), SIGTERM or SIGHUP what runs is sent SIGTERM and waited
for, and goes back to the queue; a second interrupt kills it and ends at once.

exit status: 0 when all was done, 1 when something failed or was refused, 2 when
the command line was wrong, 130 after an interrupt, 143 after SIGTERM, 129 after
SIGHUP.
`

// The exit statuses. After a signal it is exitSignal and the signal's number.
const (
	exitFailed = 1
	exitUsage  = 2
	exitSignal = 128
)

// errUsage says that a command was wrong, and that this has been said.
var errUsage = errors.New("the command is wrong, and nothing was done from there on")

// interruption is why the context of a command ends: a signal.
type interruption struct{ signal syscall.Signal }

// Error says so.
func (i interruption) Error() string {
	return "interrupted (" + i.signal.String() + "); what ran goes back to the queue"
}

func main() {
	p := program{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, groups: newGroups()}
	os.Exit(p.runUntilSignal(os.Args[1:]))
}

// program is the command and what it talks through.
type program struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	// groups are the processes that the command has started.
	groups *groups
}

// runUntilSignal runs the command. The first signal asks it to end, the second
// makes it.
func (p program) runUntilSignal(args []string) int {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as it is under nohup
		signal.Notify(signals, syscall.SIGHUP)
	}
	defer signal.Stop(signals)
	ctx, interrupt := context.WithCancelCause(context.Background())
	defer interrupt(nil)
	status := make(chan int, 1)
	go func() { status <- p.run(ctx, args) }()
	interrupted := false
	for {
		select {
		case code := <-status:
			return code
		case received := <-signals:
			number, _ := received.(syscall.Signal)
			if interrupted {
				p.groups.kill()
				return exitSignal + int(number)
			}
			interrupted = true
			fmt.Fprintln(p.stderr, "planner: stopping what runs; interrupt again to end at once")
			interrupt(interruption{number})
		}
	}
}

// run runs the command and returns its exit status.
func (p program) run(ctx context.Context, args []string) int {
	// The workers of execute write as well.
	p.stdout, p.stderr = &lockedWriter{to: p.stdout}, &lockedWriter{to: p.stderr}
	err := p.parseAndRun(ctx, args)
	var interrupted interruption
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, errUsage):
		if err != errUsage { // it also says where in a script
			fmt.Fprintln(p.stderr, "planner:", err)
		}
		return exitUsage
	case errors.As(context.Cause(ctx), &interrupted):
		fmt.Fprintln(p.stderr, "planner:", interrupted)
		return exitSignal + int(interrupted.signal)
	}
	for line := range strings.SplitSeq(err.Error(), "\n") {
		fmt.Fprintln(p.stderr, "planner:", lifecycle.Printable(line))
	}
	return exitFailed
}

func (p program) parseAndRun(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("planner", flag.ContinueOnError)
	flags.SetOutput(printableWriter{p.stderr})
	flags.Usage = func() { fmt.Fprint(p.stderr, usage) }
	url := flags.String("db", "planner.db", "")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return err
	case err != nil:
		return errUsage
	}
	if flags.NArg() == 0 {
		flags.Usage()
		return errUsage
	}
	// The whole command line is read before the database is opened: one that is
	// wrong changes nothing.
	c, do, err := parse(flags.Args(), p.stderr)
	if err != nil {
		return err
	}
	return p.withPlanner(ctx, *url, c.access, do)
}
