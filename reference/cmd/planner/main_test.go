package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// terminal runs commands on one database.
type terminal struct {
	t   *testing.T
	url string
}

func newTerminal(t *testing.T) terminal {
	return terminal{t: t, url: filepath.Join(t.TempDir(), "planner.db")}
}

// try runs one command and returns its exit status and what it printed.
func (s terminal) try(args ...string) (status int, stdout, stderr string) {
	return s.tryWith(context.Background(), "", args...)
}

func (s terminal) tryWith(ctx context.Context, stdin string, args ...string) (int, string, string) {
	var stdout, stderr bytes.Buffer
	status := run(ctx, append([]string{"-db", s.url}, args...), strings.NewReader(stdin), &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

// must runs one command that succeeds, and returns what it printed.
func (s terminal) must(args ...string) string {
	s.t.Helper()
	status, stdout, stderr := s.try(args...)
	if status != 0 {
		s.t.Fatalf("planner %q: exit status %d, %s", args, status, stderr)
	}
	return stdout
}

// fails runs one command that exits with status and says why.
func (s terminal) fails(want int, why string, args ...string) {
	s.t.Helper()
	status, _, stderr := s.try(args...)
	if status != want || !strings.Contains(stderr, why) {
		s.t.Errorf("planner %q: exit status %d, %q; want %d, %q", args, status, stderr, want, why)
	}
}

// prints checks that text holds each of the words, in their order.
func prints(t *testing.T, text string, words ...string) {
	t.Helper()
	rest := text
	for _, word := range words {
		_, after, ok := strings.Cut(rest, word)
		if !ok {
			t.Errorf("%q is missing in\n%s", word, text)
			return
		}
		rest = after
	}
}

// withPlan creates an action, publishes it, uses it and returns the plan.
func (s terminal) withPlan() string {
	s.t.Helper()
	s.must("create", "ops/patch", "-done", "all are patched", "-description", "patch hosts", "-arg", "host", "-arg", "mode=fast")
	s.must("publish", "ops/patch")
	return strings.TrimSpace(s.must("use", "-project", "a", "ops/patch", "-project", "b", "-set", "host=db1"))
}

func TestFromActionToAppliedPlan(t *testing.T) {
	s := newTerminal(t)
	planID := s.withPlan()
	prints(t, s.must("actions"), "ops/patch", "available", "patch hosts")
	prints(t, s.must("plans", "-project", "b"), planID, "action/queued", "ops/patch", "a,b")
	output := s.must("execute", "-exec", `echo "$PLAN_ACTION $PLAN_PHASE"`)
	prints(t, output, "ops/patch action", "ops/patch strategize", "ops/patch execute", "ops/patch apply", planID, "apply/applied")
	prints(t, s.must("status"), "apply/applied", "1")
	prints(t, s.must("status", planID), "plan", planID, "action", "ops/patch", "stage", "apply/applied",
		"project", "a", "project", "b", "created", "finished")
	if text := s.must("plans", "-phase", "apply", "-state", "queued"); text != "" {
		t.Errorf("plans that are queued: %s", text)
	}
	prints(t, s.must("archive", "ops/patch"), "archived")
}

func TestAPlanThatFails(t *testing.T) {
	s := newTerminal(t)
	planID := s.withPlan()
	s.fails(1, "execute: exit status 3", "execute", planID, "-exec", `[ "$PLAN_PHASE" != execute ] || exit 3`)
	prints(t, s.must("status", planID), "execute/errored", "reason", "exit status 3")
	s.fails(1, "not ready", "execute", planID)
	prints(t, s.must("retry", planID), planID, "execute/queued")
	s.fails(1, "applied in part", "execute", "-exec", `[ "$PLAN_PHASE" != apply ] || exit 75`)
	prints(t, s.must("cancel", planID, "-reason", "enough"), "apply/cancelled")
	prints(t, s.must("status", planID), "reason", "enough")
	if text := s.must("execute"); text != "" {
		t.Errorf("nothing is queued, and this was executed: %s", text)
	}
}

func TestScriptInMemory(t *testing.T) {
	s := terminal{t: t, url: "memory:script"}
	status, stdout, stderr := s.tryWith(t.Context(), `
		# make one plan
		create a/b -done "it is ""done"
		publish a/b
		use a/b -project p
		execute
		status
	`, "script")
	if status != 0 {
		t.Fatalf("exit status %d, %s", status, stderr)
	}
	prints(t, stdout, "a/b draft", "a/b available", "apply/applied", "apply/applied", "1")
}

func TestScriptsThatFail(t *testing.T) {
	s := terminal{t: t, url: "memory:script"}
	for script, want := range map[string]string{
		"actions\nscript":      "line 2: a script cannot run a script",
		`create "a`:            "line 1: a quotation mark is not closed",
		"publish a/b\nactions": `line 1: action "a/b": unknown`,
	} {
		status, _, stderr := s.tryWith(t.Context(), script, "script")
		if status != 1 || !strings.Contains(stderr, want) {
			t.Errorf("%q: exit status %d, %s", script, status, stderr)
		}
	}
	if status, _, _ := s.tryWith(t.Context(), "explode", "script"); status != 2 {
		t.Errorf("exit status %d for an unknown command", status)
	}
}

func TestCommandLinesThatAreWrong(t *testing.T) {
	s := newTerminal(t)
	for _, args := range [][]string{
		{}, {"explode"}, {"-explode"}, {"publish"}, {"archive", "a", "b"}, {"create"}, {"use"}, {"retry"}, {"cancel"},
		{"actions", "a"}, {"plans", "a"}, {"status", "a", "b"}, {"execute", "-workers", "many"}, {"script", "a"},
	} {
		s.fails(2, "planner", args...)
	}
	for _, args := range [][]string{{"-h"}, {"create", "-h"}} {
		if status, _, stderr := s.try(args...); status != 0 || !strings.Contains(stderr, "planner") {
			t.Errorf("planner %q: exit status %d, %s", args, status, stderr)
		}
	}
}

func TestWhatIsRefused(t *testing.T) {
	s := newTerminal(t)
	planID := s.withPlan()
	s.fails(1, "duplicate", "create", "ops/patch", "-done", "done")
	s.fails(1, "definition of done", "create", "ops/other")
	s.fails(1, "not ready", "publish", "ops/patch")
	s.fails(1, "unknown", "archive", "ops/other")
	s.fails(1, "it must be name=value", "use", "ops/patch", "-project", "a", "-set", "host")
	s.fails(1, "argument host is required", "use", "ops/patch", "-project", "a")
	s.fails(1, "unknown", "status", "none")
	s.fails(1, "unknown", "retry", "none")
	s.fails(1, "not ready", "retry", planID)
	s.fails(1, "unknown", "cancel", "none")
	s.fails(1, "unknown", "execute", "none")
	s.fails(1, "at least one job", "execute", "-workers", "-1")
	unreachable := terminal{t: t, url: filepath.Join(t.TempDir(), "no", "folder.db")}
	unreachable.fails(1, "unable to open", "actions")
}

func TestADatabaseThatLacksItsTables(t *testing.T) {
	s := newTerminal(t)
	err := withPlanner(t.Context(), s.url, nil, nil, nil, func(p *planner) error {
		for _, table := range []string{"jobs", "plans", "actions"} {
			if _, err := p.unit.Engine().DB().ExecContext(t.Context(), "DROP TABLE "+table); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"actions"}, {"plans"}, {"status"}, {"execute"}, {"execute", "p"}} {
		s.fails(1, "no such table", args...)
	}
}

func TestInterruptedExecution(t *testing.T) {
	s := newTerminal(t)
	planID := s.withPlan()
	ctx, interrupt := context.WithCancel(t.Context())
	begun := filepath.Join(t.TempDir(), "begun")
	done := make(chan struct{})
	go func() {
		defer close(done)
		status, _, stderr := s.tryWith(ctx, "", "execute", "-exec", `echo > "`+begun+`"; exec sleep 60`)
		if status != 1 || !strings.Contains(stderr, "context canceled") {
			t.Errorf("exit status %d, %s", status, stderr)
		}
	}()
	for {
		if _, err := os.Stat(begun); err == nil {
			break
		}
	}
	interrupt()
	<-done
	prints(t, s.must("status", planID), "action/errored", "reason")
	// The job went back to the queue: the next execution takes it up again.
	prints(t, s.must("execute"), planID, "apply/applied")
}
