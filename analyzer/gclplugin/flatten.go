package gclplugin

import (
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// flatten changes an analyzer so that golangci-lint shows what it reports: an
// issue there is one place, one line of text and edits of the same file.
func flatten(a *analysis.Analyzer) *analysis.Analyzer {
	run := a.Run
	a.Run = func(pass *analysis.Pass) (any, error) {
		flat := *pass
		flat.Report = func(d analysis.Diagnostic) {
			pass.Report(withoutPartialFixes(pass.Fset, folded(pass.Fset, d)))
		}
		return run(&flat)
	}
	return a
}

// folded moves the related positions into the message. golangci-lint makes an
// issue of its own out of each, even at the wrong place when it is in another
// file, and a nolint comment at the finding would not silence them.
func folded(fset *token.FileSet, d analysis.Diagnostic) analysis.Diagnostic {
	if len(d.Related) == 0 {
		return d
	}
	dir := filepath.Dir(fset.Position(d.Pos).Filename)
	var places []string
	for _, r := range d.Related {
		if !r.Pos.IsValid() {
			places = append(places, r.Message)
			continue
		}
		places = append(places, place(fset.Position(r.Pos), dir)+" ("+r.Message+")")
	}
	d.Message += "; see " + strings.Join(places, ", ")
	d.Related = nil
	return d
}

// place names a line: the file alone when it is in the directory dir, and else
// with its directory. A whole path would differ from machine to machine, and
// with it the message, by which golangci-lint's users exclude issues.
func place(p token.Position, dir string) string {
	name := filepath.Base(p.Filename)
	if own := filepath.Dir(p.Filename); own != dir {
		name = filepath.Base(own) + "/" + name
	}
	return name + ":" + strconv.Itoa(p.Line)
}

// withoutPartialFixes drops fixes that edit another file than the finding's.
// golangci-lint would leave out those edits and apply the rest: half a fix.
func withoutPartialFixes(fset *token.FileSet, d analysis.Diagnostic) analysis.Diagnostic {
	file := fset.File(d.Pos)
	outside := func(e analysis.TextEdit) bool {
		return fset.File(e.Pos) != file || e.End.IsValid() && fset.File(e.End) != file
	}
	var whole []analysis.SuggestedFix
	for _, f := range d.SuggestedFixes {
		if !slices.ContainsFunc(f.TextEdits, outside) {
			whole = append(whole, f)
		}
	}
	d.SuggestedFixes = whole
	return d
}
