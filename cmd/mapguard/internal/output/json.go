package output

import (
	"bytes"

	"github.com/mapguard/mapguard/analyzer/finding"
)

// jsonSchema numbers the layout that the package comment describes.
const jsonSchema = 1

type jsonReport struct {
	Schema     int           `json:"schema"`
	Version    string        `json:"version"`
	Confidence string        `json:"confidence"`
	Complete   bool          `json:"complete"`
	Errors     []jsonProblem `json:"errors,omitempty"`
	Skipped    []string      `json:"notAnalysed,omitempty"`
	Findings   []jsonFinding `json:"findings"`
}

// A jsonProblem has the members of a position as far as they are known.
type jsonProblem struct {
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
}

type jsonFinding struct {
	finding.Finding
	Fingerprint string `json:"fingerprint"`
}

func writeJSON(buf *bytes.Buffer, r *run) error {
	out := jsonReport{
		Schema: jsonSchema, Version: r.Version, Confidence: r.Confidence,
		Complete: r.complete(), Skipped: r.NotAnalysed, Findings: []jsonFinding{},
	}
	for _, p := range r.Problems {
		out.Errors = append(out.Errors, jsonProblem{r.files.rel(p.Pos.File), p.Pos.Line, p.Pos.Column, p.Message})
	}
	for _, it := range r.items {
		out.Findings = append(out.Findings, jsonFinding{r.files.relative(it.Finding), it.fingerprint})
	}
	return writeIndented(buf, out)
}

// relative returns a copy of the finding whose paths are relative.
func (s *sources) relative(f finding.Finding) finding.Finding {
	f.Pos.File = s.rel(f.Pos.File)
	f.Related = each(f.Related, func(r *finding.Related) { r.Pos.File = s.rel(r.Pos.File) })
	f.Trace = each(f.Trace, func(t *finding.Step) {
		t.Pos.File = s.rel(t.Pos.File)
		if t.Inner != nil {
			inner := *t.Inner
			inner.File = s.rel(inner.File)
			t.Inner = &inner
		}
	})
	f.Proof = s.proof(f.Proof)
	f.Fixes = each(f.Fixes, func(x *finding.Fix) {
		x.Edits = each(x.Edits, func(e *finding.Edit) { e.File = s.rel(e.File) })
		if x.Edits == nil {
			x.Edits = []finding.Edit{}
		}
	})
	return f
}

// proof returns a copy of the proof whose paths are relative.
func (s *sources) proof(p *finding.Proof) *finding.Proof {
	if p == nil {
		return nil
	}
	out := *p
	out.Steps = each(p.Steps, func(t *finding.ProofStep) {
		t.Pos.File = s.rel(t.Pos.File)
		t.Stack = each(t.Stack, func(f *finding.Frame) { f.File = s.rel(f.File) })
	})
	return &out
}

// each returns a changed copy of the list: findings belong to the caller.
func each[T any](list []T, change func(*T)) []T {
	if list == nil {
		return nil
	}
	out := make([]T, len(list))
	for i, v := range list {
		change(&v)
		out[i] = v
	}
	return out
}
