package output

import (
	"slices"
	"strings"
)

// context is how many lines are shown around a marked one.
const context = 3

// A hunk is a run of source lines; hunks are shown with a gap between them.
type hunk []sourceLine

// A sourceLine is one line of an excerpt. Notes say what stands there.
type sourceLine struct {
	Number int
	Text   string
	Main   bool // the finding's own line
	Notes  []string
}

// excerpt shows the finding's line and the related ones of its file, each with
// the lines around it. Nil if the file cannot be read.
func (r *run) excerpt(it item) []hunk {
	src := r.files.get(it.Pos.File)
	if src == nil || src.line(it.Pos.Line) == nil {
		return nil
	}
	notes := map[int][]string{it.Pos.Line: nil}
	for _, rel := range it.Related {
		if rel.Pos.Line > 0 && r.files.rel(rel.Pos.File) == it.path && src.line(rel.Pos.Line) != nil {
			notes[rel.Pos.Line] = append(notes[rel.Pos.Line], rel.Message)
		}
	}
	var out []hunk
	last := 0
	for n := range around(notes, src.lines()) {
		if last == 0 || n > last+1 {
			out = append(out, nil)
		}
		last = n
		end := len(out) - 1
		out[end] = append(out[end], sourceLine{
			Number: n, Text: text(src.line(n)), Main: n == it.Pos.Line, Notes: notes[n],
		})
	}
	for i, h := range out {
		out[i] = trimBlank(h)
	}
	dedentHunks(out)
	return out
}

// trimBlank takes blank lines from both ends of a hunk; they tell nothing.
func trimBlank(h hunk) hunk {
	blank := func(l sourceLine) bool {
		return strings.TrimSpace(l.Text) == "" && !l.Main && len(l.Notes) == 0
	}
	for len(h) > 0 && blank(h[0]) {
		h = h[1:]
	}
	for len(h) > 0 && blank(h[len(h)-1]) {
		h = h[:len(h)-1]
	}
	return h
}

// around yields the lines near the marked ones, in order. A gap of one line is
// filled: a mark for it would take as much room.
func around(marked map[int][]string, lines int) func(func(int) bool) {
	var near []int
	for n := range marked {
		for i := max(n-context, 1); i <= min(n+context, max(lines, n)); i++ {
			near = append(near, i)
		}
	}
	slices.Sort(near)
	near = slices.Compact(near)
	return func(yield func(int) bool) {
		for i, n := range near {
			if i > 0 && n == near[i-1]+2 && !yield(n-1) {
				return
			}
			if !yield(n) {
				return
			}
		}
	}
}

// text makes a line fit to be shown: tabs are narrow on a page.
func text(line []byte) string {
	return strings.ReplaceAll(strings.ToValidUTF8(string(line), "\uFFFD"), "\t", "    ")
}

// dedent takes away the indentation that all lines share.
func dedent(s string) string {
	lines := strings.Split(strings.ReplaceAll(s, "\t", "    "), "\n")
	n := indent(slices.Values(lines))
	for i, l := range lines {
		lines[i] = l[min(n, len(l)):]
	}
	return strings.Join(lines, "\n")
}

func dedentHunks(hunks []hunk) {
	n := indent(func(yield func(string) bool) {
		for _, h := range hunks {
			for _, l := range h {
				if !yield(l.Text) {
					return
				}
			}
		}
	})
	for _, h := range hunks {
		for i := range h {
			h[i].Text = h[i].Text[min(n, len(h[i].Text)):]
		}
	}
}

// indent returns the fewest spaces that a line which has more than them starts
// with.
func indent(lines func(func(string) bool)) int {
	least := -1
	for l := range lines {
		if rest := strings.TrimLeft(l, " "); rest != "" && (least < 0 || len(l)-len(rest) < least) {
			least = len(l) - len(rest)
		}
	}
	return max(least, 0)
}

// A fixView shows what a fix changes, file by file.
type fixView struct {
	Message string
	Files   []fixFile
}

// A fixFile holds the lines that a fix takes away and those that it puts there.
type fixFile struct {
	Path     string
	Line     int
	Old, New []string
}

func (r *run) fixViews(it item) []fixView {
	var out []fixView
	for _, fix := range it.Fixes {
		changes, ok := r.files.changes(fix)
		if !ok {
			continue
		}
		v := fixView{Message: fix.Message}
		for _, c := range changes {
			v.Files = append(v.Files, c.lines())
		}
		out = append(out, v)
	}
	return out
}

// lines returns the change as whole lines, without those at both ends that stay
// as they are.
func (c change) lines() fixFile {
	start, end, text := c.joined()
	line, column := c.src.position(start)
	start -= column - 1
	last, _ := c.src.position(end)
	stop := len(c.src.data)
	if last < len(c.src.starts) {
		stop = c.src.starts[last] - 1 // before the newline
	}
	stop = max(stop, end)
	before := string(c.src.data[start : start+column-1])
	old := split(string(c.src.data[start:stop]))
	now := split(before + text + string(c.src.data[end:stop]))
	for len(old) > 0 && len(now) > 0 && old[0] == now[0] {
		old, now, line = old[1:], now[1:], line+1
	}
	for len(old) > 0 && len(now) > 0 && old[len(old)-1] == now[len(now)-1] {
		old, now = old[:len(old)-1], now[:len(now)-1]
	}
	return fixFile{Path: c.path, Line: line, Old: old, New: now}
}

func split(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(text([]byte(strings.TrimSuffix(s, "\n"))), "\n")
}
