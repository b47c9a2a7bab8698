package ci

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// An action is what is tested of action.yml.
type action struct {
	Inputs map[string]struct{ Default string }
	Runs   struct {
		Steps []struct {
			Name, Run string
			Env       map[string]string
		}
	}
}

func readYAML(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// TestAction runs the scripts of the action's steps as GitHub would.
func TestAction(t *testing.T) {
	var a action
	readYAML(t, "../../action.yml", &a)
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	tests := []struct {
		name   string
		inputs map[string]string
		code   int
		want   string // in the output, or in the file that sarif names
	}{
		{"defaults", nil, 1, "::error file=m.go,line=10"},
		{"flags", map[string]string{"flags": "-only sync-map -confidence=low"}, 0, ""},
		{"no command", map[string]string{"packages": "./... $(touch pwned)", "flags": "-only sync-map"}, 2, ""},
		{"sarif", map[string]string{"sarif": "out.sarif"}, 1, `"ruleId": "unguarded-access"`},
		{"directory", map[string]string{"working-directory": "sub"}, 2, ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{"go.mod": "module example.org/m\n\ngo 1.26\n", "m.go": actionBug} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			text, code := a.run(t, dir, tc.inputs, "GITHUB_ACTION_PATH="+repo, "RUNNER_TEMP="+temp)
			if file := tc.inputs["sarif"]; file != "" {
				sarif, _ := os.ReadFile(filepath.Join(dir, file))
				text += string(sarif)
			}
			if code != tc.code || !strings.Contains(text, tc.want) {
				t.Errorf("exit code %d, want %d, and %q in\n%s", code, tc.code, tc.want, text)
			}
			if _, err := os.Stat(filepath.Join(dir, "pwned")); err == nil {
				t.Error("an input was run as a command")
			}
		})
	}
}

// run runs the steps that are scripts, up to the first that fails.
func (a *action) run(t *testing.T, dir string, inputs map[string]string, env ...string) (text string, code int) {
	t.Helper()
	for _, step := range a.Runs.Steps {
		if step.Run == "" {
			continue
		}
		cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step.Run)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), append(env, "GOWORK=off", "GOFLAGS=", "PWD="+dir)...)
		for name, value := range step.Env {
			input, ok := strings.CutPrefix(value, "${{ inputs.")
			input, ok2 := strings.CutSuffix(input, " }}")
			in, known := a.Inputs[input]
			if !ok || !ok2 || !known {
				t.Fatalf("step %s: %s is %q, want an input", step.Name, name, value)
			}
			if given, ok := inputs[input]; ok {
				in.Default = given
			}
			cmd.Env = append(cmd.Env, name+"="+in.Default)
		}
		out, _ := cmd.CombinedOutput()
		text += string(out)
		if code = cmd.ProcessState.ExitCode(); code != 0 {
			break
		}
	}
	return text, code
}

const actionBug = `package m

import "sync"

type Cache struct {
	mu sync.Mutex // protects m
	m  map[string]int
}

func (c *Cache) Nth() int { return c.m["a"] }

func (c *Cache) Put(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.m[k] = 1
}
`

// TestRelease checks that the files which the release configuration names are
// there, and that its hook makes the rest.
func TestRelease(t *testing.T) {
	var r struct {
		Version  int
		Before   struct{ Hooks []string }
		Builds   []struct{ Main string }
		Archives []struct{ Files []string }
	}
	readYAML(t, "../../.goreleaser.yaml", &r)
	if r.Version != 2 || len(r.Builds) != 1 || len(r.Archives) != 1 {
		t.Fatalf("the configuration is not as expected: %+v", r)
	}
	for _, hook := range r.Before.Hooks {
		words := strings.Fields(hook)
		dir := filepath.Join(t.TempDir(), "completions")
		if out, err := exec.Command(filepath.Join("../..", words[0]), dir).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", hook, err, out)
		}
		for _, shell := range []string{"bash", "zsh", "fish"} {
			if text, err := os.ReadFile(filepath.Join(dir, "mapguard."+shell)); err != nil || !strings.Contains(string(text), "show-ignored") {
				t.Errorf("%s: %v: no script of %s", hook, err, shell)
			}
		}
	}
	for _, name := range append(r.Archives[0].Files, r.Builds[0].Main) {
		if strings.HasPrefix(name, "completions/") {
			continue // made by the hook
		}
		if _, err := os.Stat(filepath.Join("../..", name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
