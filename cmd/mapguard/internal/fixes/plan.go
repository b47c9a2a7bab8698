// Package fixes applies the fixes that findings carry.
package fixes

import (
	"bytes"
	"cmp"
	"fmt"
	"go/format"
	"maps"
	"slices"

	"github.com/mapguard/mapguard/analyzer/finding"
)

// A Plan is what the fixes of some findings do to files.
type Plan struct {
	// Files are the files that change, by name.
	Files []File
	// Fixed are the findings whose fix is part of the plan.
	Fixed []finding.Finding
	// Left are the others.
	Left []Left
}

// A File is one file before and after.
type File struct {
	Name     string
	Old, New []byte
}

// A Left is a finding that the plan does not fix.
type Left struct {
	Finding finding.Finding
	// Why is empty when the finding carries no fix.
	Why string
}

// Make plans the first fix of each finding. Fixes are taken in the order of
// the findings, each as a whole: one whose edits meet those of an earlier one
// is left for the next run, which sees what the earlier one has made of the
// code. Two fixes may want the same edit, such as an import; it is made once.
func Make(findings []finding.Finding, readFile func(string) ([]byte, error)) (*Plan, error) {
	b := &builder{read: readFile, old: make(map[string][]byte), edits: make(map[string][]finding.Edit)}
	plan := new(Plan)
	for _, f := range findings {
		if len(f.Fixes) == 0 {
			plan.Left = append(plan.Left, Left{Finding: f})
			continue
		}
		why, err := b.add(f.Fixes[0].Edits)
		if err != nil {
			return nil, err
		}
		if why != "" {
			plan.Left = append(plan.Left, Left{f, why})
			continue
		}
		plan.Fixed = append(plan.Fixed, f)
	}
	for _, name := range slices.Sorted(maps.Keys(b.edits)) {
		file := File{Name: name, Old: b.old[name], New: apply(b.old[name], b.edits[name])}
		formatted, err := format.Source(file.New)
		if err != nil {
			return nil, fmt.Errorf("%s: the fix would not compile (%w): nothing is changed", name, err)
		}
		if isFormatted(file.Old) {
			file.New = endings(file.Old, formatted)
		}
		if !bytes.Equal(file.Old, file.New) {
			plan.Files = append(plan.Files, file)
		}
	}
	return plan, nil
}

// isFormatted reports whether a file is as gofmt writes it: of another one, a fix leaves the lines as they are that it
// does not touch.
func isFormatted(text []byte) bool {
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	formatted, err := format.Source(text)
	return err == nil && bytes.Equal(formatted, text)
}

// endings gives text the line ends of old: gofmt leaves none of Windows, and the
// diff would be one of all lines.
func endings(old, text []byte) []byte {
	if n := bytes.Count(old, []byte("\n")); n == 0 || bytes.Count(old, []byte("\r\n")) != n {
		return text
	}
	return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
}

// builder gathers the edits of each file.
type builder struct {
	read  func(string) ([]byte, error)
	old   map[string][]byte
	edits map[string][]finding.Edit
}

// add takes all edits of one fix, or none of them and says why.
func (b *builder) add(edits []finding.Edit) (why string, err error) {
	var fresh []finding.Edit
	for _, e := range edits {
		text, ok := b.old[e.File]
		if !ok {
			if text, err = b.read(e.File); err != nil {
				return "", err
			}
			b.old[e.File] = text
		}
		if e.Start < 0 || e.End < e.Start || e.End > len(text) {
			return "", fmt.Errorf("%s: the fix does not fit the file, which has changed: run again", e.File)
		}
		if slices.Contains(b.edits[e.File], e) || slices.Contains(fresh, e) {
			continue
		}
		if slices.ContainsFunc(b.edits[e.File], func(o finding.Edit) bool { return meet(e, o) }) {
			return "its fix meets another one's: run again", nil
		}
		fresh = append(fresh, e)
	}
	for _, e := range fresh {
		b.edits[e.File] = append(b.edits[e.File], e)
	}
	return "", nil
}

// meet reports whether two edits change the same bytes or insert at one place.
func meet(a, b finding.Edit) bool {
	if a.Start == b.Start {
		return true
	}
	if a.Start > b.Start {
		a, b = b, a
	}
	return b.Start < a.End
}

// apply returns the text with edits that do not meet, except that one fix may
// insert several times at one place: then they follow each other in its order.
func apply(text []byte, edits []finding.Edit) []byte {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b finding.Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	var out []byte
	at := 0
	for _, e := range edits {
		if e.Start < at {
			continue // one fix contradicts itself: its first edit holds
		}
		out = append(out, text[at:e.Start]...)
		out = append(out, e.New...)
		at = e.End
	}
	return append(out, text[at:]...)
}
