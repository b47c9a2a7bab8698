// Package text writes findings for people to read on a terminal: a line each,
// with what belongs to it indented below.
package text

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/mapguard/mapguard/analyzer/finding"
)

// Options say how to write.
type Options struct {
	// Dir is the absolute directory that paths are relative to.
	Dir string
	// Prefix is put before the paths of files below Dir.
	Prefix string
	// Verbose adds the interleaving and the source.
	Verbose bool
	// Color uses the colours of a terminal.
	Color bool
	// ReadFile reads a source file.
	ReadFile func(name string) ([]byte, error)
}

// Write writes findings in the order given.
func Write(w io.Writer, findings []finding.Finding, opts Options) error {
	p := &printer{Writer: bufio.NewWriter(w), opts: opts, lines: make(map[string][]string)}
	for i, f := range findings {
		if i > 0 && opts.Verbose {
			fmt.Fprintln(p)
		}
		p.finding(f)
	}
	return p.Flush()
}

// Path returns a file's path relative to dir, or as it is where that is no
// longer: a finding may stand in another tree.
func Path(dir, file string) string {
	if rel, err := filepath.Rel(dir, file); err == nil && len(rel) < len(file) {
		return rel
	}
	return file
}

// Path returns how a file is called.
func (o *Options) Path(file string) string {
	if o.Prefix != "" {
		if rel, err := filepath.Rel(o.Dir, file); err == nil && filepath.IsLocal(rel) {
			return filepath.Join(o.Prefix, rel)
		}
	}
	return Path(o.Dir, file)
}

type printer struct {
	*bufio.Writer
	opts  Options
	lines map[string][]string
}

// Styles of a terminal.
const (
	bold  = "\x1b[1m"
	red   = "\x1b[31m"
	faint = "\x1b[2m"
	reset = "\x1b[0m"
)

func (p *printer) style(style, s string) string {
	if !p.opts.Color {
		return s
	}
	return style + s + reset
}

func (p *printer) place(pos finding.Position) string {
	return fmt.Sprintf("%s:%d:%d", p.opts.Path(pos.File), pos.Line, pos.Column)
}

func (p *printer) finding(f finding.Finding) {
	fmt.Fprintf(p, "%s: %s: %s\n", p.style(bold, p.place(f.Pos)), p.style(red, f.Category), f.Message)
	if f.Evidence != "" {
		p.indented(p.style(faint, f.Confidence+" confidence: "+f.Evidence))
	}
	for _, r := range f.Related {
		p.indented(p.style(faint, p.place(r.Pos)+": ") + r.Message)
	}
	p.proof(f.Proof)
	if f.Ignored != "" {
		p.indented("ignored: " + f.Ignored)
	}
	if len(f.Builds) > 0 {
		p.indented("builds: " + strings.Join(f.Builds, "; "))
	}
	for _, fix := range f.Fixes {
		p.indented("fix (-fix, -diff): " + fix.Message)
	}
	if f.NoFix != "" {
		p.indented(f.NoFix)
	}
	if p.opts.Verbose {
		p.source(f.Pos)
		p.trace(f.Trace)
	}
}

func (p *printer) indented(line string) { fmt.Fprintf(p, "\t%s\n", strings.TrimRight(line, " \t")) }

// wide is how long the line of a step may become; beyond it, what comes of the
// step has a line of its own.
const wide = 100

// trace writes the steps of an interleaving, each with its source below.
func (p *printer) trace(steps []finding.Step) {
	if len(steps) == 0 {
		return
	}
	p.indented("two goroutines:")
	places := make([]string, len(steps))
	width := 0
	for i, s := range steps {
		places[i] = fmt.Sprintf("%s:%d", p.opts.Path(s.Pos.File), s.Pos.Line)
		width = max(width, len(places[i]))
	}
	for i, s := range steps {
		line := fmt.Sprintf("%s  %-*s  %s", s.Goroutine, width, places[i], s.Action)
		if len(s.Locks) > 0 {
			line += ", under " + strings.Join(s.Locks, " and ")
		}
		if s.Lost {
			line += " (lost)"
		}
		below := ""
		switch {
		case s.Note == "":
		case utf8.RuneCountInString(line+s.Note) <= wide:
			line += ": " + p.style(red, s.Note)
		default:
			below = "=> " + s.Note
		}
		p.indented("  " + line)
		for _, text := range []struct{ style, text string }{{faint, s.Source}, {red, below}} {
			if text.text != "" {
				p.indented(p.style(text.style, strings.Repeat(" ", width+7)+text.text))
			}
		}
	}
}

// around is how many lines the source shows before and after the finding's.
const around = 2

// source writes the lines around a position, with a mark below its column. It
// writes nothing of a file that cannot be read any more.
func (p *printer) source(pos finding.Position) {
	lines := p.file(pos.File)
	if pos.Line < 1 || pos.Line > len(lines) {
		return
	}
	p.indented("source:")
	for n := max(1, pos.Line-around); n <= min(len(lines), pos.Line+around); n++ {
		p.indented(fmt.Sprintf("  %5d | %s", n, lines[n-1]))
		if n == pos.Line {
			p.indented(fmt.Sprintf("        | %s%s", blank(lines[n-1], pos.Column), p.style(red, "^")))
		}
	}
}

// blank is the space before a column, with the line's tabs.
func blank(line string, column int) string {
	before := line[:min(len(line), max(0, column-1))]
	return strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, before)
}

func (p *printer) file(name string) []string {
	lines, ok := p.lines[name]
	if !ok && p.opts.ReadFile != nil {
		if data, err := p.opts.ReadFile(name); err == nil {
			lines = strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
		}
		p.lines[name] = lines
	}
	return lines
}
