package driver

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mapguard/mapguard/analyzer/finding"
)

// problems returns the errors of all packages in sight. The go command, the
// parser and the type checker may each have something to say of one place: the
// first of them is believed.
func problems(dir string, roots []*packages.Package) []Problem {
	best := make(map[string]packages.Error) // by place
	var out []Problem
	packages.Visit(roots, nil, func(p *packages.Package) {
		for _, err := range p.Errors {
			file, place, ok := strings.Cut(err.Pos, ".go:")
			if !ok {
				if !strings.HasPrefix(err.Msg, "# ") || len(p.Errors) == 1 {
					out = append(out, Problem{Message: message(err.Msg)})
				} // else the compiler says again what the type checker says
				continue
			}
			if !filepath.IsAbs(file) {
				file = filepath.Join(dir, file)
			}
			place = file + ".go:" + place
			if old, ok := best[place]; !ok || rank(err) < rank(old) {
				best[place] = err
			}
		}
	})
	for place, err := range best {
		out = append(out, Problem{place, oneLine(err.Msg)})
	}
	slices.SortFunc(out, Problem.compare)
	return slices.Compact(out)
}

func rank(err packages.Error) int {
	return slices.Index([]packages.ErrorKind{packages.ListError, packages.ParseError, packages.TypeError, packages.UnknownError}, err.Kind)
}

func (p Problem) compare(q Problem) int {
	return cmp.Or(cmp.Compare(p.Pos, q.Pos), cmp.Compare(p.Message, q.Message))
}

// message is what the go command says of no place, with the mend that it leaves
// out.
func message(s string) string {
	s = oneLine(s)
	if strings.Contains(s, "directory prefix") || strings.Contains(s, "go.mod file not found") {
		s += ": run in the directory of the module, or name it with -C"
	}
	return s
}

// oneLine joins the lines of a message of the go command.
func oneLine(s string) string {
	var lines []string
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.ReplaceAll(strings.Join(lines, "; "), ":; ", ": ")
}

func compare(a, b finding.Finding) int {
	return cmp.Or(
		cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Offset, b.Pos.Offset),
		cmp.Compare(a.Category, b.Category), cmp.Compare(a.Message, b.Message),
	)
}

// same reports whether two findings are one, seen in two builds of a package.
func same(a, b finding.Finding) bool { return compare(a, b) == 0 }

// String returns the problem as the compiler writes it.
func (p Problem) String() string {
	if p.Pos == "" {
		return p.Message
	}
	return p.Pos + ": " + p.Message
}
