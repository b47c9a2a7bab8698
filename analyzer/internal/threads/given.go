package threads

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
)

// given returns what is held in a function that was entered with these arguments:
// where they are constants, the cases that they rule out do not happen.
func given(s locks.State, at *stop) locks.State {
	if !s.Conditional() {
		return s
	}
	return s.Map(locks.Subst{
		Lock: func(p accesspath.Path) accesspath.Path { return p },
		Cond: func(c locks.Cond) (locks.Cond, locks.Verdict) {
			r := c.Val.Root()
			onParam := c.Result == 0 && r.Kind == accesspath.Param && r.Fn == at.g.Key && c.Val.Depth() == 0
			if !onParam || c.Test != locks.True || r.Index >= len(at.args) {
				return c, locks.If
			}
			switch arg := at.args[r.Index].Root(); {
			case arg.Kind != accesspath.Const:
				return c, locks.If
			case (arg.Const == "true") != c.Holds:
				return c, locks.Never
			}
			return c, locks.Unknown
		},
		Section: func(s locks.Section) locks.Section { return s },
	})
}

// common returns the locks that both sets have, in the weaker mode.
func common(a, b []locks.Held) []locks.Held {
	var out []locks.Held
	for _, h := range a {
		if i := slices.IndexFunc(b, func(o locks.Held) bool { return o.Lock == h.Lock }); i >= 0 {
			h.Mode = min(h.Mode, b[i].Mode)
			out = append(out, h)
		}
	}
	return out
}
