package prove

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

//go:embed mapguardprobe/*.go
var hooks embed.FS

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func sorted(files map[string]*file) []*file {
	var out []*file
	for _, name := range sortedKeys(files) {
		out = append(out, files[name])
	}
	return out
}

// home is the directory of the hooks, and their import path: a package below
// the root of the first finding's module.
func (s *session) home() (dir, path string, err error) {
	for _, t := range s.list {
		if p := s.all[t.Package]; p != nil && p.Module != nil && p.Module.Dir != "" {
			return filepath.Join(p.Module.Dir, probes), p.Module.Path + "/" + probes, nil
		}
	}
	return "", "", errors.New("-prove needs a module")
}

// prepare writes the probed files and the overlay into the scratch directory.
func (s *session) prepare() error {
	dir, path, err := s.home()
	if err != nil {
		return err
	}
	replace := make(map[string]string)
	s.names = make(map[string]string)
	put := func(name string, data []byte) error {
		at := filepath.Join(s.scratch, fmt.Sprintf("f%d.go", len(replace)))
		replace[name] = at
		s.names[filepath.Base(at)] = name
		return os.WriteFile(at, data, 0o600)
	}
	entries, err := hooks.ReadDir(probes)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		data, err := hooks.ReadFile(probes + "/" + e.Name())
		if err != nil {
			return err
		}
		if e.Name() == "plan.go" {
			data = s.table()
		}
		if err := put(filepath.Join(dir, e.Name()), append([]byte(atLeast), data...)); err != nil {
			return err
		}
	}
	for name, src := range s.extra {
		if src == nil {
			replace[name] = ""
		} else if err := put(name, append([]byte(atLeast), src...)); err != nil {
			return err
		}
	}
	for _, f := range sorted(s.files) {
		if len(f.edits) == 0 {
			continue
		}
		if err := put(f.name, f.probed(s, path)); err != nil {
			return err
		}
	}
	s.overlay = filepath.Join(s.scratch, "overlay.json")
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(s.overlay, data, 0o600)
}

// probed is the file with its hooks.
func (f *file) probed(s *session, path string) []byte {
	end := s.offset(f.ast.Name.End())
	with := *f
	with.edits = append([]edit{{start: end, end: end, text: fmt.Sprintf("; import %s %q", probes, path), op: -1}}, f.edits...)
	out := append(with.apply(s.without), "\nvar _ = "+probes+".Used\n"...)
	if !old(f.pkg.Module) {
		return out
	}
	if c := constraint.FindIndex(out[:end]); c != nil {
		return []byte(string(out[:c[0]]) + "//go:build go1.21 && (" + string(out[c[0]+len("//go:build "):c[1]]) + ")" + string(out[c[1]:]))
	}
	return append([]byte("//go:build go1.21\n\n//line "+f.name+":1\n"), out...)
}

// old reports whether the language of a module is older than what hooks need:
// then each file asks for that by itself.
func old(m *packages.Module) bool {
	return m == nil || m.GoVersion == "" || version.Compare("go"+m.GoVersion, "go1.21") < 0
}

// constraint is the build constraint of a file.
var constraint = regexp.MustCompile(`(?m)^//go:build .*$`)

const atLeast = "//go:build go1.21\n\n"

// table is the generated file of the hooks' package: what is probed.
func (s *session) table() []byte {
	var b bytes.Buffer
	b.WriteString("package mapguardprobe\n\nvar plan = Plan{\n\tSites: []Site{\n")
	for _, op := range s.ops {
		fmt.Fprintf(&b, "\t\t{Looks: %s, Acts: %s, Traps: %s, Others: %s, Keeps: %s, Uses: %s},\n",
			s.of(op, func(t *target) []*operation { return t.looks }), s.of(op, func(t *target) []*operation { return t.acts }),
			s.of(op, func(t *target) []*operation { return t.trapped(t.own()) }), s.of(op, func(t *target) []*operation { return t.trapped(t.others) }), s.of(op, func(t *target) []*operation { return t.merged() }),
			s.of(op, func(t *target) []*operation { return add(nil, t.keeps) }))
	}
	b.WriteString("\t},\n\tFindings: []Finding{\n")
	for _, t := range s.list {
		fmt.Fprintf(&b, "\t\t{Pair: %t, Via: %t, Alone: %t, Apart: %t, Race: %t, Twice: %t, Own: %t, Act: %d},\n", t.pair || t.why != "", t.via, s.alone(t), t.apart, t.races(), t.twice(), t.keeps != nil, t.actKind())
	}
	b.WriteString("\t},\n\tFrames: [][]int{\n")
	for _, fn := range s.functions {
		fmt.Fprintf(&b, "\t\t%s,\n", ints(fn.has))
	}
	b.WriteString("\t},\n}\n")
	return b.Bytes()
}

// trapped leaves out operations that begin too early: what is evaluated after
// the begin may wait for the other goroutine.
func (t *target) trapped(ops []*operation) (out []*operation) {
	for _, op := range ops {
		if (!t.pair || t.races()) && !op.early {
			out = append(out, op)
		}
	}
	return out
}

// of lists the findings in whose list an operation is.
func (s *session) of(op *operation, list func(*target) []*operation) string {
	var out []int
	for _, t := range s.list {
		if t.why == "" && slices.Contains(list(t), op) {
			out = append(out, t.id)
		}
	}
	return ints(out)
}

func ints(list []int) string {
	if len(list) == 0 {
		return "nil"
	}
	var out []string
	for _, n := range list {
		out = append(out, strconv.Itoa(n))
	}
	return "[]int{" + strings.Join(out, ", ") + "}"
}

// maxRepairs is how often hooks that do not compile are taken back.
const maxRepairs = 6

// build compiles the test binary of a package.
func (s *session) build(ctx context.Context, pkg, out string) error {
	for range maxRepairs {
		args := []string{"test", "-c", "-vet=off", "-overlay", s.overlay, "-o", out}
		if s.Tags != "" {
			args = append(args, "-tags="+s.Tags)
		}
		cmd := exec.CommandContext(ctx, "go", append(args, pkg)...)
		cmd.Dir, cmd.Env = s.dirOf(pkg), append(os.Environ(), s.Env...)
		group(cmd)
		text, err := cmd.CombinedOutput()
		if err == nil {
			return nil
		}
		if !s.repair(text) && !s.drop(text) {
			if s.without[keepers] {
				return errors.New(first(string(text)))
			}
			s.without[keepers] = true
		}
		if err := s.prepare(); err != nil {
			return err
		}
	}
	return errors.New("the probes do not compile")
}

// complaint is an error of the compiler.
var complaint = regexp.MustCompile(`(?m)^(?:vet: )?(\S+\.go):(\d+):(?:\d+:)? `)

// repair takes back the hooks on lines of which the compiler complains.
func (s *session) repair(text []byte) bool {
	changed := false
	for _, m := range complaint.FindAllSubmatch(text, -1) {
		line, _ := strconv.Atoi(string(m[2]))
		for _, op := range s.ops {
			if s.names[filepath.Base(string(m[1]))] != op.file.name || s.without[op.id] {
				continue
			}
			from, to := s.fset.PositionFor(op.node.Pos(), false).Line, s.fset.PositionFor(op.node.End(), false).Line
			if from <= line && line <= to {
				s.without[op.id], changed = true, true
			}
		}
	}
	return changed
}

func first(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return "the go command failed"
}

func (s *session) dirOf(pkg string) string {
	return cmp.Or(s.dirs[pkg], s.Dir)
}
