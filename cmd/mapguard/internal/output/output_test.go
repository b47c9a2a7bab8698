package output

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/baseline"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// root is the directory that the made-up findings are in.
func root(t testing.TB) string {
	t.Helper()
	dir, err := filepath.Abs("testdata/src")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// at returns the position of the nth occurrence of text in testdata's file,
// from 1.
func at(t testing.TB, text string, nth int) finding.Position {
	t.Helper()
	file := filepath.Join(root(t), "cache.go")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	offset := -1
	for range nth {
		i := bytes.Index(data[offset+1:], []byte(text))
		if i < 0 {
			t.Fatalf("%q is not %d times in %s", text, nth, file)
		}
		offset += 1 + i
	}
	line := bytes.Count(data[:offset], []byte("\n")) + 1
	return finding.Position{File: file, Line: line, Column: offset - bytes.LastIndexByte(data[:offset], '\n'), Offset: offset}
}

func edit(from finding.Position, old, now string) finding.Edit {
	return finding.Edit{File: from.File, Start: from.Offset, End: from.Offset + len(old), New: now}
}

// splitLock has all that a finding can have.
func splitLock(t testing.TB) finding.Finding {
	lookup, released, insert := at(t, "c.m[key]", 1), at(t, "c.mu.RUnlock", 1), at(t, "c.m[key] = e", 1)
	return finding.Finding{
		Category: "split-lock", Confidence: "high", Evidence: "the comment on mu says that it protects it",
		Message: "check and act on c.m are in different critical sections: looked up at line 16, inserted here",
		Pos:     insert, Package: "example.com/cache", Function: "Cache.get", Location: "Cache.m",
		Guard: &finding.Guard{Lock: "mu", How: "prose", Held: 2, Total: 3},
		Related: []finding.Related{
			{Pos: lookup, Message: "looked up here under the read lock of c.mu"},
			{Pos: released, Message: "released in between"},
			{Pos: at(t, "mu sync.RWMutex", 1), Message: "mu is declared here"},
		},
		Trace: []finding.Step{
			{Goroutine: "A", Pos: lookup, Action: "c.m is looked up: absent", Source: "e, ok := c.m[key]", Locks: []string{"c.mu (read)"}},
			{Goroutine: "A", Pos: released, Action: "c.mu is released", Source: "c.mu.RUnlock()"},
			{Goroutine: "B", Pos: lookup, Action: "c.m is looked up: absent", Source: "e, ok := c.m[key]", Locks: []string{"c.mu (read)"}},
			{Goroutine: "A", Pos: insert, Action: "the entry of c.m is inserted", Source: "c.m[key] = e", Locks: []string{"c.mu"}, Lost: true},
			{Goroutine: "B", Pos: insert, Action: "the entry of c.m is inserted", Source: "c.m[key] = e", Locks: []string{"c.mu"}, Note: "overwrites A's"},
		},
		Fixes: []finding.Fix{{Message: "take the write lock", Edits: []finding.Edit{
			edit(released, "c.mu.RUnlock()", "c.mu.Unlock()"), edit(at(t, "c.mu.RLock()", 1), "c.mu.RLock()", "c.mu.Lock()"),
		}}},
	}
}

func unguarded(t testing.TB) finding.Finding {
	count, insert := at(t, "len(c.m)", 1), at(t, "c.m[key] = e", 1)
	return finding.Finding{
		Category: "unguarded-access", Confidence: "medium", Evidence: "held at 2 of 3 accesses",
		Message: "c.m is counted without mu, which protects it", Pos: count,
		Package: "example.com/cache", Function: "Cache.len", Location: "Cache.m",
		Guard: &finding.Guard{Lock: "mu", How: "used", Held: 2, Total: 3},
		Trace: []finding.Step{
			{Goroutine: "A", Pos: count, Action: "c.m is counted", Source: "func (c *Cache) len() int { return len(c.m) }"},
			{Goroutine: "B", Pos: insert, Action: "the entry of c.m is inserted at the same time", Source: "c.m[key] = e",
				Note: "fatal error: concurrent map read and map write", Locks: []string{"c.mu"}},
		},
	}
}

// gone is in a file that does not exist.
func gone() finding.Finding {
	return finding.Finding{
		Category: "map-escape", Confidence: "low", Evidence: "nothing shows a second goroutine",
		Message: "t.all is <returned> & used", Package: "example.com/cache", Function: "table.All", Location: "table.all",
		Pos:     finding.Position{File: "gone 100%/a:b.go", Line: 7, Column: 3, Offset: 90},
		Related: []finding.Related{{Message: "nowhere"}, {Pos: finding.Position{File: "/other/ü.go", Line: 2, Column: 1}, Message: "elsewhere"}},
		Fixes:   []finding.Fix{{Message: "copy it", Edits: []finding.Edit{{File: "gone 100%/a:b.go", Start: 3, End: 4, New: "x"}}}},
	}
}

func report(t testing.TB) Report {
	return Report{
		Findings: []finding.Finding{splitLock(t), unguarded(t), gone()},
		Root:     root(t), Version: "v1.2.3", Confidence: "low",
		Rules: []Rule{
			{"split-lock", "check and act in different critical sections", "Both are locked, and still not atomic.\n\n```go\nif _, ok := m[k]; !ok {\n```\n\nLook again.", ""},
			{"unguarded-access", "the guard is not held", "## unguarded-access\n\nThe map has a guard\nthat is not held.", ""},
		},
	}
}

func write(t testing.TB, format string, r Report) string {
	t.Helper()
	var buf bytes.Buffer
	if err := Write(&buf, format, r); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

func TestGolden(t *testing.T) {
	for _, format := range Formats() {
		got := write(t, format, report(t))
		got = strings.ReplaceAll(got, strings.TrimSuffix(fileURI(filepath.ToSlash(root(t))), "/"), "file:///project")
		if strings.Contains(got, root(t)) {
			t.Errorf("%s: has the absolute path", format)
		}
		file := filepath.Join("testdata", "report."+format)
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s is not as %s has it (go test -update rewrites it):\n%s", format, file, got)
		}
	}
}

// TestDeterministic writes the findings in other orders; the bytes are the
// same, and the caller's findings stay as they are.
func TestDeterministic(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, format := range Formats() {
		want := write(t, format, report(t))
		for range 10 {
			r := report(t)
			rnd.Shuffle(len(r.Findings), func(i, j int) { r.Findings[i], r.Findings[j] = r.Findings[j], r.Findings[i] })
			before := slices.Clone(r.Findings)
			if got := write(t, format, r); got != want {
				t.Fatalf("%s: another order gives other bytes", format)
			}
			if !reflect.DeepEqual(before, r.Findings) {
				t.Fatalf("%s: changed the caller's findings", format)
			}
		}
		one, other := splitLock(t), splitLock(t)
		if _ = write(t, format, Report{Findings: []finding.Finding{one}, Root: root(t)}); !reflect.DeepEqual(one, other) {
			t.Errorf("%s: changed a finding", format)
		}
	}
}

// TestEmpty holds that no findings are a valid output that says so.
func TestEmpty(t *testing.T) {
	for format, want := range map[string]string{
		"json": `"findings": []`, "sarif": `"results": []`, "rdjson": `"diagnostics": []`, "html": "No findings",
	} {
		for _, r := range []Report{{Root: root(t)}, {}} {
			got := write(t, format, r)
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %s in\n%s", format, want, got)
			}
			if format != "html" && !json.Valid([]byte(got)) {
				t.Errorf("%s: no JSON:\n%s", format, got)
			}
		}
	}
	if got := write(t, "github", Report{}); got != "" {
		t.Errorf("github: %q for no findings", got)
	}
}

// TestNoPosition gives findings without a place, or with one that does not fit
// the file: nothing may panic, and what is JSON stays JSON.
func TestNoPosition(t *testing.T) {
	file := filepath.Join(root(t), "cache.go")
	var odd []finding.Finding
	for _, p := range []finding.Position{
		{}, {File: file}, {File: file, Line: -1, Column: -1, Offset: -1}, {File: file, Line: 9999, Column: 9999, Offset: 1 << 30},
		{File: file, Line: 1, Column: 1 << 30}, {File: root(t), Line: 1, Column: 1}, {Line: 3}, {File: "a\x00b", Line: 1, Column: 2},
	} {
		f := splitLock(t)
		f.Pos = p
		f.Related = append(f.Related, finding.Related{Pos: p})
		for i := range f.Trace {
			f.Trace[i].Pos = p
		}
		f.Fixes = append(f.Fixes, finding.Fix{}, finding.Fix{Edits: []finding.Edit{{File: p.File, Start: p.Offset, End: 5}}},
			finding.Fix{Edits: []finding.Edit{{File: file, Start: 1, End: 9}, {File: file, Start: 5, End: 7}}})
		odd = append(odd, f, finding.Finding{Pos: p, Trace: []finding.Step{{Lost: true}}, Guard: &finding.Guard{Held: 5, Total: -1}})
	}
	for _, format := range Formats() {
		got := write(t, format, Report{Findings: odd, Root: root(t)})
		if format != "html" && format != "github" && !json.Valid([]byte(got)) {
			t.Errorf("%s: no JSON:\n%s", format, got)
		}
	}
}

func TestUnknownFormat(t *testing.T) {
	var buf bytes.Buffer
	err := Write(&buf, "xml", Report{})
	if err == nil || err.Error() != `unknown format "xml": use one of json, sarif, github, html, rdjson` {
		t.Errorf("got %v", err)
	}
	if buf.Len() > 0 {
		t.Errorf("wrote %q", &buf)
	}
}

type full struct{ calls int }

var errFull = errors.New("no space left")

func (f *full) Write([]byte) (int, error) { f.calls++; return 0, errFull }

func TestWriterError(t *testing.T) {
	for _, format := range Formats() {
		var w full
		if err := Write(&w, format, report(t)); !errors.Is(err, errFull) || w.calls != 1 {
			t.Errorf("%s: %v after %d writes", format, err, w.calls)
		}
	}
}

// TestJSONCarriesEverything reads the output back.
func TestJSONCarriesEverything(t *testing.T) {
	var got struct {
		Schema              int
		Version, Confidence string
		Findings            []struct {
			finding.Finding
			Fingerprint string
		}
	}
	if err := json.Unmarshal([]byte(write(t, "json", report(t))), &got); err != nil {
		t.Fatal(err)
	}
	if got.Schema != 1 || got.Version != "v1.2.3" || got.Confidence != "low" || len(got.Findings) != 3 {
		t.Fatalf("got %+v", got)
	}
	want := splitLock(t)
	f := got.Findings[0]
	if f.Fingerprint != baseline.Fingerprint(splitLock(t), root(t)) || f.Pos.File != "cache.go" {
		t.Errorf("fingerprint %q, file %q", f.Fingerprint, f.Pos.File)
	}
	rel := newSources(root(t), "")
	if want = rel.relative(want); !reflect.DeepEqual(f.Finding, want) {
		t.Errorf("read back\n%+v\nwant\n%+v", f.Finding, want)
	}
}
