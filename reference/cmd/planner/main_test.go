package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/mapguard/mapguard/reference/lifecycle"
	"github.com/mapguard/mapguard/reference/sqlite"
)

// asPlanner is the variable that makes the test binary the planner command.
const asPlanner = "PLANNER_TEST_IS_PLANNER"

func TestMain(m *testing.M) {
	if os.Getenv(asPlanner) != "" {
		main()
		return
	}
	goleak.VerifyTestMain(m)
}

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
	p := program{stdin: strings.NewReader(stdin), stdout: &stdout, stderr: &stderr, groups: newGroups()}
	status := p.run(ctx, append([]string{"-db", s.url}, args...))
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
	s.fails(1, "retry it first", "execute", planID)
	prints(t, s.must("retry", planID), planID, "execute/queued")
	s.fails(1, "applied in part", "execute", "-exec", `[ "$PLAN_PHASE" != apply ] || exit 75`)
	prints(t, s.must("cancel", planID, "-reason", "enough"), "apply/cancelled")
	prints(t, s.must("status", planID), "reason", "enough")
	if text := s.must("execute"); text != "" {
		t.Errorf("nothing is queued, and this was executed: %s", text)
	}
	s.fails(1, "it is apply/cancelled", "execute", planID)
}

// TestScriptWithoutAFile runs a script on databases in memory, however they are
// spelt, and without a database.
func TestScriptWithoutAFile(t *testing.T) {
	for _, url := range []string{"memory:script", ":memory:", "sqlite:///:memory:", "none"} {
		t.Run(url, func(t *testing.T) {
			t.Chdir(t.TempDir())
			s := terminal{t: t, url: url}
			status, stdout, stderr := s.tryWith(t.Context(), `
				# make one plan
				create a/b -done "it is ""done"
				publish a/b
				status -h
				use A/B -project p
				execute -workers 1
				status
				plans -state applied
			`, "script")
			if status != 0 {
				t.Fatalf("exit status %d, %s", status, stderr)
			}
			prints(t, stdout, "a/b draft", "a/b available", "apply/applied", "apply/applied", "1", "apply/applied", "p")
			prints(t, stderr, "planner status")
			if left, err := os.ReadDir("."); err != nil || len(left) != 0 {
				t.Errorf("it made %v, %v", left, err)
			}
		})
	}
}

// TestPlansWithoutADatabase checks what there is no worker for.
func TestPlansWithoutADatabase(t *testing.T) {
	s := terminal{t: t, url: "none"}
	made := "create a/b -done d\npublish a/b\n" + strings.Repeat("use a/b -project p\n", 5)
	status, stdout, stderr := s.tryWith(t.Context(), made+`execute -workers 2 -exec "echo at $PLAN_PHASE"`+"\nstatus", "script")
	if n := strings.Count(stdout, "at apply\n"); status != 0 || n != 5 {
		t.Errorf("exit status %d, %d plans went through apply, %s", status, n, stderr)
	}
	prints(t, stdout, "apply/applied", "5")
	status, _, stderr = s.tryWith(t.Context(), made+`execute -exec "exit 3"`, "script")
	if n := strings.Count(stderr, "action: exit status 3"); status != 1 || n != 5 {
		t.Errorf("exit status %d, %d plans failed, %s", status, n, stderr)
	}
	status, _, stderr = s.tryWith(t.Context(), made+"execute none\n", "script")
	if status != 1 || !strings.Contains(stderr, `plan "none": unknown`) {
		t.Errorf("exit status %d, %s", status, stderr)
	}
}

func TestSubplans(t *testing.T) {
	s := newTerminal(t)
	parent := s.withPlan()
	output := s.must("subplans", parent, "ops/patch", "-set", "host=db1", "-project", "x", "-project", "y", "-project", "z",
		"-parallel", "2", "-exec", `echo "$PLAN_PHASE"`)
	prints(t, output, "apply", "apply/applied", "x", "apply/applied", "y", "apply/applied", "z")
	if n := strings.Count(s.must("plans", "-parent", parent), "apply/applied"); n != 3 {
		t.Errorf("%d children were applied, want 3", n)
	}
	s.fails(1, "exit status 3", "subplans", parent, "ops/patch", "-set", "host=db1", "-project", "fails", "-project", "stopped",
		"-parallel", "1", "-exec", "exit 3")
	prints(t, s.must("plans", "-project", "fails"), "action/errored")
	prints(t, s.must("plans", "-project", "stopped"), "action/cancelled")
	s.fails(1, "exit status 3", "subplans", parent, "ops/patch", "-set", "host=db1", "-project", "on1", "-project", "on2",
		"-parallel", "1", "-continue", "-exec", "exit 3")
	prints(t, s.must("plans", "-project", "on2"), "action/errored")
	s.fails(1, "unknown", "subplans", "none", "ops/patch", "-project", "x")
	s.fails(2, "name=value", "subplans", parent, "ops/patch", "-project", "x", "-set", "host")
	s.fails(2, "one or more projects", "subplans", parent, "ops/patch")
	s.fails(2, "between 1 and 32", "subplans", parent, "ops/patch", "-project", "x", "-parallel", "33")
	s.fails(2, "between 1 and 32", "subplans", parent, "ops/patch", "-project", "x", "-parallel", "0")
}

// TestTheLastPlan names the plan that a script has made, whose identifier it does
// not know, with a database and without.
func TestTheLastPlan(t *testing.T) {
	for _, url := range []string{":memory:", "none"} {
		s := terminal{t: t, url: url}
		status, _, stderr := s.tryWith(t.Context(), "status last", "script")
		if status != 1 || !strings.Contains(stderr, `plan "last": unknown`) {
			t.Errorf("%s: exit status %d, %s", url, status, stderr)
		}
		status, stdout, stderr := s.tryWith(t.Context(), `
			create a/b -done d
			publish a/b
			use a/b -project p
			subplans last a/b -project child
			plans -parent last -project child
			execute last
			use a/b -project q
			cancel last -reason enough
			status last
		`, "script")
		if status != 0 {
			t.Fatalf("%s: exit status %d, %s", url, status, stderr)
		}
		prints(t, stdout, "apply/applied", "child", "apply/applied", "child", "apply/applied", "p\n", "action/cancelled", "q\n",
			"project   q", "reason    enough")
		failing := "create a/b -done d\npublish a/b\nuse a/b -project p\n"
		for _, last := range []string{"revert last", "retry last"} {
			status, _, stderr := s.tryWith(t.Context(), failing+last, "script")
			if status != 1 || !strings.Contains(stderr, "cannot "+last[:5]) {
				t.Errorf("%s: %s: exit status %d, %s", url, last, status, stderr)
			}
		}
	}
}

func TestRevert(t *testing.T) {
	s := newTerminal(t)
	planID := s.withPlan()
	s.fails(1, "not ready", "revert", planID)
	s.fails(1, "exit status 3", "execute", planID, "-exec", `[ "$PLAN_PHASE" != execute ] || exit 3`)
	prints(t, s.must("revert", planID, "-reason", "another way"), planID, "strategize/queued")
	prints(t, s.must("status", planID), "reason", "another way")
	prints(t, s.must("execute"), planID, "apply/applied")
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
	status, _, stderr := s.tryWith(t.Context(), "actions\nexplode", "script")
	if status != 2 || !strings.Contains(stderr, "planner: line 2: the command is wrong") {
		t.Errorf("exit status %d for an unknown command, %s", status, stderr)
	}
	// A script hands on what is written in it, as a command line does.
	for _, text := range []string{"\x1b[31mred", "\xff"} {
		status, _, stderr := s.tryWith(t.Context(), "create a/b -done \""+text+"\"", "script")
		if status != 1 || !strings.Contains(stderr, "a text must be") {
			t.Errorf("%q: exit status %d, %s", text, status, stderr)
		}
	}
}

func TestCommandLinesThatAreWrong(t *testing.T) {
	s := newTerminal(t)
	for _, args := range [][]string{
		{}, {"explode"}, {"-explode"}, {"publish"}, {"archive", "a", "b"}, {"create"}, {"use"}, {"retry"}, {"cancel"},
		{"actions", "a"}, {"plans", "a"}, {"status", "a", "b"}, {"execute", "-workers", "many"}, {"script", "a"},
		{"revert"}, {"subplans", "a"},
	} {
		s.fails(2, "planner", args...)
	}
	s.fails(2, "it must be one of [action strategize execute apply]", "plans", "-phase", "bogus")
	s.fails(2, "it must be one of [queued processing", "plans", "-state", "bogus")
	s.fails(2, "between 1 and 256 plans", "execute", "-workers", "0")
	s.fails(2, "between 1 and 256 plans", "execute", "-workers", "1000000000")
	s.fails(2, "it must be at least 100ms", "execute", "-lease", "1ms")
	s.fails(2, "it cannot be negative", "execute", "-limit", "-1s")
	s.fails(2, "it must be name=value", "use", "ops/patch", "-project", "a", "-set", "host")
	if _, err := os.Stat(s.url); err == nil {
		t.Error("a wrong command line made a database")
	}
	for _, args := range [][]string{{"-\x1b[31m"}, {"status", "-\xff\n"}, {"\x1b"}, {"plans", "-phase", "\x1b"}, {"execute", "-limit", "\x1b"}} {
		if status, _, stderr := s.try(args...); status != 2 || stderr != lifecycle.PrintableLines(stderr) {
			t.Errorf("planner %q: exit status %d, %q", args, status, stderr)
		}
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
	s.fails(1, "argument host is required", "use", "ops/patch", "-project", "a")
	s.fails(1, "unknown", "status", "none")
	s.fails(1, "unknown", "retry", "none")
	s.fails(1, "not ready", "retry", planID)
	s.fails(1, "unknown", "cancel", "none")
	s.fails(1, "unknown", "execute", "none")
	for _, text := range []string{"\x1b[31mred", "\xff"} {
		s.fails(1, "a text must be", "create", "ops/other", "-done", "done", "-description", text)
		s.fails(1, "a project must be", "use", "ops/patch", "-set", "host=a", "-project", text)
		s.fails(1, "a reason must be", "cancel", planID, "-reason", text)
	}
	prints(t, s.must("status", planID), "action/queued")
}

func TestDatabasesThatAreRefused(t *testing.T) {
	folder := t.TempDir()
	s := terminal{t: t, url: filepath.Join(folder, "no", "folder.db")}
	s.fails(1, "there is no such file; create makes it", "actions")
	s.fails(1, "it cannot be written; see whether its folder is there", "create", "a/b", "-done", "d")
	for _, url := range []string{folder, os.DevNull} {
		s.url = url
		s.fails(1, "it is no file; name one", "status")
		s.fails(1, "it is no file; name one", "create", "a/b", "-done", "d")
	}
	s.url = "sqlite:///"
	s.fails(1, "name a file, or memory:NAME, or none", "status")
	s.fails(1, "name a file, or memory:NAME, or none", "create", "a/b", "-done", "d")
	s.url = filepath.Join(folder, "text.db")
	if err := os.WriteFile(s.url, []byte(strings.Repeat("no database ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	s.fails(1, "it is no SQLite database", "actions")
	for name, c := range map[string]struct{ statement, why string }{
		"foreign": {"CREATE TABLE theirs (id INTEGER)", "it belongs to another program; name another file"},
		"goose":   {"CREATE TABLE goose_db_version (version_id INTEGER)", "it belongs to another program"},
	} {
		s.url = filepath.Join(folder, name)
		s.execute(c.statement)
		before, err := os.ReadFile(s.url)
		if err != nil {
			t.Fatal(err)
		}
		s.fails(1, c.why, "actions")
		s.fails(1, c.why, "create", "a/b", "-done", "d")
		if after, err := os.ReadFile(s.url); err != nil || !bytes.Equal(before, after) {
			t.Errorf("%s: it was changed, %v", name, err)
		}
	}
	s.url = filepath.Join(folder, "newer.db")
	s.must("create", "a/b", "-done", "d")
	s.execute("INSERT INTO goose_db_version (version_id, is_applied) VALUES (1000, 1)")
	s.fails(1, "a newer planner", "actions")
	if left, err := filepath.Glob(filepath.Join(folder, "*-*")); err != nil || len(left) != 0 {
		t.Errorf("something is left beside the files: %v, %v", left, err)
	}
}

// execute runs a statement on the database.
func (s terminal) execute(statement string) {
	s.t.Helper()
	eng, err := sqlite.Open(s.t.Context(), s.url)
	if err != nil {
		s.t.Fatal(err)
	}
	_, err = eng.DB().ExecContext(s.t.Context(), statement)
	if err := errors.Join(err, eng.Close()); err != nil {
		s.t.Fatal(err)
	}
}

// TestADatabaseThatFails checks that each command says so.
func TestADatabaseThatFails(t *testing.T) {
	s := newTerminal(t)
	planID := s.withPlan()
	s.execute("ALTER TABLE actions RENAME COLUMN status TO gone")
	s.execute("ALTER TABLE plans RENAME COLUMN state TO gone")
	for _, args := range [][]string{{"actions"}, {"plans"}, {"status"}, {"status", planID}, {"retry", planID}, {"execute"}, {"execute", planID}} {
		s.fails(1, "no such column", args...)
	}
	s = newTerminal(t)
	planID = s.withPlan()
	s.execute("ALTER TABLE jobs RENAME COLUMN state TO gone")
	for _, args := range [][]string{{"status", planID}, {"execute"}, {"execute", planID}} {
		s.fails(1, "no such column", args...)
	}
}

// TestAnOldDatabase opens one of the time before jobs had owners, with two jobs of
// one plan.
func TestAnOldDatabase(t *testing.T) {
	s := newTerminal(t)
	planID := s.withPlan()
	s.execute(`DROP INDEX jobs_at_work;
		ALTER TABLE jobs RENAME COLUMN leased_until TO heartbeat_at;
		ALTER TABLE jobs DROP COLUMN command;
		ALTER TABLE jobs DROP COLUMN owner;
		DELETE FROM goose_db_version WHERE version_id = 3;
		INSERT INTO jobs SELECT '1', id, 'running', 1, '', 1, 1, 0, 1 FROM plans;
		INSERT INTO jobs SELECT '2', id, 'queued', 0, '', 1, 1, 0, 1 FROM plans`)
	prints(t, s.must("status", planID), "interrupted; execute goes on with it")
	prints(t, s.must("execute", planID), "apply/applied")
	prints(t, s.jobs(), "1 succeeded 2", "2 cancelled 0")
}

// jobs returns the jobs in the database, with their attempts.
func (s terminal) jobs() string {
	s.t.Helper()
	var text string
	err := s.query(`SELECT COALESCE(GROUP_CONCAT(id || ' ' || state || ' ' || attempts, '; '), '') FROM jobs`, &text)
	if err != nil {
		s.t.Fatal(err)
	}
	return text
}

// query reads one value of the database.
func (s terminal) query(query string, value any) error {
	eng, err := sqlite.OpenReadOnly(s.t.Context(), s.url)
	if err != nil {
		return err
	}
	return errors.Join(eng.DB().QueryRowContext(s.t.Context(), query).Scan(value), eng.Close())
}

// TestAPlanThatIsNamedTwice executes it once.
func TestAPlanThatIsNamedTwice(t *testing.T) {
	s := newTerminal(t)
	planID := s.withPlan()
	output := s.must("execute", planID, planID, "-exec", "echo at $PLAN_PHASE")
	if n := strings.Count(output, "at apply\n"); n != 1 {
		t.Errorf("it was executed %d times:\n%s", n, output)
	}
	if jobs := s.jobs(); strings.Count(jobs, ";") != 0 || !strings.HasSuffix(jobs, " succeeded 1") {
		t.Errorf("the jobs are %s", jobs)
	}
	// It is done: to execute it again is no work and no mistake.
	prints(t, s.must("execute", planID, "-exec", "exit 3"), "apply/applied")
}

// TestWhatACommandLeavesForTheNext counts the phases in the folder of the plan,
// which is gone afterwards.
func TestWhatACommandLeavesForTheNext(t *testing.T) {
	s := newTerminal(t)
	s.withPlan()
	output := s.must("execute", "-exec", `echo "$PLAN_PHASE" >> "$PLAN_DIR/phases"; echo "$PLAN_STEP" $(cat "$PLAN_DIR/phases"); echo "in $PLAN_DIR"`)
	prints(t, output, "1 action\n", "2 action strategize\n", "4 action strategize execute apply\n")
	_, folder, _ := strings.Cut(output, "in ")
	folder, _, _ = strings.Cut(folder, "\n")
	if _, err := os.Stat(folder); err == nil || folder == "" {
		t.Errorf("folder %q is still there", folder)
	}
}

func TestACommandThatTakesTooLong(t *testing.T) {
	for _, url := range []string{"memory:limit", "none"} {
		s := terminal{t: t, url: url}
		status, _, stderr := s.tryWith(t.Context(),
			"create a/b -done d\npublish a/b\nuse a/b -project p\nexecute -limit 50ms -exec \"sleep 60 & wait\"\n", "script")
		if status != 1 || !strings.Contains(stderr, "it took longer than the limit") {
			t.Errorf("exit status %d, %s", status, stderr)
		}
	}
}
