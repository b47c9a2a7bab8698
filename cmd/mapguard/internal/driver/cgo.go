package driver

import (
	"bytes"
	"context"
	"encoding/json"
	"go/build/constraint"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mapguard/mapguard/analyzer/finding"
)

// compilerError is one line of what cgo, or the C compiler under it, reports.
var compilerError = regexp.MustCompile(`^(.+?):(\d+):(\d+): (?:(?:fatal )?error: )?(.*)$`)

// cgoErrors returns what cgo reports of a package, an error a line; text is the
// output of the go command, which begins with the package's name.
func cgoErrors(dir, text string) []Problem {
	var out []Problem
	for line := range strings.Lines(text) {
		m := compilerError.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if m == nil || strings.HasPrefix(m[4], "note: ") || strings.HasPrefix(m[4], "warning: ") {
			continue
		}
		pos := finding.Position{File: absolute(dir, m[1])}
		pos.Line, _ = strconv.Atoi(m[2])
		pos.Column, _ = strconv.Atoi(m[3])
		out = append(out, Problem{Pos: pos, Message: "cgo: " + m[4], listed: true})
	}
	if len(out) == 0 {
		name, rest, _ := strings.Cut(strings.TrimPrefix(text, fromTool), "\n")
		out = append(out, Problem{Message: name + ": " + oneLine(rest), listed: true})
	}
	return out
}

// withoutCgo returns a problem for the files that only cgo keeps out of the
// build: code that nothing has looked at must not pass for clean. A file whose
// build constraint names cgo is left out on purpose where the build was chosen
// to do without, as by CGO_ENABLED=0, and is no problem then.
func withoutCgo(ctx context.Context, cfg *Config) []Problem {
	set := goEnv(ctx, cfg, "CGO_ENABLED", "GOFLAGS", "GOOS", "GOARCH", "GOVERSION")
	if set["CGO_ENABLED"] != "0" || !cfg.mayImportC(set) {
		return nil
	}
	files := cgoFiles(ctx, cfg)
	if len(files) == 0 {
		return nil
	}
	chosen := len(cfg.env) > 0 || len(goEnv(ctx, cfg, "-changed", "CGO_ENABLED", "GOOS", "GOARCH")) > 0
	if chosen {
		files = slices.DeleteFunc(files, namesCgo)
	}
	if len(files) == 0 {
		return nil
	}
	why := "cgo is off (CGO_ENABLED=0)"
	if !chosen {
		why = "there is no C compiler for cgo"
	}
	slices.Sort(files)
	p := Problem{Pos: finding.Position{File: files[0]}, Message: "not analysed, since it imports C and " + why}
	if more := len(files) - 1; more > 0 {
		p.Message += "; " + strconv.Itoa(more) + " more such " + plural(more, "file", "files")
	}
	return []Problem{p}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// goCommand is the go command in the directory of a run, with its settings.
func (cfg *Config) goCommand(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = cfg.Dir, cfg.environ()
	return cmd
}

// goEnv asks the go command for settings; args are flags and names.
func goEnv(ctx context.Context, cfg *Config, args ...string) map[string]string {
	out, err := cfg.goCommand(ctx, append([]string{"env", "-json"}, args...)...).Output()
	set := make(map[string]string)
	if err != nil || json.Unmarshal(out, &set) != nil {
		return nil
	}
	return set
}

// cgoFiles returns the files that would be built with cgo in the packages that
// the patterns name.
func cgoFiles(ctx context.Context, cfg *Config) []string {
	args := []string{"list", "-e", "-find", "-json=Dir,CgoFiles"}
	if cfg.Tags != "" {
		args = append(args, "-tags="+cfg.Tags)
	}
	args = append(args, "--")
	for _, p := range cfg.Patterns {
		if strings.HasSuffix(p, ".go") {
			p = filepath.Dir(absolute(cfg.Dir, p)) // the file stands for its package
		}
		args = append(args, p)
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = cfg.Dir
	cmd.Env = append(append(os.Environ(), cfg.env...), "CGO_ENABLED=1", "PWD="+cfg.Dir)
	text, err := cmd.Output()
	if err != nil {
		return nil
	}
	var files []string
	for dec := json.NewDecoder(bytes.NewReader(text)); ; {
		var p struct {
			Dir      string
			CgoFiles []string
		}
		if dec.Decode(&p) != nil {
			return files
		}
		for _, name := range p.CgoFiles {
			files = append(files, filepath.Join(p.Dir, name))
		}
	}
}

// cgoTag is the name of cgo in a build constraint.
var cgoTag = regexp.MustCompile(`\bcgo\b`)

// namesCgo reports whether the file's build constraint is about cgo.
func namesCgo(file string) bool {
	text, err := os.ReadFile(file)
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(text)) {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "package "):
			return false
		case constraint.IsGoBuild(line):
			return cgoTag.MatchString(line)
		}
	}
	return false
}
