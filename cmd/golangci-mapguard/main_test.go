// The tests build golangci-lint with mapguard in it and run it as a user does.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// repo is the top of the repository.
const repo = "../.."

var update = flag.Bool("update", false, "rewrite the expected output in the scripts")

// bin holds golangci-mapguard, and mapguard for go vet.
var bin string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "golangci-mapguard")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	bin = dir
	code := 1
	if err := buildAll(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	} else {
		code = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

func buildAll() error {
	for _, args := range [][]string{
		{"build", "-o", tool("golangci-mapguard"), "."},
		{"-C", repo, "build", "-o", tool("mapguard"), "./cmd/mapguard"},
	} {
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			return fmt.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	return nil
}

func tool(name string) string { return filepath.Join(bin, name) }

// configuration returns the file .golangci.yml that the documentation shows.
func configuration(t *testing.T) []byte {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(repo, "docs", "golangci-lint.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, shown, _ := strings.Cut(string(page), "```yaml\nversion: \"2\"\n")
	shown, _, ok := strings.Cut(shown, "```")
	if !ok {
		t.Fatal("docs/golangci-lint.md shows no configuration")
	}
	return []byte("version: \"2\"\n" + shown)
}

// TestScripts runs the built program as the scripts in testdata/script say. A
// script without a .golangci.yml has the documentation's.
func TestScripts(t *testing.T) {
	config := configuration(t)
	top, err := filepath.Abs(repo)
	if err != nil {
		t.Fatal(err)
	}
	env, err := goEnv("GOCACHE", "GOMODCACHE", "GOPROXY", "GOROOT")
	if err != nil {
		t.Fatal(err)
	}
	source, version, err := upstream()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"lint": lint},
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars, env...)
			e.Vars = append(e.Vars, "GOWORK=off", "GOFLAGS=", "HOME="+e.WorkDir, "REPO="+top, "GOLANGCI="+source, "VERSION="+version)
			e.Setenv("GOLANGCI_LINT_CACHE", filepath.Join(e.WorkDir, ".cache"))
			e.Setenv("PATH", bin+string(os.PathListSeparator)+e.Getenv("PATH"))
			name := filepath.Join(e.WorkDir, ".golangci.yml")
			if _, err := os.Stat(name); err == nil {
				return nil
			}
			return os.WriteFile(name, config, 0o666)
		},
	})
}

// upstream returns the directory and the version of golangci-lint's module.
func upstream() (dir, version string, err error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}\n{{.Version}}", "github.com/golangci/golangci-lint/v2").Output()
	dir, version, _ = strings.Cut(strings.TrimSpace(string(out)), "\n")
	return dir, version, err
}

// TestVersions: both ways build the same golangci-lint, and the documentation
// says which.
func TestVersions(t *testing.T) {
	_, version, err := upstream()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		".custom-gcl.yml":       "\nversion: " + version + "\n",
		"docs/golangci-lint.md": "golangci-lint " + version + ".",
	} {
		data, err := os.ReadFile(filepath.Join(repo, name))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(data), want) {
			t.Errorf("%s does not have %q", name, want)
		}
	}
}

// lint CODE ARGS… runs the linters, with compact output, and checks the exit
// code: 0 without issues, 1 with some, 3 when something is wrong.
func lint(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: lint CODE ARGS…")
	}
	run := []string{"run", "--output.text.print-issued-lines=false", "--show-stats=false", "--color=never"}
	got := "0"
	err := ts.Exec("golangci-mapguard", append(run, args[1:]...)...)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		got = strconv.Itoa(exit.ExitCode())
	} else {
		ts.Check(err)
	}
	if got != args[0] {
		ts.Fatalf("exit code %s, want %s", got, args[0])
	}
}

// goEnv returns settings of the go command for an environment without a home.
func goEnv(names ...string) ([]string, error) {
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		return nil, err
	}
	var vars []string
	for i, value := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
		vars = append(vars, names[i]+"="+value)
	}
	return vars, nil
}

// folded is what the plugin adds to a message.
var folded = regexp.MustCompile(`; see [^ ]+:\d+ \(.*\)$`)

// TestReference: on the reference service golangci-lint gives the findings
// that go vet gives, with nothing from the cache and with all, and has none in
// the fixed form.
func TestReference(t *testing.T) {
	dir, err := filepath.Abs(filepath.Join(repo, "reference"))
	if err != nil {
		t.Fatal(err)
	}
	want := vet(t, dir)
	if len(want) < 10 {
		t.Fatalf("go vet has only %d findings in %s", len(want), dir)
	}
	cache := t.TempDir()
	for _, state := range []string{"cold", "warm"} {
		issues := golangci(t, dir, cache)
		var got []string
		folds := 0
		for _, i := range issues {
			got = append(got, folded.ReplaceAllString(i, ""))
			if folded.MatchString(i) {
				folds++
			}
			if !strings.HasPrefix(i, "buggy/") {
				t.Errorf("%s cache: outside of the buggy form: %s", state, i)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s cache:\n%s\ngo vet:\n%s", state, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if folds == 0 {
			t.Errorf("%s cache: no finding names its other places", state)
		}
	}
}

// vet returns what go vet reports, as "file:line:column: message", without the
// related places.
func vet(t *testing.T, dir string) []string {
	t.Helper()
	cmd := exec.Command("go", "vet", "-vettool="+tool("mapguard"), "./...")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("go vet: %v\n%s", err, out)
	}
	var findings []string
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSuffix(line, "\n")
		if !strings.HasPrefix(line, "#") && !strings.Contains(line, ": \t") {
			findings = append(findings, filepath.ToSlash(line))
		}
	}
	slices.Sort(findings)
	return findings
}

// golangci returns the issues that golangci-lint reports, in the same form.
func golangci(t *testing.T, dir, cache string) []string {
	t.Helper()
	config := filepath.Join(t.TempDir(), ".golangci.yml")
	if err := os.WriteFile(config, configuration(t), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(tool("golangci-mapguard"), "run", "--config="+config, "--allow-parallel-runners", "--path-mode=abs",
		"--output.json.path=stdout", "--show-stats=false", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOLANGCI_LINT_CACHE="+cache)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("golangci-mapguard: %v\n%s%s", err, out, stderr.String())
	}
	var report struct {
		Issues []struct {
			FromLinter, Text string
			Pos              struct {
				Filename     string
				Line, Column int
			}
		}
	}
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	var issues []string
	for _, i := range report.Issues {
		if i.FromLinter != "mapguard" {
			t.Errorf("issue of %s: %s", i.FromLinter, i.Text)
		}
		name, err := filepath.Rel(dir, i.Pos.Filename)
		if err != nil {
			t.Fatal(err)
		}
		issues = append(issues, fmt.Sprintf("%s:%d:%d: %s", filepath.ToSlash(name), i.Pos.Line, i.Pos.Column, i.Text))
	}
	return issues
}
