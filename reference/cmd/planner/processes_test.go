//go:build unix

package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// process is a planner that runs as a process of its own.
type process struct {
	t      *testing.T
	c      *exec.Cmd
	stdout *bufio.Reader
	stderr *bufio.Reader
	// rest is what is read of the outputs at the end.
	rest sync.WaitGroup
	out  strings.Builder
	err  strings.Builder
}

// start starts a planner on the database.
func (s terminal) start(args ...string) *process {
	s.t.Helper()
	c := exec.Command(os.Args[0], append([]string{"-db", s.url}, args...)...)
	c.Env = append(os.Environ(), asPlanner+"=1")
	stdout, err := c.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	stderr, err := c.StderrPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		s.t.Fatal(err)
	}
	return &process{t: s.t, c: c, stdout: bufio.NewReader(stdout), stderr: bufio.NewReader(stderr)}
}

// says waits for a line of one of the outputs that holds text.
func (p *process) says(from *bufio.Reader, text string) {
	p.t.Helper()
	for {
		line, err := from.ReadString('\n')
		if strings.Contains(line, text) {
			return
		}
		if err != nil {
			p.t.Fatalf("%q was not said: %v", text, err)
		}
	}
}

func (p *process) signal(signal syscall.Signal) {
	p.t.Helper()
	if err := p.c.Process.Signal(signal); err != nil {
		p.t.Error(err)
	}
}

// ends waits for the end of the process, which exits with status.
func (p *process) ends(status int) {
	p.t.Helper()
	p.endsOneOf(status)
}

// endsOneOf waits for the end of the process, which exits with one of statuses.
func (p *process) endsOneOf(statuses ...int) {
	p.t.Helper()
	p.rest.Go(func() { _, _ = io.Copy(&p.out, p.stdout) })
	p.rest.Go(func() { _, _ = io.Copy(&p.err, p.stderr) })
	p.rest.Wait()
	err := p.c.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	if got := p.c.ProcessState.ExitCode(); !slices.Contains(statuses, got) {
		p.t.Errorf("exit status %d, want %d; %s", got, statuses, p.err.String())
	}
}

// pipe is a named pipe, at which commands wait until the test lets them go.
func pipe(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// letGo lets those go on that wait at a pipe. Those that come later do not wait.
func letGo(t *testing.T, path string) {
	t.Helper()
	end, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := end.WriteString("\n"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = end.Close() })
}

// waitingAt is a command that waits at a pipe in the action phase and tells which
// phase is done, by whom.
func waitingAt(path, name string) string {
	return fmt.Sprintf(`if [ $PLAN_PHASE = action ]; then echo begun; read go < "%s"; fi; echo %s did $PLAN_PHASE`, path, name)
}

// TestTwoExecutionsOfOnePlan has the second come while the first is at work: the
// plan is executed by the first alone, with its command, and both succeed.
func TestTwoExecutionsOfOnePlan(t *testing.T) {
	s := newTerminal(t)
	planID := s.withPlan()
	gate := pipe(t)
	first := s.start("execute", planID, "-exec", waitingAt(gate, "first"))
	first.says(first.stdout, "begun")
	second := s.start("execute", "-exec", "echo second did $PLAN_PHASE")
	third := s.start("execute", planID, "-exec", "echo third did $PLAN_PHASE")
	second.says(second.stderr, "another process executes the plan")
	third.says(third.stderr, "another process executes the plan")
	letGo(t, gate)
	first.ends(0)
	second.ends(0)
	third.ends(0)
	prints(t, first.out.String(), "first did action", "first did apply", "apply/applied")
	for _, other := range []*process{second, third} {
		if text := other.out.String(); strings.Contains(text, "did") || !strings.Contains(text, "apply/applied") {
			t.Errorf("another printed %s", text)
		}
	}
	if jobs := s.jobs(); !strings.HasSuffix(jobs, " succeeded 1") || strings.Contains(jobs, ";") {
		t.Errorf("the jobs are %s", jobs)
	}
}

// TestAnExecutionThatIsKilled has another take its plan over, which waits for the
// end of the lease alone.
func TestAnExecutionThatIsKilled(t *testing.T) {
	s := newTerminal(t)
	planID := s.withPlan()
	gate := pipe(t)
	killed := s.start("execute", planID, "-lease", "3s", "-exec", waitingAt(gate, "killed"))
	killed.says(killed.stdout, "begun")
	other := s.start("execute", planID, "-exec", "echo other did $PLAN_PHASE")
	other.says(other.stderr, "another process executes the plan")
	unnamed := s.start("execute", "-exec", "echo unnamed did $PLAN_PHASE")
	unnamed.says(unnamed.stderr, "another process executes the plan")
	killed.signal(syscall.SIGKILL)
	other.ends(0)
	// Which of the two looks first when the lease ends is up to the machine. The
	// one that names no plan leaves what was begun with another command.
	unnamed.endsOneOf(0, 1)
	if text := unnamed.out.String(); strings.Contains(text, "did") {
		t.Errorf("it printed %s", text)
	}
	prints(t, other.out.String(), "other did action", "other did apply", "apply/applied")
	if jobs := s.jobs(); !strings.HasSuffix(jobs, " succeeded 2") || strings.Contains(jobs, ";") {
		t.Errorf("the jobs are %s", jobs)
	}
	letGo(t, gate) // its command, which it has left behind
	killed.ends(-1)
}

// TestExecuteAfterAKill names no plan: the same command waits for the end of the
// lease and does what was left.
func TestExecuteAfterAKill(t *testing.T) {
	s := newTerminal(t)
	planID := s.withPlan()
	mark := filepath.Join(t.TempDir(), "killed")
	command := fmt.Sprintf(`[ -e "%s" ] || { echo $$ > "%s"; echo begun; sleep 1000; }; echo did $PLAN_PHASE`, mark, mark)
	killed := s.start("execute", "-lease", "1s", "-exec", command)
	killed.says(killed.stdout, "begun")
	killed.signal(syscall.SIGKILL)
	output := s.must("execute", "-exec", command)
	prints(t, output, "did action", "did apply", planID, "apply/applied")
	if jobs := s.jobs(); !strings.HasSuffix(jobs, " succeeded 2") || strings.Contains(jobs, ";") {
		t.Errorf("the jobs are %s", jobs)
	}
	endCommand(t, mark) // which it has left behind
	killed.ends(-1)
}

// endCommand kills the group of processes whose leader wrote its number to a file.
func endCommand(t *testing.T, path string) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(content)))
	if err != nil {
		t.Fatal(err)
	}
	killGroup(pid)
}

// TestACommandThatOutlivesTheLease runs for several leases and is done once.
func TestACommandThatOutlivesTheLease(t *testing.T) {
	s := newTerminal(t)
	planID := s.withPlan()
	gate := pipe(t)
	execution := s.start("execute", planID, "-lease", "3s", "-exec", waitingAt(gate, "it"))
	execution.says(execution.stdout, "begun")
	s.renewals(6) // the lease, and a fifth of it
	letGo(t, gate)
	execution.ends(0)
	if jobs := s.jobs(); !strings.HasSuffix(jobs, " succeeded 1") {
		t.Errorf("the jobs are %s", jobs)
	}
}

// renewals waits until the leases were renewed n times.
func (s terminal) renewals(n int) {
	s.t.Helper()
	var last int64
	for n >= 0 {
		if until := s.leasedUntil(); until > last {
			last, n = until, n-1
		}
	}
}

// leasedUntil returns the end of the last lease.
func (s terminal) leasedUntil() (until int64) {
	s.t.Helper()
	err := s.query("SELECT MAX(leased_until) FROM jobs WHERE owner <> ''", &until)
	if err != nil {
		s.t.Fatal(err)
	}
	return until
}

// TestAnInterrupt ends what the shell has started as well, and the plan is taken
// up where it was.
func TestAnInterrupt(t *testing.T) {
	for sig, status := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143, syscall.SIGHUP: 129} {
		if signal.Ignored(sig) {
			continue // below nohup, it stays so
		}
		s := newTerminal(t)
		planID := s.withPlan()
		const command = `[ $PLAN_PHASE = action ] || { sleep 1000 & echo begun; wait; }`
		execution := s.start("execute", planID, "-exec", command)
		execution.says(execution.stdout, "begun")
		execution.signal(sig)
		execution.ends(status)
		prints(t, execution.err.String(), "interrupt again to end at once", "what ran goes back to the queue")
		prints(t, s.must("status", planID), "strategize/errored", "reason", "interrupted; execute goes on with it", command)
		// Unless it is named, only the same command goes on with it.
		s.fails(1, "it was interrupted with -exec", "execute", "-exec", "true")
		prints(t, s.must("execute", planID), planID, "apply/applied")
		s.must("execute", "-exec", "true")
	}
}

// TestTheSameCommandGoesOn takes up what was interrupted without naming it.
func TestTheSameCommandGoesOn(t *testing.T) {
	s := newTerminal(t)
	planID := s.withPlan()
	done := filepath.Join(t.TempDir(), "done")
	command := fmt.Sprintf(`[ -e "%s" ] || { touch "%s"; echo begun; sleep 1000; }`, done, done)
	execution := s.start("execute", "-exec", command)
	execution.says(execution.stdout, "begun")
	execution.signal(syscall.SIGINT)
	execution.ends(130)
	prints(t, s.must("execute", "-exec", command), planID, "apply/applied")
}

// TestTheSecondInterrupt ends a command at once that does not want to end. Until
// then its lease is renewed, and no other takes the plan.
func TestTheSecondInterrupt(t *testing.T) {
	s := newTerminal(t)
	planID := s.withPlan()
	gate := pipe(t)
	execution := s.start("execute", planID, "-lease", "3s", "-exec", `trap "" TERM; `+waitingAt(gate, "it"))
	execution.says(execution.stdout, "begun")
	execution.signal(syscall.SIGINT)
	execution.says(execution.stderr, "interrupt again to end at once")
	s.renewals(6)
	other := s.start("execute", planID)
	other.says(other.stderr, "another process executes the plan")
	execution.signal(syscall.SIGINT)
	execution.ends(130)
	other.ends(0)
	letGo(t, gate)
}

// TestManyPlannersOnAFreshFile have it made by one of them.
func TestManyPlannersOnAFreshFile(t *testing.T) {
	s := newTerminal(t)
	var all []*process
	for i := range 12 {
		all = append(all, s.start("create", fmt.Sprint("a/b", i), "-done", "done"))
	}
	for _, p := range all {
		p.ends(0)
	}
	if n := strings.Count(s.must("actions"), "draft"); n != 12 {
		t.Errorf("%d actions were created, want 12", n)
	}
}

// TestAFolderThatCannotBeWritten shows what is in a database there, and changes
// nothing. A process of root can write everywhere, so another user is taken then.
func TestAFolderThatCannotBeWritten(t *testing.T) {
	folder, err := os.MkdirTemp("", "read-only")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	s := terminal{t: t, url: filepath.Join(folder, "planner.db")}
	planID := s.withPlan()
	program := filepath.Join(folder, "planner")
	if err := copyFile(os.Args[0], program); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(folder, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(folder, 0o755) })
	run := func(args ...string) (int, string) {
		c := exec.Command(program, append([]string{"-db", s.url}, args...)...)
		c.Env = append(os.Environ(), asPlanner+"=1")
		if os.Getuid() == 0 {
			c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		var output bytes.Buffer
		c.Stdout, c.Stderr = &output, &output
		c.Dir = folder
		_ = c.Run()
		return c.ProcessState.ExitCode(), output.String()
	}
	for command, want := range map[string]string{"status": "action/queued", "status " + planID: planID, "actions": "ops/patch", "plans": planID} {
		if status, text := run(strings.Fields(command)...); status != 0 || !strings.Contains(text, want) {
			t.Errorf("%s: exit status %d, %s", command, status, text)
		}
	}
	if status, text := run("cancel", planID); status != 1 || !strings.Contains(text, "it cannot be written") {
		t.Errorf("exit status %d, %s", status, text)
	}
}

func copyFile(from, to string) error {
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, content, 0o755)
}
