package output

import (
	"bytes"
	"fmt"
)

type rdResult struct {
	Source      rdSource       `json:"source"`
	Severity    string         `json:"severity"`
	Diagnostics []rdDiagnostic `json:"diagnostics"`
}

type rdSource struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

type rdDiagnostic struct {
	Message     string         `json:"message"`
	Location    rdLocation     `json:"location"`
	Severity    string         `json:"severity"`
	Code        rdCode         `json:"code"`
	Suggestions []rdSuggestion `json:"suggestions,omitempty"`
	Output      string         `json:"original_output"`
	Related     []rdRelated    `json:"related_locations,omitempty"`
}

type rdCode struct {
	Value string `json:"value"`
}

type rdRelated struct {
	Message  string     `json:"message"`
	Location rdLocation `json:"location"`
}

type rdLocation struct {
	Path  string   `json:"path"`
	Range *rdRange `json:"range,omitempty"`
}

type rdRange struct {
	Start rdPosition  `json:"start"`
	End   *rdPosition `json:"end,omitempty"`
}

type rdPosition struct {
	Line   int `json:"line"`
	Column int `json:"column,omitempty"`
}

type rdSuggestion struct {
	Range rdRange `json:"range"`
	Text  string  `json:"text"`
}

var rdSeverities = [...]string{"INFO", "WARNING", "ERROR"}

func writeRDJSON(buf *bytes.Buffer, r *run) error {
	out := rdResult{
		Source: rdSource{"mapguard", homepage}, Severity: "WARNING", Diagnostics: []rdDiagnostic{},
	}
	for _, p := range r.problems() {
		out.Diagnostics = append(out.Diagnostics, rdDiagnostic{
			Message: p.Message, Location: rdAt(r.files.rel(p.Pos.File), p.Pos.Line, p.Pos.Column),
			Severity: rdSeverities[2], Code: rdCode{Incomplete}, Output: p.Message,
		})
	}
	for _, it := range r.items {
		message := it.Message
		if it.Evidence != "" {
			message += fmt.Sprintf(" [%s confidence: %s]", it.Confidence, it.Evidence)
		}
		for _, text := range it.about() {
			message += " [" + text + "]"
		}
		d := rdDiagnostic{
			Message: message, Location: rdAt(it.path, it.Pos.Line, it.Pos.Column),
			Severity: rdSeverities[it.rank()], Code: rdCode{it.Category},
			Output:      r.files.place(it.Pos) + ": " + it.Category + ": " + it.Message,
			Suggestions: r.suggestions(it),
		}
		for _, rel := range it.Related {
			if path := r.files.rel(rel.Pos.File); path != "" {
				d.Related = append(d.Related, rdRelated{rel.Message, rdAt(path, rel.Pos.Line, rel.Pos.Column)})
			}
		}
		out.Diagnostics = append(out.Diagnostics, d)
	}
	return writeIndented(buf, out)
}

func rdAt(path string, line, column int) rdLocation {
	loc := rdLocation{Path: path}
	if line > 0 {
		loc.Range = &rdRange{Start: rdPosition{line, max(column, 0)}}
	}
	return loc
}

// suggestions makes one suggestion of each fix: reviewdog offers each by
// itself, and half a fix would break the code. So edits far apart become one
// range with what stands between them.
func (r *run) suggestions(it item) []rdSuggestion {
	var out []rdSuggestion
	for _, fix := range it.Fixes {
		changes, ok := r.files.changes(fix)
		if !ok || len(changes) != 1 || changes[0].path != it.path {
			continue // a suggestion has no path of its own
		}
		start, end, text := changes[0].joined()
		var rg rdRange
		rg.Start.Line, rg.Start.Column = changes[0].src.position(start)
		rg.End = new(rdPosition)
		rg.End.Line, rg.End.Column = changes[0].src.position(end)
		out = append(out, rdSuggestion{rg, text})
	}
	return out
}
