package suppress

import (
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strings"
)

const tool = "mapguard"

// verbs are the words that may follow "//mapguard:". guardedby is read where
// guards are.
var verbs = []string{"guardedby", "ignore"}

// read notes the directive that a comment is, if it is one.
func (s *Set) read(l *layout, group *ast.CommentGroup, c *ast.Comment) {
	switch {
	case strings.HasPrefix(c.Text, "//mapguard:"):
		s.own(l, group, c)
	case strings.HasPrefix(c.Text, "// mapguard:ignore"):
		s.complain(c.Pos(), "a space makes this a comment like any other; write //mapguard:ignore")
	case strings.HasPrefix(c.Text, "//lint:"):
		s.lint(l, group, c)
	case checklocksForm.MatchString(c.Text):
		s.checklocks(l, group, c)
	case !s.opts.LeaveNolint:
		s.nolint(l, group, c)
	}
}

// own reads mapguard's own form.
func (s *Set) own(l *layout, group *ast.CommentGroup, c *ast.Comment) {
	verb, reason := cut(strings.TrimPrefix(c.Text, "//mapguard:"))
	switch verb {
	case "ignore":
	case "guardedby":
		return
	default:
		s.complain(c.Pos(), "unknown directive mapguard:"+verb+"; the directives are mapguard:"+strings.Join(verbs, " and mapguard:"))
		return
	}
	d := &directive{pos: c.Pos(), text: "mapguard:ignore"}
	first, rest := cut(reason)
	if s.areCategories(first) {
		d.categories, reason = strings.Split(first, ","), rest
	} else if wrong := s.misspelt(first, rest == ""); wrong != "" {
		s.complain(c.Pos(), "mapguard:ignore names no category "+wrong+" and is not applied; the categories are "+strings.Join(s.opts.Categories, ", "))
		return
	}
	if reason == "" {
		s.complain(c.Pos(), "mapguard:ignore has no reason and is not applied; write //mapguard:ignore and why the finding does no harm")
		return
	}
	d.spans, d.reason = append(l.declaration(group), l.line(group)), reason
	s.directives = append(s.directives, d)
}

// areCategories reports whether a word is a list of categories.
func (s *Set) areCategories(word string) bool {
	for name := range strings.SplitSeq(word, ",") {
		if !slices.Contains(s.opts.Categories, name) {
			return false
		}
	}
	return true
}

// lint reads staticcheck's form, whose names may be patterns: a directive for
// all checks may be there for those of another tool.
func (s *Set) lint(l *layout, group *ast.CommentGroup, c *ast.Comment) {
	verb, rest := cut(strings.TrimPrefix(c.Text, "//lint:"))
	names, reason := cut(rest)
	if verb != "ignore" && verb != "file-ignore" {
		return
	}
	d := &directive{pos: c.Pos(), text: "lint:" + verb + " of mapguard", broad: true}
	matched := false
	for name := range strings.SplitSeq(names, ",") {
		if ok, err := path.Match(name, tool); err == nil && ok {
			matched = true
			d.broad = d.broad && name != tool
		}
	}
	if !matched {
		return
	}
	if reason == "" {
		s.complain(c.Pos(), "lint:"+verb+" has no reason and is not applied; write //lint:"+verb+" "+names+" and why the finding does no harm")
		return
	}
	d.spans, d.reason = []span{l.line(group)}, reason
	if verb == "file-ignore" {
		d.spans = []span{l.all()}
	}
	s.directives = append(s.directives, d)
}

// nolintForm is how golangci-lint tells its directive, with the slashes and
// spaces before it cut off.
var nolintForm = regexp.MustCompile(`^nolint( |:|$)`)

// nolint reads golangci-lint's form. Without a list it is for all linters.
func (s *Set) nolint(l *layout, group *ast.CommentGroup, c *ast.Comment) {
	text := strings.TrimLeft(c.Text, "/ ")
	if !nolintForm.MatchString(text) {
		return
	}
	d := &directive{pos: c.Pos(), text: "nolint of mapguard", broad: true}
	if list, ok := strings.CutPrefix(text, "nolint:"); ok {
		list, d.reason, _ = strings.Cut(list, "//")
		d.reason = strings.TrimSpace(d.reason)
		var named, all bool
		for name := range strings.SplitSeq(list, ",") {
			name = strings.ToLower(strings.TrimSpace(name))
			named = named || name == tool
			all = all || strings.HasPrefix(name, "all")
		}
		if !named && !all {
			return
		}
		d.broad = all
	}
	d.spans = []span{l.below(group)}
	s.directives = append(s.directives, d)
}

// checklocksForm is how gVisor's checklocks tells its directive, with or without a reason behind it.
var checklocksForm = regexp.MustCompile(`^// ?\+checklocks(?:ignore|force)\b`)

// checklocks reads the forms of gVisor's checklocks: the locks of that line, or of the function, are seen to, or held.
func (s *Set) checklocks(l *layout, group *ast.CommentGroup, c *ast.Comment) {
	reason := checklocksForm.ReplaceAllString(c.Text, "")
	d := &directive{pos: c.Pos(), text: "+checklocksignore or +checklocksforce", reason: strings.Trim(reason, "-–—: \t"), broad: true}
	d.spans = append(l.declaration(group), l.line(group))
	s.directives = append(s.directives, d)
}

// cut splits text at the first space. A comment within the comment ends it.
func cut(text string) (word, rest string) {
	if strings.HasPrefix(text, "//") {
		return "", ""
	}
	text, _, _ = strings.Cut(text, " //")
	text = strings.TrimSpace(text)
	i := strings.IndexAny(text, " \t")
	if i < 0 {
		return text, ""
	}
	return text[:i], strings.TrimSpace(text[i:])
}
