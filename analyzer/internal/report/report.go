// Package report turns findings into diagnostics and plain data. With package
// fix, it alone knows analysis.Diagnostic.
package report

import (
	"go/token"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/fix"
	"github.com/mapguard/mapguard/analyzer/internal/guard"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
)

// Quiet returns a copy of a pass that drops what is reported.
func Quiet(pass *analysis.Pass) *analysis.Pass {
	quiet := *pass
	quiet.Report = func(analysis.Diagnostic) {}
	return &quiet
}

// Diagnostics reports the findings of at least the given confidence, in
// order, with their fixes, and returns them as plain data. The evidence is the
// last related position's note, or ends the message when it has no place.
func Diagnostics(pass *analysis.Pass, findings []check.Finding, fixes *fix.Maker, min sharing.Confidence) *finding.Result {
	r := &reporter{pass: pass, lines: make(map[string][]string)}
	out := new(finding.Result)
	for _, f := range findings {
		if f.Confidence < min {
			continue
		}
		if f.Ignored != "" {
			out.Ignored = append(out.Ignored, r.data(f))
			continue
		}
		d, data := diagnostic(f), r.data(f)
		d.SuggestedFixes, data.NoFix = fixes.Fixes(f)
		if r.isCopy(f.Pos) {
			d.SuggestedFixes = nil // they would edit the copy
		}
		for _, sf := range d.SuggestedFixes {
			data.Fixes = append(data.Fixes, r.fix(sf))
		}
		pass.Report(d)
		out.Findings = append(out.Findings, data)
	}
	return out
}

func diagnostic(f check.Finding) analysis.Diagnostic {
	d := analysis.Diagnostic{
		Pos:      f.Pos,
		Category: f.Category,
		Message:  message(f),
	}
	for _, r := range f.Related {
		d.Related = append(d.Related, analysis.RelatedInformation{Pos: r.Pos, Message: r.Message})
	}
	return d
}

// maxLine is the most characters that a diagnostic has.
const maxLine = 160

// message is the text of a diagnostic. It ends with the category, and with why
// the finding is believed where that does not make it too long.
func message(f check.Finding) string {
	if f.Evidence == "" {
		return f.Message + " [" + f.Category + "]"
	}
	grade := " [" + f.Category + ", " + f.Confidence.String()
	long := f.Message + grade + ": " + f.Evidence + "]"
	if utf8.RuneCountInString(long) <= maxLine {
		return long
	}
	return f.Message + grade + "]"
}

// reporter resolves positions and reads source lines.
type reporter struct {
	pass  *analysis.Pass
	lines map[string][]string
}

var howNames = map[guard.How]string{guard.Declared: "declared", guard.Prose: "prose", guard.Named: "named", guard.Used: "used"}

func (r *reporter) data(f check.Finding) finding.Finding {
	out := finding.Finding{
		Category: f.Category, Confidence: f.Confidence.String(), Evidence: f.Evidence, Message: f.Message,
		Pos: r.at(f.Pos), Package: r.pass.Pkg.Path(), Location: f.Place, Ignored: f.Ignored,
	}
	if f.Func != nil {
		out.Function = f.Func.Name
	}
	if g := f.Guard; g != nil {
		out.Guard = &finding.Guard{Lock: g.Lock.Name(), How: howNames[g.How], Held: g.Held, Total: g.Total}
	}
	for _, rel := range f.Related {
		out.Related = append(out.Related, finding.Related{Pos: r.at(rel.Pos), Message: rel.Message})
	}
	for _, s := range f.Trace {
		step := finding.Step{
			Goroutine: s.Goroutine, Role: s.Role, Pos: r.at(s.Pos), Action: s.Action, Note: s.Note, Locks: s.Locks, Lost: s.Lost,
		}
		step.Source = r.source(step.Pos)
		if inner := r.at(s.Inner); inner.Line > 0 && s.Inner != s.Pos {
			step.Inner = &inner
		}
		out.Trace = append(out.Trace, step)
	}
	return out
}

// fix resolves a fix to bytes of files.
func (r *reporter) fix(f analysis.SuggestedFix) finding.Fix {
	out := finding.Fix{Message: f.Message}
	for _, e := range f.TextEdits {
		from, to := r.pass.Fset.PositionFor(e.Pos, false), r.pass.Fset.PositionFor(e.End, false)
		out.Edits = append(out.Edits, finding.Edit{File: from.Filename, Start: from.Offset, End: to.Offset, New: string(e.NewText)})
	}
	return out
}

func (r *reporter) at(pos token.Pos) finding.Position {
	if !pos.IsValid() {
		return finding.Position{}
	}
	p := finding.At(r.pass.Fset.Position(pos))
	if r.isCopy(pos) {
		p.Offset = r.offset(p)
	}
	return p
}

// isCopy reports whether a place is in a copy of another file, such as cgo
// makes: the offsets in it are not those of the file that the position names.
func (r *reporter) isCopy(pos token.Pos) bool {
	return pos.IsValid() && r.pass.Fset.Position(pos).Filename != r.pass.Fset.PositionFor(pos, false).Filename
}

// offset counts the bytes of the file up to a line and column; 0 for a file
// that cannot be read.
func (r *reporter) offset(p finding.Position) int {
	lines := r.read(p.File)
	if p.Line < 1 || p.Line > len(lines) {
		return 0
	}
	n := p.Column - 1
	for _, line := range lines[:p.Line-1] {
		n += len(line) + 1
	}
	return n
}

// source returns the line of a position; empty for a file that cannot be read,
// as those of other packages may be under some drivers.
func (r *reporter) source(p finding.Position) string {
	if p.File == "" {
		return ""
	}
	lines := r.read(p.File)
	if p.Line < 1 || p.Line > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[p.Line-1])
}

// read returns the lines of a file, none if it cannot be read.
func (r *reporter) read(name string) []string {
	lines, ok := r.lines[name]
	if !ok {
		data, err := r.pass.ReadFile(name)
		if err != nil {
			data, err = os.ReadFile(name) // the pass knows the copy by cgo alone
		}
		if err == nil {
			lines = strings.Split(string(data), "\n")
		}
		r.lines[name] = lines
	}
	return lines
}
