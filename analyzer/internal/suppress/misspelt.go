package suppress

import (
	"regexp"
	"slices"
	"strings"
)

// misspelt returns the part of a directive's first word that is meant for a
// category and is none: as a mere part of the reason it would make the
// directive silence every category. alone says that no reason follows.
//
// A word is meant for a category when it is in a list with one, when it is one
// but for two letters or the signs between its parts, and when it is made of
// the parts of categories (lock-split). A word with a hyphen that stands alone
// is hardly a reason. read-only and lock-free, which begin reasons, are
// neither.
func (s *Set) misspelt(word string, alone bool) string {
	names := strings.Split(word, ",")
	inList := slices.ContainsFunc(names, s.isCategory)
	for _, name := range names {
		if s.isCategory(name) || name == "" {
			continue
		}
		if inList || s.resembles(name) || alone && categoryForm.MatchString(name) {
			return name
		}
	}
	return ""
}

// categoryForm is how categories are written.
var categoryForm = regexp.MustCompile(`^[a-z]+(-[a-z]+)+$`)

func (s *Set) isCategory(name string) bool { return slices.Contains(s.opts.Categories, name) }

// resembles reports whether a word can only be a category written wrongly.
func (s *Set) resembles(word string) bool {
	parts := strings.FieldsFunc(strings.ToLower(word), func(r rune) bool { return r == '-' || r == '_' })
	joined := strings.Join(parts, "")
	var known []string // parts of categories
	for _, c := range s.opts.Categories {
		own := strings.Split(c, "-")
		if len(own) == 1 {
			continue // directive, which is also a word of English
		}
		known = append(known, own...)
		whole := strings.Join(own, "")
		if joined == whole || len(parts) > 1 && near(joined, whole, 2) {
			return true
		}
	}
	return len(parts) > 1 && !slices.ContainsFunc(parts, func(part string) bool { return !slices.Contains(known, part) })
}

// near reports whether at most n letters must be added, left out or replaced to
// make b of a.
func near(a, b string, n int) bool {
	switch {
	case a == b:
		return true
	case n == 0:
		return false
	case a == "" || b == "":
		return len(a)+len(b) <= n
	case a[0] == b[0]:
		return near(a[1:], b[1:], n)
	}
	return near(a[1:], b, n-1) || near(a, b[1:], n-1) || near(a[1:], b[1:], n-1)
}
