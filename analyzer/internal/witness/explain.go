package witness

import (
	"fmt"
	"go/token"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
)

// An Answer is the answer to one question of a candidate. Text is empty for a
// question that was not asked.
type Answer struct {
	Question Question
	Yes      bool
	Text     string
}

// An Explanation says why one candidate is a witness, or is not.
type Explanation struct {
	Func *infer.Func
	// Accesses are those that were judged: a look and an act, or one access.
	Accesses []*access.Access
	Answers  []Answer
	Reason   Reason
	// Grade and Confidence are those of a witness.
	Grade      Grade
	Confidence sharing.Confidence
}

// Explain returns the explanations of all candidates with an access at a place
// that at accepts, pairs first, in the order of the source.
func (j *Judge) Explain(at func(token.Pos) bool) []Explanation {
	var out []Explanation
	for i := range j.candidates {
		v := &j.candidates[i]
		if concerns(at, v.Check, v.Act) {
			e := j.evidence(v)
			out = append(out, explanation(v.Func, v.Reason, v.Grade, v.Confidence, e, v.Check, v.Act))
		}
	}
	for i := range j.accesses {
		v := &j.accesses[i]
		if concerns(at, v.Site.Acc) {
			e := j.Sharing.Of(v.Place)
			out = append(out, explanation(v.Site.Func, v.Reason, v.Grade, v.Confidence, e, v.Site.Acc))
		}
	}
	return out
}

func concerns(at func(token.Pos) bool, as ...*access.Access) bool {
	for _, a := range as {
		if at(a.Pos) || a.Inner.IsValid() && at(a.Inner) {
			return true
		}
	}
	return false
}

// explanation puts the answers in the order of the questions. The evidence for
// B is known of every candidate, asked or not.
func explanation(f *infer.Func, r Reason, g Grade, c sharing.Confidence, e sharing.Evidence, as ...*access.Access) Explanation {
	x := Explanation{Func: f, Accesses: as, Reason: r, Grade: g, Confidence: c}
	for q := Who; q <= Harm; q++ {
		a := Answer{Question: q, Yes: true}
		switch {
		case r != NoReason && q == r.Question():
			a.Yes, a.Text = false, r.Text()
		case q == Who:
			a.Yes, a.Text = e.Confidence > sharing.Low, fmt.Sprintf("%s: %s", e.Confidence, e.Text)
		case r != NoReason && q > r.Question():
			a.Yes = false
		case q == Harm && g != NoGrade:
			a.Text = g.Text()
		default:
			a.Text = "nothing excludes it"
		}
		x.Answers = append(x.Answers, a)
	}
	return x
}
