package output

import (
	"bytes"
	"fmt"
	"strings"
)

// Workflow commands have no other escapes: these for the message, and two more
// for the values of properties.
var (
	escapeMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

var annotations = [...]string{"notice", "warning", "error"}

func writeGitHub(buf *bytes.Buffer, r *run) error {
	for _, it := range r.items {
		var props []string
		if it.path != "" {
			props = append(props, "file="+escapeProperty.Replace(it.path))
		}
		if it.path != "" && it.Pos.Line > 0 {
			props = append(props, fmt.Sprintf("line=%d", it.Pos.Line))
			if col := r.files.column(it.Pos); col > 0 {
				props = append(props, fmt.Sprintf("col=%d", col))
			}
		}
		props = append(props, "title="+escapeProperty.Replace("mapguard: "+it.Category))
		fmt.Fprintf(buf, "::%s %s::%s\n", annotations[rank(it.Confidence)],
			strings.Join(props, ","), escapeMessage.Replace(r.annotation(it)))
	}
	return nil
}

// annotation is the text of an annotation: the message, the evidence, then one
// line for each related place.
func (r *run) annotation(it item) string {
	text := it.Message
	if it.Evidence != "" {
		text += "\n" + it.Confidence + " confidence: " + it.Evidence
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
