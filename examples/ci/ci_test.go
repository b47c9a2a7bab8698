// Package ci tests the files beside it, which are made to be copied: they are
// run with the real command on modules and git repositories made for the test.
package ci

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// bin is a directory with nothing but mapguard.
var bin string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "mapguard-ci")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	bin = dir
	code := 1
	if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, "mapguard"), "../../cmd/mapguard").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
	} else {
		code = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

const (
	good = `package shop

import "sync"

type Cache struct {
	mu sync.Mutex
	m  map[string]int
}

func (c *Cache) Put(k string) {
	c.mu.Lock()
	c.m[k] = 1
	c.mu.Unlock()
}

func (c *Cache) Drop(k string) {
	c.mu.Lock()
	delete(c.m, k)
	c.mu.Unlock()
}

func (c *Cache) Get(k string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.m[k]
}
`
	bad = good + `
func (c *Cache) Nth() int { return c.m["a"] }
`
	worse = bad + `
func (c *Cache) Has(k string) bool { return c.m[k] > 0 }
`
)

// module makes a module of one file.
func module(t *testing.T, code string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "go.mod", "module example.org/shop\n\ngo 1.26\n")
	write(t, dir, "shop.go", code)
	return dir
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// path is PATH with mapguard, and without.
func path(with bool) string {
	var dirs []string
	if with {
		dirs = append(dirs, bin)
	}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if _, err := os.Stat(filepath.Join(dir, "mapguard")); err != nil {
			dirs = append(dirs, dir)
		}
	}
	return strings.Join(dirs, string(filepath.ListSeparator))
}

// run returns what a command prints and its exit code.
func run(t *testing.T, dir string, installed bool, args ...string) (string, int) {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PWD="+dir, "PATH="+path(installed), "GOWORK=off", "GOFLAGS=", "MAKEFLAGS=",
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func abs(t *testing.T, name string) string {
	t.Helper()
	name, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	return name
}

func need(t *testing.T, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
}

func TestMakefile(t *testing.T) {
	need(t, "make")
	makefile := abs(t, "Makefile")
	dir := module(t, bad)

	// The trap: the standard checks, which find nothing, and exit code 0.
	if out, code := run(t, dir, false, "sh", "-c", "go vet -vettool=$(command -v mapguard) ./..."); code != 0 || out != "" {
		t.Errorf("go vet with an empty -vettool= exits with %d: the Makefile need not guard against it any more\n%s", code, out)
	}
	if out, code := run(t, dir, false, "make", "-f", makefile, "mapguard"); code == 0 || !strings.Contains(out, "mapguard is not installed: ") {
		t.Errorf("without mapguard: exit code %d\n%s", code, out)
	}
	if out, code := run(t, dir, true, "make", "-f", makefile, "mapguard"); code == 0 || !strings.Contains(out, "shop.go:28:") {
		t.Errorf("with a finding: exit code %d\n%s", code, out)
	}
	if out, code := run(t, module(t, good), true, "make", "-f", makefile, "mapguard"); code != 0 {
		t.Errorf("without a finding: exit code %d\n%s", code, out)
	}
	if out, code := run(t, dir, false, "make", "-f", makefile, "mapguard", "MAPGUARD="+filepath.Join(bin, "mapguard")); code == 0 || !strings.Contains(out, "shop.go:28:") {
		t.Errorf("mapguard in another place: exit code %d\n%s", code, out)
	}
}

// git returns a function that runs git in a new repository of the module.
func git(t *testing.T, dir string) func(installed bool, args ...string) (string, int) {
	t.Helper()
	need(t, "git")
	g := func(installed bool, args ...string) (string, int) {
		t.Helper()
		return run(t, dir, installed, append([]string{"git", "-c", "user.name=mapguard", "-c", "user.email=mapguard@example.org"}, args...)...)
	}
	if out, code := g(true, "init", "-q", "-b", "main"); code != 0 {
		t.Fatal(out)
	}
	return g
}

func TestMakefileNew(t *testing.T) {
	need(t, "make")
	dir := module(t, bad)
	g := git(t, dir)
	g(true, "add", "-A")
	g(true, "commit", "-q", "-m", "first")
	g(true, "update-ref", "refs/remotes/origin/main", "HEAD")
	makefile := abs(t, "Makefile")
	if out, code := run(t, dir, true, "make", "-f", makefile, "mapguard-new"); code != 0 {
		t.Errorf("with nothing new: exit code %d\n%s", code, out)
	}
	write(t, dir, "shop.go", worse)
	if out, code := run(t, dir, true, "make", "-f", makefile, "mapguard-new"); code == 0 || !strings.Contains(out, "shop.go:30:") || strings.Contains(out, "shop.go:28:") {
		t.Errorf("with a new finding: exit code %d\n%s", code, out)
	}
}

func TestPreCommitHook(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a shell script")
	}
	dir := module(t, good)
	g := git(t, dir)
	hook, err := os.ReadFile("pre-commit")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".git", "hooks", "pre-commit"), hook, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		name, file, text string
		installed        bool
		code             int
		says             string
	}{
		{"first commit, with a finding", "shop.go", bad, true, 1, "shop.go:28:"},
		{"first commit", "shop.go", good, true, 0, ""},
		{"not installed", "shop.go", bad, false, 1, "mapguard is not installed: "},
		{"no Go in the commit", "README", "words", false, 0, ""},
		{"new finding", "shop.go", bad, true, 1, "shop.go:28:"},
		{"past the hook", "shop.go", bad, true, 0, "--no-verify"},
		{"an old finding", "other.go", "package shop\n", true, 0, ""},
		{"beside an old one", "shop.go", worse, true, 1, "shop.go:30:"},
		{"code that does not build", "shop.go", "package", true, 1, "shop.go:1:"},
	} {
		g(true, "reset", "-q")
		write(t, dir, step.file, step.text)
		g(true, "add", step.file, "go.mod")
		args := []string{"commit", "-q", "-m", step.name}
		if step.says == "--no-verify" {
			args, step.says = append(args, step.says), ""
		}
		out, code := g(step.installed, args...)
		if code != step.code || !strings.Contains(out, step.says) {
			t.Errorf("%s: exit code %d, want %d and %q\n%s", step.name, code, step.code, step.says, out)
		}
		if strings.Contains(step.name, "beside") && strings.Contains(out, "shop.go:28:") {
			t.Errorf("%s: an old finding is reported\n%s", step.name, out)
		}
	}
}

// The commands of the workflow, as GitHub runs them, on a pull request that is
// merged into its base.
func TestWorkflow(t *testing.T) {
	need(t, "bash")
	text, err := os.ReadFile("github-mapguard.yml")
	if err != nil {
		t.Fatal(err)
	}
	steps := regexp.MustCompile(`(?m)^ +run: (mapguard .*)$`).FindAllStringSubmatch(string(text), -1)
	if len(steps) != 2 {
		t.Fatalf("%d steps run mapguard, want 2", len(steps))
	}
	dir := module(t, bad)
	g := git(t, dir)
	for _, args := range [][]string{
		{"add", "-A"}, {"commit", "-q", "-m", "base"},
		{"checkout", "-q", "-b", "change"}, {"commit", "-q", "--allow-empty", "-m", "change"},
		{"checkout", "-q", "main"}, {"merge", "-q", "--no-ff", "-m", "merged", "change"},
	} {
		if out, code := g(true, args...); code != 0 {
			t.Fatalf("git %v: %s", args, out)
		}
	}
	if out, code := run(t, dir, true, "bash", "-e", "-c", steps[0][1]); code != 0 {
		t.Errorf("with nothing new: exit code %d\n%s", code, out)
	}
	write(t, dir, "shop.go", worse)
	g(true, "commit", "-q", "-a", "--amend", "--no-edit")
	if out, code := run(t, dir, true, "bash", "-e", "-c", steps[0][1]); code != 1 || !strings.Contains(out, "file=shop.go,line=30") || strings.Contains(out, "line=28") {
		t.Errorf("with a new finding: exit code %d\n%s", code, out)
	}
	if out, code := run(t, dir, true, "bash", "-e", "-c", steps[1][1]); code != 0 {
		t.Errorf("the upload: exit code %d\n%s", code, out)
	}
	got := codeQuality(t, filepath.Join(dir, "mapguard.sarif"))
	if len(got) != 2 || got[0].Location.Path != "shop.go" || got[0].Location.Lines.Begin != 28 || got[0].Fingerprint == got[1].Fingerprint {
		t.Errorf("GitLab would show %+v", got)
	}
	write(t, dir, "shop.go", "package")
	if _, code := run(t, dir, true, "bash", "-e", "-c", steps[1][1]); code == 0 {
		t.Error("code that does not build passes")
	}
}

// mapguard is not published: the files take the address of a repository from a
// variable, and say so where it is not set.
func TestInstall(t *testing.T) {
	need(t, "sh", "git")
	source := module(t, good)
	write(t, source, "go.mod", "module example.org/mapguard\n\ngo 1.26\n")
	if err := os.MkdirAll(filepath.Join(source, "cmd", "mapguard"), 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, source, "cmd/mapguard/main.go", "package main\n\nfunc main() {}\n")
	g := git(t, source)
	g(true, "add", "-A")
	g(true, "commit", "-q", "-m", "first")

	for name, first := range map[string]string{"github-mapguard.yml": "          ", "github-reviewdog.yml": "          ", "gitlab-ci.yml": "    - "} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := regexp.MustCompile(`(?m)^`+first+`((?:git clone|go -C) .*)$`).FindAllStringSubmatch(string(text), -1)
		if len(lines) != 2 {
			t.Fatalf("%s: %d lines install mapguard, want 2", name, len(lines))
		}
		script := lines[0][1] + " && " + lines[1][1]
		dir := t.TempDir()
		t.Setenv("RUNNER_TEMP", dir)
		t.Setenv("CI_BUILDS_DIR", dir)
		t.Setenv("GOBIN", filepath.Join(dir, "bin"))
		t.Setenv("MAPGUARD_URL", "")
		if out, code := run(t, dir, false, "sh", "-c", script); code == 0 || !strings.Contains(out, "MAPGUARD_URL: is not set") {
			t.Errorf("%s: without an address: exit code %d\n%s", name, code, out)
		}
		t.Setenv("MAPGUARD_URL", source)
		if out, code := run(t, dir, false, "sh", "-c", script); code != 0 {
			t.Errorf("%s: exit code %d\n%s", name, code, out)
		}
		if _, err := os.Stat(filepath.Join(dir, "bin", "mapguard")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An issue is an entry of GitLab's code quality report.
type issue struct {
	Description string `json:"description"`
	CheckName   string `json:"check_name"`
	Fingerprint string `json:"fingerprint"`
	Severity    string `json:"severity"`
	Location    struct {
		Path  string `json:"path"`
		Lines struct {
			Begin int `json:"begin"`
		} `json:"lines"`
	} `json:"location"`
}

func codeQuality(t *testing.T, sarif string) (issues []issue) {
	t.Helper()
	need(t, "jq")
	out, code := run(t, ".", true, "jq", "-f", "codequality.jq", sarif)
	if err := json.Unmarshal([]byte(out), &issues); err != nil || code != 0 {
		t.Fatalf("%v\n%s", err, out)
	}
	return issues
}

// The manifest is what the pre-commit tool reads from the top of a repository.
func TestPreCommitManifest(t *testing.T) {
	need(t, "pre-commit")
	if out, code := run(t, ".", true, "pre-commit", "validate-manifest", "../../.pre-commit-hooks.yaml"); code != 0 {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

var (
	calls = regexp.MustCompile(`(?m)(?:^|[^\w=])(?:mapguard|\$\(MAPGUARD\))((?: +-[a-z][a-z-]*(?: +(?:"[^"]*"|'[^']*'|[A-Za-z][\w.]*))?)+)`)
	flags = regexp.MustCompile(` (-[a-z][a-z-]*)`)
)

// Every flag that the files and docs/ci.md give to mapguard exists.
func TestFlags(t *testing.T) {
	help, _ := run(t, ".", true, filepath.Join(bin, "mapguard"), "-help")
	files, err := filepath.Glob("*")
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool)
	for _, name := range append(files, "../../docs/ci.md", "../../.pre-commit-hooks.yaml") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text = bytes.ReplaceAll(text, []byte("args: ["), []byte("mapguard ")) // the manifest
		for _, call := range calls.FindAllStringSubmatch(string(text), -1) {
			for _, f := range flags.FindAllStringSubmatch(call[1], -1) {
				seen[f[1]] = true
				if !regexp.MustCompile(`(?m)^\s+` + f[1] + `\b`).MatchString(help) {
					t.Errorf("%s: mapguard has no flag %s: %s", name, f[1], strings.TrimSpace(call[0]))
				}
			}
		}
	}
	if got := slices.Sorted(maps.Keys(seen)); !slices.Contains(got, "-new-from-rev") || !slices.Contains(got, "-f") {
		t.Errorf("only the flags %v were seen", got)
	}
}

const sarif = `{"version": "2.1.0", "runs": [{"results": [
	{"ruleId": "split-lock", "level": "error", "message": {"text": "check and act, see [here](1)"}, "partialFingerprints": {"mapguard/v1": "abc"},
	 "locations": [{"physicalLocation": {"artifactLocation": {"uri": "a/b.go"}, "region": {"startLine": 7}}}]},
	{"ruleId": "sync-map", "message": {"text": "Load then Store"},
	 "locations": [{"physicalLocation": {"artifactLocation": {"uri": "c.go"}, "region": {"startLine": 9}}}]}
]}]}`

// GitLab asks for these fields.
func TestCodeQuality(t *testing.T) {
	need(t, "jq")
	for in, want := range map[string]string{
		sarif: `[{"check_name":"split-lock","description":"check and act, see here","fingerprint":"abc","location":{"lines":{"begin":7},"path":"a/b.go"},"severity":"critical"},` +
			`{"check_name":"sync-map","description":"Load then Store","fingerprint":"sync-map-c.go-9","location":{"lines":{"begin":9},"path":"c.go"},"severity":"major"}]`,
		`{"runs": [{"results": []}]}`: `[]`,
	} {
		cmd := exec.Command("jq", "-f", "codequality.jq")
		cmd.Stdin = strings.NewReader(in)
		out, err := cmd.CombinedOutput()
		var got any
		if err == nil {
			err = json.Unmarshal(out, &got)
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if text, _ := json.Marshal(got); string(text) != want {
			t.Errorf("got\n%s\nwant\n%s", text, want)
		}
	}
}
