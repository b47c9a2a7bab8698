package analyzer

import (
	"go/token"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/ssabuild"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// Over returns a run of the analyzer over SSA that is built once, and the
// number of findings that it makes.
func Over(pass *analysis.Pass) func() int {
	prog := ssabuild.Build(pass, func(*types.Func) bool { return false }, false)
	return func() int {
		p := &program{pass: pass, cfg: new(settings)}
		p.solve(prog)
		n := len(p.findings())
		p.export()
		return n
	}
}

// A Reported is one finding before any is left out, by where it stands.
type Reported struct {
	Pos                  token.Pos
	Category, Confidence string
}

// Agreed is what the rules find and what -why says of the same package.
type Agreed struct {
	Found, Why []Reported
	// Unsaid are candidates that are silent without a reason.
	Unsaid []string
	// Reasons and Grades are those of the candidates, by their texts.
	Reasons, Grades map[string]bool
}

// Texts lists the texts of all reasons for silence, and of all grades.
func Texts() (reasons, grades []string) {
	for r := witness.NoReason + 1; r.Text() != ""; r++ {
		reasons = append(reasons, r.Text())
	}
	for g := witness.NoGrade + 1; g.Text() != ""; g++ {
		grades = append(grades, g.Text())
	}
	return reasons, grades
}

// Agreement returns an analyzer that compares findings with -why.
func Agreement(cfg Config) *analysis.Analyzer {
	a := New(cfg)
	a.ResultType = reflect.TypeFor[*Agreed]()
	a.Run = func(pass *analysis.Pass) (any, error) {
		out := &Agreed{Reasons: make(map[string]bool), Grades: make(map[string]bool)}
		if standard(pass) || !needed(pass, nil) {
			return out, nil
		}
		p := analyze(complete(pass), &settings{Config: cfg})
		p.export()
		found := p.raw()
		of := make(map[any]check.Finding)
		for _, f := range found {
			of[f.Of] = f
			out.Found = append(out.Found, Reported{f.Pos, f.Category, f.Confidence.String()})
		}
		all := func(any) bool { return true }
		for _, x := range p.in.Explain(func(token.Pos) bool { return false }, all) {
			out.Reasons[x.Reason.Text()], out.Grades[x.Grade.Text()] = true, true
			switch f, reported := of[x.Candidate]; {
			case x.Reason == witness.NoReason:
				out.Why = append(out.Why, Reported{f.Pos, f.Category, x.Confidence.String()})
			case reported:
				out.Unsaid = append(out.Unsaid, f.Message)
			case x.Reason.Text() == "":
				out.Unsaid = append(out.Unsaid, x.Func.Name)
			}
		}
		return out, nil
	}
	return a
}
