package output

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/mapguard/mapguard/analyzer/finding"
)

// Workflow commands have no other escapes: these for the message, and two more
// for the values of properties.
var (
	escapeMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

var annotations = [...]string{"notice", "warning", "error"}

func writeGitHub(buf *bytes.Buffer, r *run) error {
	for _, p := range r.problems() {
		r.command(buf, "error", r.files.rel(p.Pos.File), p.Pos, Incomplete, p.Message)
	}
	for _, it := range r.items {
		r.command(buf, annotations[it.rank()], it.path, it.Pos, it.Category, r.annotation(it))
	}
	return nil
}

// command writes one workflow command.
func (r *run) command(buf *bytes.Buffer, level, path string, pos finding.Position, title, text string) {
	var props []string
	if path != "" {
		props = append(props, "file="+escapeProperty.Replace(path))
	}
	if path != "" && pos.Line > 0 {
		props = append(props, fmt.Sprintf("line=%d", pos.Line))
		if col := r.files.column(pos); col > 0 {
			props = append(props, fmt.Sprintf("col=%d", col))
		}
	}
	props = append(props, "title="+escapeProperty.Replace("mapguard: "+title))
	fmt.Fprintf(buf, "::%s %s::%s\n", level, strings.Join(props, ","), escapeMessage.Replace(text))
}

// annotation is the text of an annotation: the message, the evidence, then one
// line for each related place.
func (r *run) annotation(it item) string {
	text := it.Message
	if it.Evidence != "" {
		text += "\n" + it.Confidence + " confidence: " + it.Evidence
	}
	for _, line := range it.about() {
		text += "\n" + line
	}
	for _, rel := range it.Related {
		text += "\n"
		if rel.Pos.File != "" {
			text += r.files.place(rel.Pos) + ": "
		}
		text += rel.Message
	}
	return text
}
