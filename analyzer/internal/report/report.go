// Package report turns findings into diagnostics and plain data. With package
// fix, it alone knows analysis.Diagnostic.
package report

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/fix"
	"github.com/mapguard/mapguard/analyzer/internal/guard"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
)

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
		d, data := diagnostic(f), r.data(f)
		d.SuggestedFixes = fixes.Fixes(f)
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
		Message:  f.Message + " [" + brackets(f) + "]",
	}
	for _, r := range f.Related {
		d.Related = append(d.Related, analysis.RelatedInformation{Pos: r.Pos, Message: r.Message})
	}
	return d
}

// brackets is what ends a message: the category, and why it is believed. What
// stands in the source alone needs no evidence.
func brackets(f check.Finding) string {
	if f.Evidence == "" {
		return f.Category
	}
	return f.Category + ", " + f.Confidence.String() + ": " + f.Evidence
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
		Pos: r.at(f.Pos), Package: r.pass.Pkg.Path(), Location: f.Place,
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
			Goroutine: s.Goroutine, Pos: r.at(s.Pos), Action: s.Action, Note: s.Note, Locks: s.Locks, Lost: s.Lost,
		}
		step.Source = r.source(step.Pos)
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
	return finding.At(r.pass.Fset.Position(pos))
}

// source returns the line of a position; empty for a file that cannot be read,
// as those of other packages may be under some drivers.
func (r *reporter) source(p finding.Position) string {
	if p.File == "" {
		return ""
	}
	lines, ok := r.lines[p.File]
	if !ok {
		if data, err := r.pass.ReadFile(p.File); err == nil {
			lines = strings.Split(string(data), "\n")
		}
		r.lines[p.File] = lines
	}
	if p.Line < 1 || p.Line > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[p.Line-1])
}
