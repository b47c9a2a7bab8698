package output

import (
	"bytes"
	_ "embed"
	"html/template"
	"strconv"
	"strings"

	"github.com/mapguard/mapguard/analyzer/finding"
)

//go:embed report.html
var pageText string

// page is parsed once; it holds no state of a report.
var page = template.Must(template.New("report").Parse(pageText))

// A pageData is what the page shows.
type pageData struct {
	Version    string
	Confidence string
	Home       string
	Total      string
	Problems   []placeView
	Counts     []countRow
	Files      []fileView
	Rules      []ruleView
}

// A countRow is one category's line in the summary.
type countRow struct {
	Category          string
	High, Medium, Low int
}

// Sum is the number of its findings.
func (c countRow) Sum() int { return c.High + c.Medium + c.Low }

type fileView struct {
	Path     string
	Findings []findingView
}

// A findingView is one finding; its number is its anchor.
type findingView struct {
	item
	Number   int
	Level    string
	Place    string
	Guard    *guardView
	Excerpt  []hunk
	Related  []placeView
	Trace    *traceView
	Happened []happenedView
	Fixes    []fixView
}

// A happenedView is one step of a confirmed finding, with its stack.
type happenedView struct {
	Who, Place, Action string
	Stack              []placeView
}

type placeView struct{ Place, Message string }

type ruleView struct {
	Name, Summary string
	Text          []block
}

// A guardView is the guard's votes as a bar of one cell for each access, or
// of a hundred if there are too many to see.
type guardView struct {
	Lock, How   string
	Held, Total int
	Cells       []bool
}

func writeHTML(buf *bytes.Buffer, r *run) error {
	data := pageData{Version: r.Version, Confidence: r.Confidence, Home: homepage, Counts: r.counts()}
	for i, it := range r.items {
		name := it.path
		if name == "" {
			name = "without a place"
		}
		if n := len(data.Files); n == 0 || data.Files[n-1].Path != name {
			data.Files = append(data.Files, fileView{Path: name})
		}
		file := &data.Files[len(data.Files)-1]
		file.Findings = append(file.Findings, r.findingView(it, i+1))
	}
	data.Total = total(len(r.items), len(data.Files))
	for _, p := range r.problems() {
		var place string
		if p.Pos.File != "" {
			place = r.files.place(p.Pos)
		}
		data.Problems = append(data.Problems, placeView{place, p.Message})
	}
	if !r.complete() {
		data.Total += ", and code that was not analysed"
	}
	for _, rule := range r.Rules {
		data.Rules = append(data.Rules, ruleView{rule.Name, rule.Summary, blocks(rule.Text)})
	}
	return page.Execute(buf, data)
}

// total says how many findings there are, in words.
func total(findings, files int) string {
	if findings == 0 {
		return "No findings"
	}
	return plural(findings, "finding") + " in " + plural(files, "file")
}

func plural(n int, word string) string {
	if n != 1 {
		word += "s"
	}
	return strconv.Itoa(n) + " " + word
}

// counts counts findings by category, in the order of the rules, and by
// confidence.
func (r *run) counts() []countRow {
	rules, index := r.sarifRules()
	rows := make([]countRow, len(rules))
	for i, rule := range rules {
		rows[i].Category = rule.ID
	}
	for _, it := range r.items {
		row := &rows[index[it.Category]]
		switch rank(it.Confidence) {
		case 2:
			row.High++
		case 1:
			row.Medium++
		default:
			row.Low++
		}
	}
	var out []countRow
	for _, row := range rows {
		if row.Sum() > 0 {
			out = append(out, row)
		}
	}
	return out
}

func (r *run) findingView(it item, number int) findingView {
	v := findingView{
		item: it, Number: number, Level: [...]string{"low", "medium", "high"}[rank(it.Confidence)],
		Place: r.files.place(it.Pos), Excerpt: r.excerpt(it), Trace: r.traceView(it.Trace, it.Pos.File), Fixes: r.fixViews(it),
	}
	for _, rel := range it.Related {
		v.Related = append(v.Related, placeView{r.files.place(rel.Pos), rel.Message})
	}
	if p := it.Proof; p != nil {
		for _, s := range p.Steps {
			h := happenedView{Who: s.Goroutine, Place: r.files.place(s.Pos), Action: s.Action}
			for _, f := range s.Stack {
				h.Stack = append(h.Stack, placeView{r.files.place(finding.Position{File: f.File, Line: f.Line}), f.Function})
			}
			v.Happened = append(v.Happened, h)
		}
	}
	if g := it.Guard; g != nil {
		v.Guard = &guardView{Lock: g.Lock, How: guardReasons[g.How], Held: g.Held, Total: g.Total, Cells: votes(g.Held, g.Total)}
	}
	return v
}

// guardReasons say why a lock is believed to be the guard.
var guardReasons = map[string]string{
	"declared": "a directive names it",
	"prose":    "a comment says so",
	"named":    "its name says so",
	"used":     "most accesses hold it",
}

// votes returns a cell for each access, those that hold the guard first.
func votes(held, total int) []bool {
	const most = 100
	if total > most {
		held, total = held*most/total, most
	}
	cells := make([]bool, max(total, 0))
	for i := range cells {
		cells[i] = i < held
	}
	return cells
}

// A block is a paragraph of a rule's text: code as it stands, or prose.
type block struct {
	Code  string
	Spans []span
}

// A span is a piece of prose, of which some is code.
type span struct {
	Text string
	Code bool
}

// blocks reads as much markdown as rules are written in: paragraphs, code by
// fences or indentation, and code between backticks. Anything else is shown as
// it is written.
func blocks(text string) []block {
	var out []block
	var open bool // within a fence
	var cur []string
	flush := func(code bool) {
		if s := strings.Trim(strings.Join(cur, "\n"), "\n"); s != "" {
			out = append(out, newBlock(s, code))
		}
		cur = nil
	}
	indented := false
	for line := range strings.SplitSeq(text, "\n") {
		isCode := strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "    ")
		switch {
		case strings.HasPrefix(line, "```"):
			flush(open || indented)
			open, indented = !open, false
			continue
		case open:
		case strings.TrimSpace(line) == "" && !indented:
			flush(false)
			continue
		case isCode != indented && strings.TrimSpace(line) != "" && (indented || len(cur) == 0):
			flush(indented)
			indented = isCode
		}
		cur = append(cur, line)
	}
	flush(open || indented)
	return out
}

func newBlock(text string, code bool) block {
	if code {
		return block{Code: dedent(text)}
	}
	text = strings.TrimSpace(strings.TrimLeft(text, "#"))
	var b block
	for i, part := range strings.Split(text, "`") {
		if part != "" {
			b.Spans = append(b.Spans, span{part, i%2 == 1})
		}
	}
	return b
}
