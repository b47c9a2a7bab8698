package witness

import (
	"go/token"

	"github.com/mapguard/mapguard/analyzer/internal/access"
)

// Local reports whether a position lies in this package's files.
func (j *Judge) Local(pos token.Pos) bool { return j.Line(pos) > 0 }

// At returns where an access stands in this package: the place of a step.
func (j *Judge) At(a *access.Access) token.Pos {
	if a.Resolved && a.Inner.IsValid() && j.Local(a.Inner) {
		return a.Inner
	}
	return a.Pos
}

// Named returns the position that a finding on an access has: where the package
// names the map. A helper that gets the map itself does not know which lock
// protects it; the call that gives it the map must hold that.
func (j *Judge) Named(a *access.Access) token.Pos { return a.Pos }
