package analyzer

import (
	_ "embed"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
)

// docSource is the file whose package comment documents the categories.
//
//go:embed doc.go
var docSource string

// RulesURL is the page that describes all categories, each under a heading with
// its name.
const RulesURL = "https://github.com/mapguard/mapguard/blob/main/docs/rules.md"

// A Rule describes one category of findings.
type Rule struct {
	// Name is the category, such as split-lock.
	Name string
	// Summary is the first sentence of the text, on one line.
	Summary string
	// Text says what is reported, with an example that is wrong and the way
	// out: plain text as a terminal shows it.
	Text string
	// Markdown is the same for web pages and other tools.
	Markdown string
	// URL is where it is on the web.
	URL string
}

// categoryName is what tells the headings of categories from the others, which
// begin with a capital.
var categoryName = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)

// Rules describes the categories in the order of the package's documentation,
// from which all is taken.
func Rules() []Rule {
	var rules []Rule
	for _, s := range sections(docComment()) {
		if categoryName.MatchString(s.title) {
			rules = append(rules, describe(s))
		}
	}
	return rules
}

// docComment parses the package comment.
func docComment() *comment.Doc {
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", docSource, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil || file.Doc == nil {
		return new(comment.Doc) // cannot be: the file is part of this package
	}
	var p comment.Parser
	return p.Parse(file.Doc.Text())
}

type section struct {
	title  string
	blocks []comment.Block
}

func sections(doc *comment.Doc) []section {
	var out []section
	for _, b := range doc.Content {
		if h, ok := b.(*comment.Heading); ok {
			out = append(out, section{title: plain(h.Text)})
		} else if n := len(out); n > 0 {
			out[n-1].blocks = append(out[n-1].blocks, b)
		}
	}
	return out
}

func describe(s section) Rule {
	doc := &comment.Doc{Content: s.blocks}
	pr := &comment.Printer{TextWidth: 80, DocLinkURL: packageURL}
	text := string(pr.Text(doc))
	first, _, _ := strings.Cut(strings.ReplaceAll(text, "\n", " "), ". ")
	return Rule{
		Name:     s.title,
		Summary:  strings.TrimSuffix(strings.TrimSpace(first), "."),
		Text:     text,
		Markdown: fenced(string(pr.Markdown(doc))),
		URL:      RulesURL + "#" + s.title,
	}
}

func packageURL(link *comment.DocLink) string {
	return link.DefaultURL("https://pkg.go.dev")
}

// plain returns the words of a heading.
func plain(text []comment.Text) string {
	var b strings.Builder
	for _, t := range text {
		if p, ok := t.(comment.Plain); ok {
			b.WriteString(string(p))
		}
	}
	return b.String()
}

// fenced turns indented code blocks into fenced ones, which say that they are
// Go.
func fenced(markdown string) string {
	var b strings.Builder
	in := false
	lines := strings.SplitAfter(markdown, "\n")
	for i, line := range lines {
		code := strings.HasPrefix(line, "\t")
		// A blank line stays inside when code follows it.
		if in && !code && strings.TrimSpace(line) == "" && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "\t") {
			b.WriteString(line)
			continue
		}
		if code != in {
			if code {
				b.WriteString("```go\n")
			} else {
				b.WriteString("```\n")
			}
			in = code
		}
		b.WriteString(strings.TrimPrefix(line, "\t"))
	}
	if in {
		b.WriteString("```\n")
	}
	return b.String()
}
