package report

import (
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/fix"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// Why explains every candidate at a line of the package: as plain data, and as
// diagnostics of the category "why" for drivers that show nothing else. in may
// be nil, for a package in which nothing can be found.
func Why(pass *analysis.Pass, in *check.Input, found []check.Finding, fixes *fix.Maker, file string, line int) *finding.Result {
	out := &finding.Result{Reached: holds(pass, file, line)}
	if in == nil || !out.Reached {
		return out
	}
	r := &reporter{pass: pass, lines: make(map[string][]string)}
	at := func(pos token.Pos) bool {
		p := pass.Fset.Position(pos)
		return p.Line == line && named(p.Filename, file)
	}
	of := make(map[any]check.Finding)
	for _, f := range found {
		of[f.Of] = f
	}
	shown := func(candidate any) bool {
		f, ok := of[candidate]
		return ok && at(f.Pos)
	}
	add := func(j finding.Judgement, pos token.Pos) {
		out.Judgements = append(out.Judgements, j)
		pass.Report(analysis.Diagnostic{Pos: pos, Category: "why", Message: oneLine(j)})
	}
	for _, x := range in.Explain(at, shown) {
		f := of[x.Candidate]
		j, pos := r.judgement(in, x, f)
		if f.Pos.IsValid() {
			j.Fix, j.Silenced = fixLine(fixes, f), f.Ignored
		}
		add(j, pos)
	}
	if len(out.Judgements) > 0 {
		return out
	}
	for _, f := range in.Pkg.Funcs {
		if n := f.SSA.Syntax(); n != nil && len(f.Cuts) > 0 && r.spans(n, file, line) {
			add(r.unseen(f, line), n.Pos())
		}
	}
	return out
}

// spans reports whether a line is one of those of a node.
func (r *reporter) spans(n ast.Node, file string, line int) bool {
	first, last := r.pass.Fset.Position(n.Pos()), r.pass.Fset.Position(n.End())
	return named(first.Filename, file) && first.Line <= line && line <= last.Line
}

// unseen is the answer at a line where nothing is judged, perhaps because the
// analysis of the function was cut short.
func (r *reporter) unseen(f *infer.Func, line int) finding.Judgement {
	pos := r.at(f.SSA.Pos())
	pos.Line, pos.Column = line, 1
	return finding.Judgement{
		Pos: pos, Package: r.pass.Pkg.Path(), Function: f.Name,
		Subject: "no access to a map is seen here", Verdict: "silent", Cuts: f.Cuts,
	}
}

// fixLine says what the fix of a finding does, or why there is none.
func fixLine(fixes *fix.Maker, f check.Finding) string {
	sfs, why := fixes.Fixes(f)
	if len(sfs) > 0 {
		return "fix: " + sfs[0].Message
	}
	return why
}

// holds reports whether the file, with that line, belongs to the package.
func holds(pass *analysis.Pass, file string, line int) bool {
	for _, f := range pass.Files {
		// The package clause is where a line directive of cgo's first counts,
		// and the last line says how many there are.
		first, last := pass.Fset.Position(f.Package), pass.Fset.Position(f.FileEnd)
		if named(first.Filename, file) && line <= last.Line {
			return true
		}
	}
	return false
}

// named reports whether the file's name is the one asked for, or ends in it.
func named(name, asked string) bool {
	name, asked = filepath.ToSlash(name), filepath.ToSlash(filepath.Clean(asked))
	return name == asked || strings.HasSuffix(name, "/"+asked)
}

// judgement words an explanation, with the finding that came of it, if one did.
func (r *reporter) judgement(in *check.Input, x witness.Explanation, f check.Finding) (finding.Judgement, token.Pos) {
	pos := in.At(x.Accesses[0])
	switch {
	case f.Pos.IsValid():
		pos = f.Pos
	case x.Pos.IsValid():
		pos = x.Pos
	}
	a := x.Accesses[len(x.Accesses)-1]
	j := finding.Judgement{
		Pos: r.at(pos), Category: f.Category, Package: r.pass.Pkg.Path(), Function: x.Func.Name,
		Location: in.Name(a.Path), Subject: subject(in, x.Accesses), Verdict: "silent", Cuts: x.Func.Cuts,
	}
	if loc := a.Path.Location(); loc.Valid() {
		j.Location = in.Guards.Describe(loc.Var)
	}
	if x.Reason == witness.NoReason {
		j.Verdict, j.Row = x.Confidence.String(), x.Grade.Text()
	}
	for _, ans := range x.Answers {
		text := "not asked"
		switch {
		case ans.Text != "" && ans.Yes:
			text = "yes: " + ans.Text
		case ans.Text != "":
			text = "no: " + ans.Text
		}
		j.Answers = append(j.Answers, finding.Answer{Question: ans.Question.String(), Answer: text})
	}
	return j, pos
}

// subject words what was judged.
func subject(in *check.Input, as []*access.Access) string {
	word := func(a *access.Access) string {
		return fmt.Sprintf("%s at line %d%s", check.Doing(a), in.Line(in.At(a)), check.Via(a))
	}
	if len(as) == 1 {
		return fmt.Sprintf("%s is %s", in.Name(as[0].Path), word(as[0]))
	}
	return fmt.Sprintf("%s is %s, then %s", in.Name(as[1].Path), word(as[0]), word(as[1]))
}

// oneLine is a judgement as a diagnostic.
func oneLine(j finding.Judgement) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", j.Subject, j.Verdict)
	for _, a := range j.Answers {
		fmt.Fprintf(&b, "; %s? %s", a.Question, a.Answer)
	}
	if j.Silenced != "" {
		b.WriteString("; a comment silences it: " + j.Silenced)
	}
	for _, c := range j.Cuts {
		fmt.Fprintf(&b, "; the analysis of %s was cut short: %s", j.Function, c)
	}
	if j.Fix != "" {
		b.WriteString("; " + j.Fix)
	}
	return b.String()
}
