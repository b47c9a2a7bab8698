package output

import (
	"slices"
	"strings"

	"github.com/mapguard/mapguard/analyzer/finding"
)

// codeFlows returns the interleaving as one code flow with a thread flow for
// each goroutine. Only executionOrder says which step of one comes before which
// of the other.
func (r *run) codeFlows(title string, trace []finding.Step) []sarifCodeFlow {
	if len(trace) == 0 {
		return nil
	}
	flow := sarifCodeFlow{Message: sarifMessage{Text: title}}
	for i, step := range trace {
		id := step.Goroutine
		t := slices.IndexFunc(flow.ThreadFlows, func(t sarifThreadFlow) bool { return t.ID == id })
		if t < 0 {
			t = len(flow.ThreadFlows)
			flow.ThreadFlows = append(flow.ThreadFlows, sarifThreadFlow{
				ID: id, Message: sarifMessage{Text: "goroutine " + id},
			})
		}
		flow.ThreadFlows[t].Locations = append(flow.ThreadFlows[t].Locations, r.flowAt(step, i+1))
	}
	return []sarifCodeFlow{flow}
}

// flowAt returns one step. A critical section is a level of nesting; the step
// that the other goroutine undoes is the essential one.
func (r *run) flowAt(step finding.Step, order int) sarifFlowAt {
	text := "goroutine " + step.Goroutine + ": " + step.Action
	if step.Note != "" {
		text += " (" + step.Note + ")"
	}
	at := sarifFlowAt{
		Location: r.sarifLocation(step.Pos), Order: order, Nesting: len(step.Locks),
		Importance: "important", State: map[string]sarifMessage{"locks held": {Text: "none"}},
	}
	at.Location.Message = &sarifMessage{Text: text}
	if step.Lost {
		at.Importance = "essential"
	}
	if len(step.Locks) > 0 {
		at.State["locks held"] = sarifMessage{Text: strings.Join(step.Locks, ", ")}
	}
	return at
}

// sarifProof adds what runs have shown: a property, and of a confirmed finding
// a code flow of what happened, with a stack for each step.
func (r *run) sarifProof(res *sarifResult, p *finding.Proof) {
	if p == nil {
		return
	}
	res.Props.Proof = struct {
		Status  finding.Status `json:"status"`
		By      string         `json:"by,omitempty"`
		Source  finding.Source `json:"source,omitempty"`
		Reason  string         `json:"reason,omitempty"`
		Reached int            `json:"reached"`
		Waited  int            `json:"waited"`
	}{p.Status, p.By, p.Source, p.Reason, p.Reached, p.Waited}
	var trace []finding.Step
	for _, s := range p.Steps {
		trace = append(trace, finding.Step{Goroutine: s.Goroutine, Pos: s.Pos, Action: s.Action})
		stack := sarifStack{Message: sarifMessage{Text: "goroutine " + s.Goroutine + ": " + s.Action}, Frames: []sarifFrame{}}
		for _, f := range s.Stack {
			loc := r.sarifLocation(finding.Position{File: f.File, Line: f.Line, Column: 1})
			loc.Logical = []sarifLogical{{Name: f.Function, Kind: "function"}}
			stack.Frames = append(stack.Frames, sarifFrame{loc})
		}
		res.Stacks = append(res.Stacks, stack)
	}
	res.CodeFlows = append(res.CodeFlows, r.codeFlows("what happened: "+p.String(), trace)...)
}

func (r *run) sarifFixes(fixes []finding.Fix) []sarifFix {
	var out []sarifFix
	for _, fix := range fixes {
		changes, ok := r.files.changes(fix)
		if !ok {
			continue
		}
		f := sarifFix{Description: sarifMessage{Text: fix.Message}}
		for _, c := range changes {
			ac := sarifArtifactChange{Artifact: r.artifact(c.file)}
			for _, e := range c.edits {
				ac.Replacements = append(ac.Replacements, sarifReplacement{
					Deleted: r.region(c, e), Inserted: sarifMessage{Text: e.New},
				})
			}
			f.Changes = append(f.Changes, ac)
		}
		out = append(out, f)
	}
	return out
}

// region returns the range of an edit; one that only inserts has an empty
// range, which must state its end.
func (r *run) region(c change, e finding.Edit) sarifRegion {
	var out sarifRegion
	out.StartLine, out.StartColumn = r.unitPosition(c, e.Start)
	out.EndLine, out.EndColumn = r.unitPosition(c, e.End)
	return out
}

func (r *run) unitPosition(c change, offset int) (line, column int) {
	line, column = c.src.position(offset)
	start := c.src.starts[line-1]
	// Not by sources.column: an offset may lie between the two bytes of a
	// line's end, which line cuts off.
	before := c.src.data[start : start+column-1]
	if line == 1 {
		before = trimBOM(before)
	}
	return line, units(before) + 1
}
