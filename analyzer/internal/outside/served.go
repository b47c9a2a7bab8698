package outside

import "strings"

// Served returns a function that leads to another one, or is it, and that a server calls in a
// goroutine for each request, as its signature says; the nearest one by calls. Complexity: linear
// in the runs that lead there, which are bounded.
func (v *View) Served(fn Name) (Name, bool) {
	s, seen := v.s.solver, map[Name]bool{fn: true}
	for work := []Name{fn}; len(work) > 0; work = work[1:] {
		at := work[0]
		switch {
		case s.begin(at) == Main, v.assume && s.unused(at):
			continue
		case s.served[at] && !s.idle[at]:
			return at, true
		}
		for _, r := range s.runs[at] {
			if !seen[r.From] && len(seen) < maxWho {
				seen[r.From] = true
				work = append(work, r.From)
			}
		}
	}
	return "", false
}

// Short is a name with the package's own name in place of its path, for people.
func (n Name) Short() string {
	s := string(n)
	i := strings.LastIndexByte(s, '/')
	if i < 0 {
		return s
	}
	start := strings.TrimLeft(s, "(*")
	return s[:len(s)-len(start)] + s[i+1:]
}
