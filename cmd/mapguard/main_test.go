// The driver tests build the command and run it as a user does: by itself and
// as go vet -vettool, on modules made for the test.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var binary string

// coverFolder is the variable that names a folder in which the command, run as a
// process of its own, leaves which statements of the analyzer it has executed.
const coverFolder = "MAPGUARD_COVER"

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "mapguard")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	binary = filepath.Join(dir, "mapguard")
	code := 1
	args := []string{"build", "-o", binary}
	if folder := os.Getenv(coverFolder); folder != "" {
		// Without the main package, nothing would be left at the end.
		args = append(args, "-cover", "-coverpkg=.,github.com/mapguard/mapguard/analyzer/...")
		os.Setenv("GOCOVERDIR", folder)
	}
	if out, err := exec.Command("go", append(args, ".")...).CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
	} else {
		code = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

// shop is a module in which the map and its lock stand in one package, and
// the code that forgets the lock in another.
const shop = `
-- go.mod --
module example.org/shop

go 1.26
-- engines/engines.go --
// Package engines holds the engines by URL.
package engines

import "sync"

type Engine struct{ URL string }

// ByURL holds the engines.
var ByURL = map[string]*Engine{}

// Mu protects ByURL.
var Mu sync.Mutex

// Get returns the engine of url.
func Get(url string) *Engine {
	Mu.Lock()
	defer Mu.Unlock()
	e, ok := ByURL[url]
	if !ok {
		e = &Engine{URL: url}
		ByURL[url] = e
	}
	return e
}
-- work/work.go --
package work

import "example.org/shop/engines"

func Open(url string) *engines.Engine {
	if e, ok := engines.ByURL[url]; ok {
		return e
	}
	e := &engines.Engine{URL: url}
	engines.ByURL[url] = e
	return e
}
-- stats/stats.go --
package stats

import (
	"sync"

	"example.org/shop/engines"
)

func Known(url string) bool { return engines.ByURL[url] != nil }

func Names() []string {
	engines.Mu.Lock()
	defer engines.Mu.Unlock()
	var out []string
	for url := range engines.ByURL {
		out = append(out, url)
	}
	return out
}

type Hits struct {
	mu   sync.RWMutex
	byID map[string]int
}

func (h *Hits) Add(id string) {
	h.mu.RLock()
	n := h.byID[id]
	h.mu.RUnlock()
	h.mu.Lock()
	h.byID[id] = n + 1
	h.mu.Unlock()
}
-- quiet/quiet.go --
package quiet

import "example.org/shop/engines"

func Open(url string) *engines.Engine { return engines.Get(url) }

// A List belongs to one goroutine, as far as this code shows.
type List struct{ seen map[string]bool }

func (l *List) Add(s string) bool {
	if l.seen[s] {
		return false
	}
	l.seen[s] = true
	return true
}
-- empty/empty.go --
package empty
-- onlytests/only_test.go --
package onlytests

import "testing"

func TestNothing(t *testing.T) {}
-- bare/README --
no Go files here
`

// Findings of shop, as file:line: message; the second list is added at low
// confidence.
var (
	shopFindings = []string{
		"stats/stats.go:31: h.byID is read at line 28 and written here in two critical sections of h.mu",
		"stats/stats.go:9: engines.ByURL is read without Mu",
		"work/work.go:6: engines.ByURL is read here, then written at line 10, both without a lock",
	}
	lowFindings = []string{
		"quiet/quiet.go:11: l.seen is read here, then written at line 14, both without a lock",
	}
)

func TestStandaloneAndVettoolAgree(t *testing.T) {
	dir := write(t, shop)
	alone := mapguard(t, dir, "./...")
	vet := goVet(t, dir, "./...")
	if alone.code != 1 || vet.code != 1 {
		t.Errorf("exit codes %d by itself and %d under go vet, want 1", alone.code, vet.code)
	}
	match(t, findings(t, dir, alone.stdout), shopFindings)
	if a, v := findings(t, dir, alone.stdout), findings(t, dir, vet.stderr); !slices.Equal(a, v) {
		t.Errorf("by itself:\n%s\nunder go vet:\n%s", strings.Join(a, "\n"), strings.Join(v, "\n"))
	}
	if alone.stderr != "" || vet.stdout != "" {
		t.Errorf("findings belong on standard output, and under go vet on the error output: %q, %q", alone.stderr, vet.stdout)
	}
}

// go vet -json is what other tools read.
func TestVetJSON(t *testing.T) {
	dir := write(t, shop)
	vet := goVet(t, dir, "-json", "./...")
	if vet.code != 0 {
		t.Errorf("exit code %d, want 0: with -json, findings are no failure under go vet", vet.code)
	}
	match(t, diagnostics(t, dir, vet.stdout), shopFindings)
}

func TestConfidence(t *testing.T) {
	dir := write(t, shop)
	want := slices.Concat(shopFindings, lowFindings)
	for _, run := range []func(*testing.T, string, ...string) result{mapguard, goVet} {
		match(t, findings(t, dir, run(t, dir, "-confidence=low", "./...").text()), want)
		match(t, findings(t, dir, run(t, dir, "-confidence=high", "./...").text()), shopFindings)
	}
}

func TestConfidenceUnknown(t *testing.T) {
	dir := write(t, shop)
	for name, r := range map[string]result{
		"by itself":    mapguard(t, dir, "-confidence=bogus", "./..."),
		"under go vet": goVet(t, dir, "-confidence=bogus", "./..."),
	} {
		if r.code == 0 {
			t.Errorf("%s: exit code 0", name)
		}
		if !strings.Contains(r.text(), "bogus") || !strings.Contains(r.text(), "low, medium, high") {
			t.Errorf("%s: the error does not name the value and the choice:\n%s", name, r.text())
		}
		if name == "by itself" && (r.code != 2 || strings.Count(r.text(), "\n") != 1) {
			t.Errorf("exit code %d, want 2 and one line:\n%s", r.code, r.text())
		}
		noPanic(t, r)
	}
}

const broken = `
-- go.mod --
module example.org/broken

go 1.26
-- syntax/syntax.go --
package syntax

func F() {
	if {
}
-- types/types.go --
package types

var M = map[string]int{}

func F() { M["x"] = "y" }
-- imports/imports.go --
package imports

import "example.org/broken/nowhere"

var _ = nowhere.X
-- good/good.go --
package good

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

func (c *Cache) Get(k string) int { return c.m[k] }
`

// Broken code is an error that names the place, never a panic, and does not
// hide the findings of the packages that are sound.
func TestBrokenCode(t *testing.T) {
	dir := write(t, broken)
	for pkg, place := range map[string]string{
		"./syntax":  "syntax/syntax.go:4:5: ",
		"./types":   "types/types.go:5:21: ",
		"./imports": "imports/imports.go:3:8: ",
	} {
		for name, run := range map[string]func(*testing.T, string, ...string) result{"by itself": mapguard, "under go vet": goVet} {
			r := run(t, dir, pkg)
			if want := map[string]int{"by itself": 2, "under go vet": 1}[name]; r.code != want {
				t.Errorf("%s %s: exit code %d, want %d", pkg, name, r.code, want)
			}
			if !strings.Contains(filepath.ToSlash(r.text()), place) {
				t.Errorf("%s %s: the error does not say %q:\n%s", pkg, name, place, r.text())
			}
			noPanic(t, r)
		}
	}
	const finding = "good/good.go:16: c.m is read without mu"
	r := mapguard(t, dir, "./good", "./types")
	if r.code != 2 {
		t.Errorf("exit code %d, want 2:\n%s", r.code, r.text())
	}
	match(t, findings(t, dir, r.stdout), []string{finding})
	match(t, findings(t, dir, goVet(t, dir, "./good").text()), []string{finding})
}

// Nothing to analyse is no finding and no panic.
func TestNothingToAnalyse(t *testing.T) {
	dir := write(t, shop)
	for _, pkg := range []string{"./empty", "./onlytests", "./quiet"} {
		for _, run := range []func(*testing.T, string, ...string) result{mapguard, goVet} {
			if r := run(t, dir, pkg); r.code != 0 || r.text() != "" {
				t.Errorf("%s: exit code %d, output\n%s", pkg, r.code, r.text())
			}
		}
	}
	for _, args := range [][]string{{"./bare"}, {"./nowhere"}, {}} {
		r := mapguard(t, dir, args...)
		if r.code != 2 || strings.Count(r.text(), "\n") != 1 {
			t.Errorf("mapguard %v: exit code %d, want 2 and one line:\n%s", args, r.code, r.text())
		}
		noPanic(t, r)
	}
}

func TestOutputDeterministic(t *testing.T) {
	dir := write(t, shop)
	for _, args := range [][]string{{"-confidence=low", "-v", "./..."}, {"-json", "./..."}} {
		first := mapguard(t, dir, args...)
		for range 3 {
			if again := mapguard(t, dir, args...); again != first {
				t.Fatalf("mapguard %v: the second run differs:\n%s%s\n%s%s", args, first.stdout, first.stderr, again.stdout, again.stderr)
			}
		}
	}
}

// The usage text is what go vet users see of the analyzer.
func TestFlagsForGoVet(t *testing.T) {
	r := mapguard(t, t.TempDir(), "-flags")
	var flags []struct{ Name, Usage string }
	if err := json.Unmarshal([]byte(r.stdout), &flags); err != nil {
		t.Fatalf("%v:\n%s", err, r.stdout)
	}
	if !slices.ContainsFunc(flags, func(f struct{ Name, Usage string }) bool { return f.Name == "confidence" && f.Usage != "" }) {
		t.Errorf("go vet cannot pass -confidence: %s", r.stdout)
	}
	for _, f := range flags {
		if slices.Contains([]string{"baseline", "f", "new-from-rev", "mapguard.confidence"}, f.Name) {
			t.Errorf("go vet offers -%s, which does nothing under it", f.Name)
		}
	}
	if r := mapguard(t, t.TempDir(), "-V=full"); !strings.HasPrefix(filepath.Base(r.stdout), "mapguard") || r.code != 0 {
		t.Errorf("-V=full, which go vet asks for, prints %q", r.stdout)
	}
}

// A result is what one run of a command leaves behind.
type result struct {
	code           int
	stdout, stderr string
}

func (r result) text() string { return r.stdout + r.stderr }

func mapguard(t *testing.T, dir string, args ...string) result {
	t.Helper()
	return execute(t, dir, binary, args...)
}

func goVet(t *testing.T, dir string, args ...string) result {
	t.Helper()
	return execute(t, dir, "go", append([]string{"vet", "-vettool=" + binary}, args...)...)
}

func execute(t *testing.T, dir, name string, args ...string) result {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "PWD="+dir)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// write makes a module of files separated by "-- name --" lines.
func write(t *testing.T, archive string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(archive, "\n-- ")[1:] {
		name, body, _ := strings.Cut(part, " --\n")
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(body+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The two forms of a finding: of the command, and of drivers that know
// diagnostics alone.
var (
	ownLine = regexp.MustCompile(`^(\S.*?\.go):(\d+):\d+: ([a-z]+(?:-[a-z]+)+): (.*)$`)
	vetLine = regexp.MustCompile(`^(\S.*?\.go):(\d+):\d+: (\S.*) \[([a-z-]+), (?:low|medium|high)(?:: .*)?\]$`)
)

// findings returns the findings of a text output as
// file:line: message (category), sorted. Related positions and the headers of
// go vet are left out.
func findings(t *testing.T, dir, text string) []string {
	t.Helper()
	var out []string
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if m := vetLine.FindStringSubmatch(line); m != nil {
			out = append(out, fmt.Sprintf("%s:%s: %s (%s)", rel(t, dir, m[1]), m[2], m[3], m[4]))
		} else if m := ownLine.FindStringSubmatch(line); m != nil {
			out = append(out, fmt.Sprintf("%s:%s: %s (%s)", rel(t, dir, m[1]), m[2], m[4], m[3]))
		}
	}
	slices.Sort(out)
	return out
}

func rel(t *testing.T, dir, file string) string {
	t.Helper()
	if filepath.IsAbs(file) {
		r, err := filepath.Rel(dir, file)
		if err != nil {
			t.Fatal(err)
		}
		file = r
	}
	return filepath.ToSlash(filepath.Clean(file))
}

// diagnostics returns the findings of a JSON output as
// file:line: message (category), sorted.
func diagnostics(t *testing.T, dir, text string) []string {
	t.Helper()
	type diagnostic struct{ Category, Posn, Message string }
	var out []string
	for dec := json.NewDecoder(strings.NewReader(text)); ; {
		var tree map[string]map[string][]diagnostic
		if err := dec.Decode(&tree); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		for _, analyzers := range tree {
			for _, d := range analyzers["mapguard"] {
				line := fmt.Sprintf("%s: %s", d.Posn, d.Message)
				for _, f := range findings(t, dir, line) {
					if !strings.HasSuffix(f, " ("+d.Category+")") {
						t.Errorf("category %q: %s", d.Category, line)
					}
					out = append(out, f)
				}
			}
		}
	}
	slices.Sort(out)
	return out
}

// match compares findings with the beginnings that are wanted, one for one.
func match(t *testing.T, got, want []string) {
	t.Helper()
	want = slices.Clone(want)
	slices.Sort(want)
	ok := len(got) == len(want)
	for i := 0; ok && i < len(got); i++ {
		ok = strings.HasPrefix(got[i], want[i])
	}
	if !ok {
		t.Errorf("findings:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func noPanic(t *testing.T, r result) {
	t.Helper()
	if strings.Contains(r.text(), "panic:") || strings.Contains(r.text(), "goroutine ") {
		t.Errorf("a panic:\n%s", r.text())
	}
}

// The programs of the README and the output that it shows: of mapguard, with and
// without -v, for the first, with none for the second, under go vet neither; and
// of -why for the second.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	programs, outputs := fenced(string(readme), "go"), fenced(string(readme), "text")
	if len(programs) != 2 || len(outputs) != 3 {
		t.Fatalf("%d programs and %d outputs, want the wrong and the right program, two outputs of the one and one of the other", len(programs), len(outputs))
	}
	if got := mapguard(t, engines(t, programs[0]), "./...").text(); got != outputs[0] {
		t.Errorf("without -v:\n%s\nthe README says:\n%s", got, outputs[0])
	}
	for i, want := range []string{outputs[1], ""} {
		dir := engines(t, programs[i])
		if got := mapguard(t, dir, "-v", "./...").text(); got != want {
			t.Errorf("program %d:\n%s\nthe README says:\n%s", i+1, got, want)
		}
		if got := goVet(t, dir, "./...").text(); (got == "") != (want == "") {
			t.Errorf("program %d under go vet:\n%s", i+1, got)
		}
	}
	if got := mapguard(t, engines(t, programs[1]), "-why", "engines.go:15").text(); !strings.HasPrefix(got, outputs[2]) {
		t.Errorf("-why prints\n%s\nthe README says:\n%s", got, outputs[2])
	}
}

// The words that docs/glossary.md explains are those of messages: each is in a
// text of the code, or of the README's outputs.
func TestGlossary(t *testing.T) {
	page, err := os.ReadFile("../../docs/glossary.md")
	if err != nil {
		t.Fatal(err)
	}
	code := messages(t, "../../analyzer/internal/check", "../../analyzer/internal/witness", "../../analyzer/internal/report", "../../analyzer/internal/guard",
		"../../analyzer/internal/sharing", "../../analyzer/doc.go", "internal/text", "internal/output", ".", "../../README.md")
	rows := 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(line, " | ")
		if len(cells) != 2 || strings.Contains(line, "| means |") {
			continue
		}
		for word := range strings.SplitSeq(strings.TrimPrefix(cells[0], "| "), ", ") {
			rows++
			if word = strings.Trim(word, "`"); !strings.Contains(code, word) && word != "held at 7 of 8 accesses" {
				t.Errorf("docs/glossary.md explains %q, which no message has", word)
			}
		}
	}
	if rows < 20 {
		t.Errorf("docs/glossary.md has %d words only", rows)
	}
}

// messages returns the texts of all files that are not tests.
func messages(t *testing.T, names ...string) string {
	t.Helper()
	var all strings.Builder
	for _, name := range names {
		err := filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			all.Write(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all.String()
}

// The output of -why that docs/engine.md shows for the README's first program.
func TestEnginePage(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/engine.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := engines(t, fenced(string(readme), "go")[0])
	outputs := fenced(string(page), "text")
	if len(outputs) != 2 {
		t.Fatalf("%d outputs, want one of mapguard and one of go vet", len(outputs))
	}
	for i, r := range []result{mapguard(t, dir, "-why", "engines.go:15"), goVet(t, dir, "-why=engines.go:15", ".")} {
		command, want, _ := strings.Cut(outputs[i], "\n")
		got := strings.TrimPrefix(r.text(), "# example.org/engines\n")
		if got = strings.ReplaceAll(got, "./engines.go", "engines.go"); got != want {
			t.Errorf("%s prints\n%s\nthe page says:\n%s", command, got, want)
		}
	}
}

// engines writes a program of the README into a module.
func engines(t *testing.T, program string) string {
	t.Helper()
	return write(t, "\n-- go.mod --\nmodule example.org/engines\n\ngo 1.26\n-- engines.go --\n"+program)
}

// fenced returns the code blocks of a language.
func fenced(markdown, language string) []string {
	var out []string
	for _, part := range strings.Split("\n"+markdown, "\n```"+language+"\n")[1:] {
		body, _, _ := strings.Cut(part, "```")
		out = append(out, body)
	}
	return out
}

// Who takes mapguard into a module gets its go line: it is no higher than one
// of its requirements asks for.
func TestGoLine(t *testing.T) {
	out, err := exec.Command("go", "list", "-C", "../..", "-m", "-f", "{{.Main}} {{.GoVersion}}", "all").Output()
	if err != nil {
		t.Fatal(err)
	}
	var own string
	var others []string
	for line := range strings.Lines(string(out)) {
		isMain, v, _ := strings.Cut(strings.TrimSpace(line), " ")
		if isMain == "true" {
			own = v
		} else {
			others = append(others, v)
		}
	}
	if own == "" || !slices.Contains(others, own) {
		t.Errorf("go.mod says go %s, and no requirement does: %q", own, others)
	}
}
