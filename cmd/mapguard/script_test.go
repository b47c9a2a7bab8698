package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"
)

// TestScripts runs the built command as the scripts in testdata/script say, one
// for each flag and way of use. A script without a go.mod gets the module shop.
func TestScripts(t *testing.T) {
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	env := goEnv(t, "GOCACHE", "GOMODCACHE", "GOPROXY", "GOROOT")
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars, env...)
			e.Setenv("PATH", filepath.Dir(binary)+string(os.PathListSeparator)+e.Getenv("PATH"))
			e.Setenv("MAPGUARD", binary)
			e.Setenv("GOCOVERDIR", os.Getenv("GOCOVERDIR"))
			e.Setenv("REPO", repo)
			for _, kv := range []string{"GOWORK=off", "GOFLAGS=", "GIT_CONFIG_NOSYSTEM=1", "HOME=" + e.WorkDir, "TERM=xterm"} {
				name, value, _ := strings.Cut(kv, "=")
				e.Setenv(name, value)
			}
			if _, err := os.Stat(filepath.Join(e.WorkDir, "go.mod")); err == nil {
				return nil
			}
			return txtar.Write(txtar.Parse([]byte(shop)), e.WorkDir)
		},
	})
}

// exits CODE PROGRAM ARGS… runs a program and checks its exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// goEnv returns settings of the go command for an environment without a home.
func goEnv(t *testing.T, names ...string) []string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	var vars []string
	for i, value := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
		vars = append(vars, names[i]+"="+value)
	}
	return vars
}
