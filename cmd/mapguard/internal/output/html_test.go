package output

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mapguard/mapguard/analyzer/finding"
)

// TestPageIsSelfContained holds that the page loads nothing and runs nothing,
// whatever the findings say.
func TestPageIsSelfContained(t *testing.T) {
	r := report(t)
	evil := `"><script>alert(1)</script><img src=//x><!-- javascript:`
	for i := range r.Findings {
		f := &r.Findings[i]
		f.Message, f.Evidence, f.Function, f.Confidence = evil, evil, evil, evil
		f.Related = append(f.Related, finding.Related{Pos: f.Pos, Message: evil})
		f.Trace = append(f.Trace, finding.Step{Goroutine: evil, Action: evil, Source: evil, Note: evil, Locks: []string{evil}})
	}
	r.Rules = append(r.Rules, Rule{Name: evil, Summary: evil, Text: evil})
	got := write(t, "html", r)
	if m := regexp.MustCompile(`(?i)<(script|img|link|iframe|object|embed)|@import|url\(|<[^>]* on\w+=`).FindString(got); m != "" {
		t.Errorf("the page has %q", m)
	}
	for _, m := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(got, -1) {
		if m[1] != homepage && !strings.HasPrefix(m[1], "#finding-") {
			t.Errorf("a link to %s", m[1])
		}
	}
}

// TestHeld draws locks as bars.
func TestHeld(t *testing.T) {
	step := func(goroutine string, locks ...string) finding.Step {
		return finding.Step{Goroutine: goroutine, Locks: locks}
	}
	trace := []finding.Step{
		step("A", "mu", "rw (read)"), // row 2
		step("B", "rw (read)"),
		step("A", "mu", "rw (read)"),
		step("A"), // released
		step("A", "mu"),
		step("B", "mu"), // A cannot have it still
		step("A", "mu"), // row 8
		step("B", "rw"),
	}
	bar := func(lock string, read bool, from, to int) heldView {
		return heldView{Lock: lock, Read: read, From: from, To: to}
	}
	for side, want := range [][]heldView{
		{bar("mu", false, 2, 5), bar("rw", true, 2, 5), bar("mu", false, 6, 7), bar("mu", false, 8, 9)},
		{bar("rw", true, 3, 4), bar("mu", false, 7, 8), bar("rw", false, 9, 10)},
	} {
		got := held(trace, side)
		for i := range got {
			got[i].Side = ""
		}
		if !slices.Equal(got, want) {
			t.Errorf("lane %d\ngot  %+v\nwant %+v", side, got, want)
		}
	}
}

func TestTraceColumns(t *testing.T) {
	r, err := newRun(Report{Root: root(t)})
	if err != nil {
		t.Fatal(err)
	}
	v := r.traceView(splitLock(t).Trace, "")
	if v.LocksA != 1 || v.HeadA != 2 || v.Middle != 3 || v.HeadB != 4 || v.LocksB != 1 || v.Last != 7 {
		t.Errorf("columns %+v", v)
	}
	for _, h := range v.Held {
		if want := map[string]int{"a": 1, "b": 5}[h.Side]; h.Column != want {
			t.Errorf("lock of %s in column %d, want %d", h.Side, h.Column, want)
		}
	}
	if len(v.Arrow) != 2 || v.Arrow[0] != (arrowView{5, 3, "head", "left"}) || v.Arrow[1] != (arrowView{6, 3, "tail", "left"}) {
		t.Errorf("arrow %+v", v.Arrow)
	}
	if !v.Steps[4].Undoes || v.Steps[3].Undoes {
		t.Error("the last step overwrites")
	}
}

// TestExcerpt shows the marked lines and those around them, each once; a gap
// of one line is filled, a longer one is not.
func TestExcerpt(t *testing.T) {
	far := unguarded(t)
	far.Related = []finding.Related{{Pos: at(t, "mu sync", 1), Message: "here"}, {Pos: finding.Position{File: "x.go", Line: 20}}}
	for _, c := range []struct {
		finding     finding.Finding
		main        int
		lines, note []int
	}{
		{splitLock(t), 24, []int{6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 0}, []int{8, 16, 17}},
		{far, 28, []int{6, 7, 8, 9, 10, 0, 25, 26, 27, 28, 29, 30, 0}, []int{8}},
	} {
		r, err := newRun(Report{Findings: []finding.Finding{c.finding}, Root: root(t)})
		if err != nil {
			t.Fatal(err)
		}
		var lines, main, note []int
		for _, h := range r.excerpt(r.items[0]) {
			for _, l := range h {
				lines = append(lines, l.Number)
				if l.Main {
					main = append(main, l.Number)
				}
				if len(l.Notes) > 0 {
					note = append(note, l.Number)
				}
			}
			lines = append(lines, 0)
		}
		if !slices.Equal(lines, c.lines) || !slices.Equal(main, []int{c.main}) || !slices.Equal(note, c.note) {
			t.Errorf("%s: lines %v, main %v, noted %v", c.finding.Category, lines, main, note)
		}
	}
}

func TestVotes(t *testing.T) {
	for _, c := range []struct{ held, total, cells, on int }{{0, 0, 0, 0}, {2, 3, 3, 2}, {500, 1000, 100, 50}, {5, -1, 0, 0}, {9, 3, 3, 3}} {
		cells := votes(c.held, c.total)
		on := 0
		for _, cell := range cells {
			if cell {
				on++
			}
		}
		if len(cells) != c.cells || on != c.on {
			t.Errorf("%d of %d: %d of %d cells", c.held, c.total, on, len(cells))
		}
	}
}

func TestBlocks(t *testing.T) {
	got := blocks("# Title\n\nUse `sync.Map`\nwell.\n\n```go\nif x {\n\n\ty()\n}\n```\nmore\n\n\tone\n\n\t\ttwo\n\nend")
	var shapes []string
	for _, b := range got {
		s := b.Code
		for _, sp := range b.Spans {
			if sp.Code {
				s += "<" + sp.Text + ">"
			} else {
				s += sp.Text
			}
		}
		shapes = append(shapes, s)
	}
	want := []string{"Title", "Use <sync.Map>\nwell.", "if x {\n\n    y()\n}", "more", "one\n\n    two", "end"}
	if !slices.Equal(shapes, want) {
		t.Errorf("got %q\nwant %q", shapes, want)
	}
}

func TestFixLines(t *testing.T) {
	s := newSources(root(t), "")
	changes, ok := s.changes(splitLock(t).Fixes[0])
	if !ok {
		t.Fatal("the fix does not fit")
	}
	got := changes[0].lines()
	if got.Path != "cache.go" || got.Line != 15 || len(got.Old) != 3 || len(got.New) != 3 || got.New[2] != "    c.mu.Unlock()" {
		t.Errorf("got %+v", got)
	}
	end := finding.Edit{File: "cache.go", Start: len(changes[0].src.data), End: len(changes[0].src.data), New: "// end\n"}
	changes, _ = s.changes(finding.Fix{Edits: []finding.Edit{end}})
	if got := changes[0].lines(); len(got.Old) != 0 || !slices.Equal(got.New, []string{"// end"}) {
		t.Errorf("at the end: %+v", got)
	}
}
