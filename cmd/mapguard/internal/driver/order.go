package driver

import (
	"cmp"
	"slices"

	"github.com/mapguard/mapguard/analyzer/finding"
)

// Compare orders findings by place, category and message.
func Compare(a, b finding.Finding) int {
	return cmp.Or(
		cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Offset, b.Pos.Offset),
		cmp.Compare(a.Category, b.Category), cmp.Compare(a.Message, b.Message),
	)
}

// sorted returns the findings in order, each once.
func sorted(findings []finding.Finding) []finding.Finding {
	slices.SortFunc(findings, Compare)
	return slices.CompactFunc(findings, same)
}

// same reports whether two findings are one, seen in two builds of a package.
func same(a, b finding.Finding) bool { return Compare(a, b) == 0 }
