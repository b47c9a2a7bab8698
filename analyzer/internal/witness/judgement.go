package witness

import "github.com/mapguard/mapguard/analyzer/internal/sharing"

// A Judgement is what becomes of a candidate of any kind: a witness with its grade, or
// the reason why there is none.
type Judgement struct {
	// Reason is the first question without an answer; [NoReason] for a witness.
	Reason Reason
	// Grade is the row of the table that bounds the confidence by the harm.
	Grade      Grade
	Evidence   sharing.Evidence
	Confidence sharing.Confidence
	// module says why the module's own calls exclude it.
	module string
}

// raised reports whether there is a witness with more than low confidence.
func (v *Judgement) raised() bool { return v.Reason == NoReason && v.Confidence > sharing.Low }

// lower makes a witness low.
func (v *Judgement) lower(to Grade, why string) {
	v.Confidence, v.Grade, v.module = sharing.Low, to, why
}

// evidence returns the evidence of a witness, or what there would be of it.
func (v *Judgement) evidence(otherwise func() sharing.Evidence) sharing.Evidence {
	if v.Reason == NoReason {
		return v.Evidence
	}
	return otherwise()
}

// explain adds the judgement to an explanation.
func (v *Judgement) explain(x Explanation) Explanation {
	x.Note, x.Reason, x.Grade, x.Confidence = v.module, v.Reason, v.Grade, v.Confidence
	return x
}
