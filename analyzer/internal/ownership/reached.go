package ownership

import "github.com/mapguard/mapguard/analyzer/internal/accesspath"

// A reached is a path of an object that goroutines reach, at some fields.
type reached struct {
	path   accesspath.Path
	fields Fields
}

// mergeAt joins what is reached; both lists are by the paths' numbers.
func mergeAt(a, b []reached) []reached {
	if len(a) == 0 {
		return b
	}
	if includes(a, b) {
		return a
	}
	out := make([]reached, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch order := a[0].path.ID() - b[0].path.ID(); {
		case order < 0:
			out, a = append(out, a[0]), a[1:]
		case order > 0:
			out, b = append(out, b[0]), b[1:]
		default:
			out = append(out, reached{a[0].path, a[0].fields.Union(b[0].fields)})
			a, b = a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// includes reports whether a says all that b does.
func includes(a, b []reached) bool {
	i := 0
	for _, r := range b {
		for i < len(a) && a[i].path.ID() < r.path.ID() {
			i++
		}
		if i == len(a) || a[i].path != r.path || !a[i].fields.includes(r.fields) {
			return false
		}
	}
	return true
}
