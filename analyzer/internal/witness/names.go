package witness

import (
	"go/token"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mapguard/mapguard/analyzer/internal/access"
)

var queryWords = []string{"Get", "Lookup", "LookUp", "Find", "Fetch", "Resolve", "Load", "For", "Cached", "Query", "Of", "By", "Obtain", "Select"}

// QueryName reports whether a function's name reads like a question: GetX,
// LookupX, XFor.
func QueryName(name string) bool {
	for _, w := range queryWords {
		if rest, ok := strings.CutPrefix(name, w); ok {
			if r, _ := utf8.DecodeRuneInString(rest); rest == "" || unicode.IsUpper(r) {
				return true
			}
		}
		if strings.HasSuffix(name, w) && (w == "For" || w == "Of") && name != w {
			return true
		}
	}
	return false
}

// Local reports whether a position lies in this package's files.
func (j *Judge) Local(pos token.Pos) bool { return j.Line(pos) > 0 }

// At returns the position of an access as findings use it: where it stands in
// this package.
func (j *Judge) At(a *access.Access) token.Pos {
	if a.Resolved && a.Inner.IsValid() && j.Local(a.Inner) {
		return a.Inner
	}
	return a.Pos
}
