// Package report turns findings into diagnostics. It alone knows
// analysis.Diagnostic.
package report

import (
	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
)

// Diagnostics reports the findings of at least the given confidence, in
// order. The evidence is the last related position's note, or ends the
// message when it has no place.
func Diagnostics(pass *analysis.Pass, findings []check.Finding, min sharing.Confidence) {
	for _, f := range findings {
		if f.Confidence < min {
			continue
		}
		pass.Report(diagnostic(f))
	}
}

func diagnostic(f check.Finding) analysis.Diagnostic {
	d := analysis.Diagnostic{
		Pos:      f.Pos,
		Category: f.Category,
		Message:  f.Message + " [" + f.Category + ", " + f.Confidence.String() + ": " + f.Evidence + "]",
	}
	for _, r := range f.Related {
		d.Related = append(d.Related, analysis.RelatedInformation{Pos: r.Pos, Message: r.Message})
	}
	return d
}
