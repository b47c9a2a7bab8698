package witness

import (
	"go/token"

	"github.com/mapguard/mapguard/analyzer/internal/access"
)

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
