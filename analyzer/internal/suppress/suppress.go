// Package suppress applies the comments by which a programmer silences
// findings:
//
//	//mapguard:ignore [category,...] reason
//	//lint:ignore mapguard reason
//	//lint:file-ignore mapguard reason
//	//nolint:mapguard
//	// +checklocksignore
//
// A comment behind code speaks of its line, one on a line of its own of the
// next line. mapguard:ignore at a declaration speaks of all of it: of the
// findings in a function, of those about a variable, a field or the fields of
// a type, wherever in the package they stand. The forms of other tools mean
// what they mean there: nolint on a line of its own covers the whole statement
// or declaration below, the lint forms cover a line or the file, and
// checklocksignore, of gVisor's checker of locks, a line or a function.
package suppress

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
)

// Category is the name under which directives that do nothing are reported.
const Category = "directive"

// Options say how directives are read.
type Options struct {
	// Categories are the names that a directive can restrict itself to.
	Categories []string
	// LeaveNolint: the driver applies nolint itself, and tells which ones
	// suppress nothing.
	LeaveNolint bool
}

// A Set holds the directives of one package.
type Set struct {
	opts       Options
	fset       *token.FileSet
	directives []*directive
	problems   []check.Finding
}

// A directive silences findings in some places.
type directive struct {
	pos    token.Pos
	text   string // as messages call it
	reason string
	// categories are those that it is restricted to; none means all.
	categories []string
	spans      []span
	used       bool
	// broad: it names all tools, so that it may be there for another one.
	broad bool
}

// A span is a stretch of source. About a declaration, it also stands for the
// variables and fields that are declared in it.
type span struct {
	from, to token.Pos
	declares bool
}

func (s span) has(pos token.Pos) bool { return s.from <= pos && pos < s.to }

func (s span) covers(f check.Finding) bool {
	return s.has(f.Pos) || s.declares && f.Loc.Var != nil && s.has(f.Loc.Var.Pos())
}

// Read collects the directives of files. It reports none of those that are
// left out: a directive in a file that is not analysed has nothing to silence.
// Complexity: linear in the comments, and in the syntax of files that have a
// directive.
func Read(fset *token.FileSet, files []*ast.File, opts Options) *Set {
	s := &Set{opts: opts, fset: fset}
	for _, file := range files {
		l := layout{file: file, tok: fset.File(file.FileStart)}
		for _, group := range file.Comments {
			for _, c := range group.List {
				if strings.HasPrefix(c.Text, "//") {
					s.read(&l, group, c)
				}
			}
		}
	}
	return s
}

// Filter splits findings into those that no directive covers and the others,
// which say what silences them. One that is covered has still replaced the
// weaker findings of its place. Findings of any confidence count as reasons for
// a directive to stand there.
func (s *Set) Filter(findings []check.Finding) (kept, ignored []check.Finding) {
	if len(s.directives) == 0 {
		return findings, nil
	}
	for _, f := range findings {
		if d := s.covering(f); d != nil {
			ignored = append(ignored, d.silence(f))
		} else {
			kept = append(kept, f)
		}
	}
	return kept, ignored
}

// silence returns the finding with what silences it.
func (d *directive) silence(f check.Finding) check.Finding {
	f.Ignored = d.text + " here"
	if d.reason != "" {
		f.Ignored = d.reason
	}
	f.Related = append(slices.Clip(f.Related), check.Related{Pos: d.pos, Message: "silenced by this comment"})
	return f
}

// covering marks all directives that cover a finding as used, and returns the
// first.
func (s *Set) covering(f check.Finding) (covering *directive) {
	for _, d := range s.directives {
		if len(d.categories) > 0 && !slices.Contains(d.categories, f.Category) {
			continue
		}
		if slices.ContainsFunc(d.spans, func(sp span) bool { return sp.covers(f) }) {
			d.used = true
			if covering == nil {
				covering = d
			}
		}
	}
	return covering
}

// Problems returns what is wrong with directives: a word that is no directive,
// a missing reason, and, of those that Filter has seen nothing to silence for,
// that they can go.
func (s *Set) Problems() []check.Finding {
	out := slices.Clone(s.problems)
	for _, d := range s.directives {
		if d.used || d.broad {
			continue
		}
		what := "nothing"
		if len(d.categories) > 0 {
			what = "no " + strings.Join(d.categories, " or ") + " finding"
		}
		out = append(out, problem(d.pos, d.text+" suppresses "+what+" here; delete it, or put it at the line or declaration of the finding"))
	}
	return out
}

func (s *Set) complain(pos token.Pos, message string) {
	s.problems = append(s.problems, problem(pos, message))
}

func problem(pos token.Pos, message string) check.Finding {
	return check.Finding{Category: Category, Pos: pos, Message: message, Confidence: sharing.High}
}
