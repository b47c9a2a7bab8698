package threads

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
)

// given returns what is held in a function that was entered with these arguments:
// where they are constants, the cases that they rule out do not happen.
func given(s locks.State, at *stop) locks.State {
	if !slices.ContainsFunc(at.args, accesspath.Path.InConst) {
		return s
	}
	decided := func(c locks.Cond) bool { return at.decides(c) != locks.If }
	if !slices.ContainsFunc(s.Cases(), func(c locks.Case) bool { return slices.ContainsFunc(c.When, decided) }) {
		return s
	}
	return s.Map(locks.Subst{
		Lock:    func(p accesspath.Path) accesspath.Path { return p },
		Cond:    func(c locks.Cond) (locks.Cond, locks.Verdict) { return c, at.decides(c) },
		Section: func(s locks.Section) locks.Section { return s },
	})
}

// decides tells what the arguments make of a condition.
func (s *stop) decides(c locks.Cond) locks.Verdict {
	r := c.Val.Root()
	if !onParam(c, s.g) || r.Index >= len(s.args) {
		return locks.If
	}
	switch arg := s.args[r.Index].Root(); {
	case arg.Kind != accesspath.Const:
		return locks.If
	case (arg.Const == "true") != c.Holds:
		return locks.Never
	}
	return locks.Unknown
}

// onParam reports whether a condition is the truth of a parameter.
func onParam(c locks.Cond, f *infer.Func) bool {
	if c.Result != 0 || c.Test != locks.True || c.Val.Depth() != 0 {
		return false
	}
	r := c.Val.Root()
	return r.Kind == accesspath.Param && r.Fn == f.Key
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
