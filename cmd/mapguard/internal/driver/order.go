package driver

import (
	"cmp"

	"github.com/mapguard/mapguard/analyzer/finding"
)

func compare(a, b finding.Finding) int {
	return cmp.Or(
		cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Offset, b.Pos.Offset),
		cmp.Compare(a.Category, b.Category), cmp.Compare(a.Message, b.Message),
	)
}

// same reports whether two findings are one, seen in two builds of a package.
func same(a, b finding.Finding) bool { return compare(a, b) == 0 }
