// Package output stands in for the formats until they are there.
package output

import (
	"encoding/json"
	"github.com/mapguard/mapguard/analyzer/finding"
	"io"
)

type Rule struct{ Name, Summary, Text string }
type Report struct {
	Findings      []finding.Finding
	Root, Version string
	Rules         []Rule
	Confidence    string
}

func Formats() []string                                { return []string{"sarif", "github", "html", "rdjson", "json"} }
func Write(w io.Writer, format string, r Report) error { return json.NewEncoder(w).Encode(r.Findings) }
