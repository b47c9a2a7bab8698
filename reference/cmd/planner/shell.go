package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"

	"github.com/mapguard/mapguard/reference/id"
	"github.com/mapguard/mapguard/reference/lifecycle"
	"github.com/mapguard/mapguard/reference/runner"
	"github.com/mapguard/mapguard/reference/worker"
)

// exitPartial is the exit status by which the command of a phase says that it
// could apply only a part: EX_TEMPFAIL.
const exitPartial = 75

// errAsked is what a command gets that was asked to end and then succeeded.
var errAsked = errors.New("it was asked to end")

// work returns what the phases of a plan do: they run the command, or nothing
// when there is none. When the context ends, the command and all that it has
// started are asked to end, and waited for.
func (p *planner) work(flags executeFlags) runner.Work {
	return func(ctx context.Context, current lifecycle.Plan) error {
		if flags.command == "" {
			return nil
		}
		carrier := id.New()
		if !p.workspaces.Claim(current.ID, carrier) {
			return lifecycle.NotReady("plan", current.ID, "its command runs")
		}
		defer p.workspaces.Leave(current.ID, carrier)
		if flags.limit > 0 {
			limited, cancel := context.WithTimeoutCause(ctx, flags.limit, worker.ErrStuck)
			defer cancel()
			ctx = limited
		}
		folder, err := p.workspaces.Folder(current.ID)
		if err != nil {
			return err
		}
		shell := exec.Command("sh", "-c", flags.command)
		shell.Env = append(os.Environ(), "PLAN_ID="+current.ID, "PLAN_ACTION="+current.Action,
			"PLAN_PHASE="+string(current.Stage.Phase), "PLAN_DIR="+folder.Path(),
			fmt.Sprint("PLAN_STEP=", p.workspaces.Begin(current.ID)))
		shell.Stdout, shell.Stderr = p.stdout, p.stderr
		err = p.groups.run(ctx, shell)
		if cause := context.Cause(ctx); err != nil && cause != nil {
			return fmt.Errorf("%w (%w)", cause, err)
		}
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() == exitPartial {
			return fmt.Errorf("%w: %w", runner.ErrPartial, err)
		}
		return err
	}
}

// groups are the groups of processes that run: a command and all that it has
// started. It is safe for concurrent use.
type groups struct {
	// mu protects running, the groups by the process that leads them, and killed,
	// which says that no more may be started.
	mu      sync.Mutex
	running map[int]bool
	killed  bool
}

func newGroups() *groups { return &groups{running: map[int]bool{}} }

// run runs a command in a group of its own. When ctx ends the whole group is
// asked to end: the shell alone would leave its children behind, which may hold
// its output open for long. A command that was asked counts as not done.
func (g *groups) run(ctx context.Context, c *exec.Cmd) error {
	asGroup(c)
	if err := g.start(c); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { endGroup(c.Process.Pid) })
	err := c.Wait()
	if !stop() && err == nil {
		err = errAsked
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.running, c.Process.Pid)
	return err
}

// start starts a command, under the lock, so that kill misses none.
func (g *groups) start(c *exec.Cmd) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.killed {
		return context.Canceled
	}
	if err := c.Start(); err != nil {
		return err
	}
	g.running[c.Process.Pid] = true
	return nil
}

// kill kills all that runs, and lets nothing more be started.
func (g *groups) kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.killed = true
	for pid := range g.running {
		killGroup(pid)
	}
}
