package driver

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mapguard/mapguard/analyzer/finding"
)

// problems returns the errors of all packages in sight, each once.
func problems(roots []*packages.Package) []Problem {
	seen := make(map[Problem]bool)
	var out []Problem
	packages.Visit(roots, nil, func(p *packages.Package) {
		for _, err := range p.Errors {
			if strings.HasPrefix(err.Msg, "# ") && len(p.TypeErrors) > 0 {
				continue // the compiler says again what the type checker says
			}
			pr := Problem{Pos: strings.TrimPrefix(err.Pos, "-"), Message: oneLine(err.Msg)}
			if !seen[pr] {
				seen[pr] = true
				out = append(out, pr)
			}
		}
	})
	slices.SortFunc(out, Problem.compare)
	return out
}

func (p Problem) compare(q Problem) int {
	return cmp.Or(cmp.Compare(p.Pos, q.Pos), cmp.Compare(p.Message, q.Message))
}

// oneLine joins the lines of a message of the go command.
func oneLine(s string) string {
	var lines []string
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "; ")
}

func compare(a, b finding.Finding) int {
	return cmp.Or(
		cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Offset, b.Pos.Offset),
		cmp.Compare(a.Category, b.Category), cmp.Compare(a.Message, b.Message),
	)
}

// same reports whether two findings are one, seen in two builds of a package.
func same(a, b finding.Finding) bool { return compare(a, b) == 0 }
