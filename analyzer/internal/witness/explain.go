package witness

import (
	"fmt"
	"go/token"
	"strings"

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
	// Candidate is the verdict, as rules get it: what a finding names as its
	// own.
	Candidate any
	Func      *infer.Func
	// Accesses are those that were judged: a look and an act, or one access.
	Accesses []*access.Access
	// Pos is where the judgement belongs, if not at the first of them: a call.
	Pos     token.Pos
	Answers []Answer
	Reason  Reason
	// Note is what else belongs to the answer that decides.
	Note string
	// Grade and Confidence are those of a witness.
	Grade      Grade
	Confidence sharing.Confidence
}

// String writes the answers and the verdict for people.
func (x Explanation) String() string {
	var b strings.Builder
	for _, a := range x.Answers {
		switch {
		case a.Text == "":
			fmt.Fprintf(&b, "%s? not asked; ", a.Question)
		case a.Yes:
			fmt.Fprintf(&b, "%s? yes: %s; ", a.Question, a.Text)
		default:
			fmt.Fprintf(&b, "%s? no: %s; ", a.Question, a.Text)
		}
	}
	if x.Reason != NoReason {
		return b.String() + "silent"
	}
	return b.String() + x.Confidence.String()
}

// Explain returns the explanations of all candidates with an access at a place
// that at accepts, or that shown accepts, pairs first, in the order of the source.
func (j *Judge) Explain(at func(token.Pos) bool, shown func(candidate any) bool) []Explanation {
	var out []Explanation
	add := func(x Explanation, e sharing.Evidence) {
		if shown(x.Candidate) || at(x.Pos) || concerns(at, x.Accesses...) {
			if x.Note == "" && x.Reason != NoReason {
				x.Note = j.callers(x.Func)
			}
			x.answer(e)
			out = append(out, x)
		}
	}
	for i := range j.candidates {
		v := &j.candidates[i]
		e := v.evidence(func() sharing.Evidence { return j.evidence(v) })
		if v.raised() && v.Concurrent() && e.Confidence < v.Confidence {
			e = sharing.Evidence{Confidence: v.Confidence, Text: ConcurrentMap}
		}
		add(v.explain(Explanation{Candidate: v, Func: v.Func, Accesses: []*access.Access{v.Check, v.Act}}), e)
	}
	for i := range j.accesses {
		v := &j.accesses[i]
		e := v.evidence(func() sharing.Evidence { return j.Sharing.Of(v.Place) })
		add(v.explain(Explanation{Candidate: v, Func: v.Site.Func, Accesses: []*access.Access{v.Site.Acc}}), e)
	}
	j.explainOthers(add)
	return out
}

// explainOthers adds the candidates that are no pair and no access of a place.
func (j *Judge) explainOthers(add func(Explanation, sharing.Evidence)) {
	of := func(a *access.Access) func() sharing.Evidence {
		return func() sharing.Evidence { return j.Sharing.Of(j.Place(a.Path.Location())) }
	}
	for i := range j.entries {
		v := &j.entries[i]
		add(v.explain(Explanation{Candidate: v, Func: v.Func, Accesses: []*access.Access{v.Look, v.Act}}), v.evidence(of(v.Look)))
	}
	for i := range j.freed {
		v := &j.freed[i]
		add(v.explain(Explanation{Candidate: v, Func: v.Func, Accesses: []*access.Access{v.Act}}), v.evidence(of(v.Act)))
	}
	for i := range j.calls {
		v := &j.calls[i]
		add(v.explain(Explanation{Candidate: v, Func: v.Blame.Caller, Accesses: []*access.Access{v.Act}, Pos: v.Blame.Pos}), v.evidence(of(v.Act)))
	}
	for i := range j.races {
		v := &j.races[i]
		if v.Reason == NoReason {
			add(Explanation{Candidate: v, Func: v.A.Func, Accesses: v.accesses(), Pos: v.A.Thread.Start, Grade: v.Grade, Confidence: v.Confidence}, v.Evidence)
			continue
		}
		if !v.Local() {
			continue // its accesses are judged one by one
		}
		e := sharing.Evidence{Confidence: sharing.High, Text: v.A.Thread.Reaches()}
		for _, a := range v.accesses() {
			add(Explanation{Candidate: v, Func: v.A.Func, Accesses: []*access.Access{a}, Reason: v.Reason}, e)
		}
	}
}

func concerns(at func(token.Pos) bool, as ...*access.Access) bool {
	for _, a := range as {
		if at(a.Pos) || a.Inner.IsValid() && at(a.Inner) {
			return true
		}
	}
	return false
}

// answer puts the answers in the order of the questions. The evidence for B is
// known of every candidate, asked or not.
func (x *Explanation) answer(e sharing.Evidence) {
	r, g := x.Reason, x.Grade
	for q := Who; q <= Harm; q++ {
		a := Answer{Question: q, Yes: true}
		switch {
		case r != NoReason && q == r.Question():
			a.Yes, a.Text = false, x.noted(r.Text())
		case q == Who:
			a.Yes, a.Text = e.Confidence > sharing.Low, fmt.Sprintf("%s: %s", e.Confidence, e.Text)
		case r != NoReason && q > r.Question():
			a.Yes = false
		case q == Harm && g != NoGrade:
			a.Text = x.noted(g.Text())
		default:
			a.Text = "nothing excludes it"
		}
		x.Answers = append(x.Answers, a)
	}
}

func (x *Explanation) noted(text string) string {
	if x.Note == "" {
		return text
	}
	return text + " (" + x.Note + ")"
}
