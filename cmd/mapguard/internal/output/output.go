// Package output writes findings in the formats that other programs and
// browsers read: json, sarif, github, html and rdjson. Text for a terminal is
// not made here.
//
// # What all formats share
//
// Code that could not be analysed is part of every format, so that a report of
// half a view does not look like one of the whole: errors in json, a failed
// invocation with notifications in sarif, annotations in github, diagnostics of
// the code [Incomplete] in rdjson, a section in html.
//
// Findings are sorted by path, line, column, category and message, so the same
// findings give the same bytes in whatever order they come. Paths are relative
// to [Report.PathRoot] with forward slashes; a file outside of it keeps its
// absolute path. Source files are read for columns in characters, for
// fingerprints and for excerpts; where one cannot be read, what depends on it
// is left out and the rest stays valid. Nothing is written before the whole
// output is made.
//
// Confidence becomes severity: a high finding is an error, a medium one a
// warning, a low one a note (notice in GitHub's annotations, INFO in rdjson), as
// is one that is ignored. Each says why it is ignored; in sarif that is a
// suppression. Where several builds were analysed, each says which have it.
//
// # json
//
// An object with the members schema (the number of this layout, 1), version
// (mapguard's), confidence (the lowest that was asked for) and findings, an
// array that is never null. A finding has the members of [finding.Finding] and
// its fingerprint, the same as in a baseline file. Columns and offsets count
// bytes. The member complete is false when code could not be analysed; errors
// then says why, and notAnalysed names the packages. New members may be added
// under the same number; none is renamed, removed or changed.
//
// # sarif
//
// SARIF 2.1.0 as GitHub code scanning takes it, within its limits; what is left
// out for them is said in a notification. The interleaving is a code flow with
// one thread flow for each goroutine, executionOrder being the order in time,
// nestingLevel the number of locks held. The partial fingerprints are that of a
// baseline file and GitHub's own. Columns count UTF-16 code units.
//
// # github
//
// Workflow commands of GitHub Actions, one annotation for each finding. GitHub
// shows ten of each severity for a step; use sarif for more.
//
// # rdjson
//
// The DiagnosticResult of reviewdog. Columns count bytes. A fix that edits
// other files than the finding's is left out, as a suggestion has no path.
//
// # html
//
// One page without scripts and without a network.
package output

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/baseline"
)

// homepage is where readers of an output learn more.
const homepage = "https://github.com/mapguard/mapguard"

// A Rule documents one category.
type Rule struct {
	// Name is the category, Summary one line, Text the whole in markdown, URL
	// where it is on the web.
	Name, Summary, Text, URL string
}

// A Report is what is written.
type Report struct {
	Findings []finding.Finding
	// Root is the absolute directory that was analysed. Fingerprints are made
	// of the paths below it, and so are the same in every format.
	Root string
	// PathRoot is the absolute directory that paths and URIs are relative to,
	// and PathPrefix is put before them. Without a PathRoot it is Root.
	PathRoot, PathPrefix string
	// Version is mapguard's own.
	Version string
	// Rules are all rules that ran, in the order of their documentation. A
	// category without one gets a rule that has only its name.
	Rules []Rule
	// Confidence is the lowest confidence that was asked for.
	Confidence string
	// Problems are the reasons why code could not be analysed, NotAnalysed the
	// packages.
	Problems    []Problem
	NotAnalysed []string
}

// A Problem is one reason why code could not be analysed. Its position may be
// without a line, or without a file.
type Problem struct {
	Pos     finding.Position
	Message string
}

// Incomplete is what problems are called where findings have their category.
const Incomplete = "not-analysed"

// complete reports whether everything that was asked for has been analysed.
func (r *Report) complete() bool { return len(r.Problems) == 0 && len(r.NotAnalysed) == 0 }

// problems returns the problems, and one more for packages that are left out,
// so that a reader of one of them knows how far it reaches.
func (r *Report) problems() []Problem {
	out := slices.Clone(r.Problems)
	if n := len(r.NotAnalysed); n > 0 {
		out = append(out, Problem{Message: plural(n, "package") + " not analysed: " + strings.Join(r.NotAnalysed, ", ")})
	}
	return out
}

// formats holds what writes each format, in the order that Formats gives.
var formats = [...]struct {
	name  string
	write func(*bytes.Buffer, *run) error
}{
	{"json", writeJSON},
	{"sarif", writeSARIF},
	{"github", writeGitHub},
	{"html", writeHTML},
	{"rdjson", writeRDJSON},
}

// Formats returns the names of the formats.
func Formats() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// Write writes the report. On an error nothing has been written, unless it is
// w's own.
func Write(w io.Writer, format string, r Report) error {
	for _, f := range formats {
		if f.name != format {
			continue
		}
		run, err := newRun(r)
		if err != nil {
			return err
		}
		var buf bytes.Buffer
		if err := f.write(&buf, run); err != nil {
			return fmt.Errorf("format %s: %w", format, err)
		}
		_, err = w.Write(buf.Bytes())
		return err
	}
	return fmt.Errorf("unknown format %q: use one of %s", format, strings.Join(Formats(), ", "))
}

// A run is one report being written: sorted, with its paths and sources.
type run struct {
	Report
	files *sources
	items []item
}

// An item is a finding with its relative path and its fingerprint.
type item struct {
	finding.Finding
	path        string
	fingerprint string
}

// rank is that of the finding's confidence; what is ignored comes last.
func (it item) rank() int {
	if it.Ignored != "" {
		return 0
	}
	return rank(it.Confidence)
}

// about are the lines that a finding has besides its evidence: why it is
// ignored, and which builds have it.
func (it item) about() []string {
	var out []string
	if it.Ignored != "" {
		out = append(out, "ignored: "+it.Ignored)
	}
	if len(it.Builds) > 0 {
		out = append(out, "builds: "+strings.Join(it.Builds, "; "))
	}
	return out
}

func newRun(r Report) (*run, error) {
	root, err := filepath.Abs(r.Root)
	if err != nil {
		return nil, fmt.Errorf("directory %s: %w", r.Root, err)
	}
	r.Root = root
	out := &run{Report: r, files: newSources(cmp.Or(r.PathRoot, root), r.PathPrefix)}
	fingerprint := baseline.Fingerprints(root)
	for _, f := range r.Findings {
		out.items = append(out.items, item{f, out.files.rel(f.Pos.File), fingerprint(f)})
	}
	slices.SortStableFunc(out.items, compare)
	return out, nil
}

func compare(a, b item) int {
	return firstOf(
		strings.Compare(a.path, b.path),
		a.Pos.Line-b.Pos.Line,
		a.Pos.Column-b.Pos.Column,
		strings.Compare(a.Category, b.Category),
		strings.Compare(a.Message, b.Message),
		strings.Compare(a.Package, b.Package),
		strings.Compare(a.fingerprint, b.fingerprint),
	)
}

// firstOf returns the first that is not zero.
func firstOf(orders ...int) int {
	for _, o := range orders {
		if o != 0 {
			return o
		}
	}
	return 0
}

// rank orders confidences: 2 high, 1 medium, 0 low. One that is unknown counts
// as medium, so that it is neither hidden nor blocks anything.
func rank(confidence string) int {
	switch confidence {
	case "high":
		return 2
	case "low":
		return 0
	}
	return 1
}

// writeIndented writes JSON for people too: indented, with < and > as they are.
func writeIndented(buf *bytes.Buffer, v any) error {
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
