package output

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mapguard/mapguard/analyzer/finding"
)

// A change is what a fix does to one file: edits in order that do not overlap.
type change struct {
	file  string
	path  string
	src   *source
	edits []finding.Edit
}

// changes returns the edits of a fix by file, in the order of their paths. It
// reports false if they do not fit the files as they are now: such a fix is not
// passed on.
func (s *sources) changes(fix finding.Fix) ([]change, bool) {
	var out []change
	for _, e := range fix.Edits {
		src, path := s.get(e.File), s.rel(e.File)
		if src == nil || e.Start < 0 || e.End < e.Start || e.End > len(src.data) {
			return nil, false
		}
		i := slices.IndexFunc(out, func(c change) bool { return c.path == path })
		if i < 0 {
			i = len(out)
			out = append(out, change{file: e.File, path: path, src: src})
		}
		out[i].edits = append(out[i].edits, e)
	}
	slices.SortFunc(out, func(a, b change) int { return strings.Compare(a.path, b.path) })
	for _, c := range out {
		slices.SortStableFunc(c.edits, func(a, b finding.Edit) int { return firstOf(a.Start-b.Start, a.End-b.End) })
		for i := 1; i < len(c.edits); i++ {
			if c.edits[i].Start < c.edits[i-1].End {
				return nil, false
			}
		}
	}
	return out, len(out) > 0
}

// joined returns the edits as one: the range they span and what replaces it.
func (c change) joined() (start, end int, text string) {
	start = c.edits[0].Start
	end = start
	for _, e := range c.edits {
		text += string(c.src.data[end:e.Start]) + e.New
		end = e.End
	}
	return start, end, text
}

// place formats a position as other tools print it: path:line:column, with what
// is known of it.
func (s *sources) place(p finding.Position) string {
	out := s.rel(p.File)
	if out == "" {
		out = "-"
	}
	if p.Line > 0 {
		out += ":" + strconv.Itoa(p.Line)
		if p.Column > 0 {
			out += ":" + strconv.Itoa(p.Column)
		}
	}
	return out
}
