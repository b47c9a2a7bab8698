// Package syncmap reports check-then-act on concurrent maps: each method is
// atomic, two in a row are not.
package syncmap

import (
	"fmt"

	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// Category is the rule's name.
const Category = "sync-map"

// Rule is the rule.
type Rule struct{}

// Category implements [check.Rule].
func (Rule) Category() string { return Category }

// Find implements [check.Rule].
func (Rule) Find(in *check.Input) []check.Finding {
	var out []check.Finding
	for _, v := range in.Pairs() {
		if !v.Concurrent() {
			continue
		}
		c, a := in.At(v.Check), in.At(v.Act)
		f := check.Finding{
			Category: Category, Of: v, Pos: a, Confidence: v.Confidence, Evidence: witness.ConcurrentMap,
			Loc: v.Act.Path.Location(), Func: v.Func, Trace: in.PairTrace(v),
			Message: message(in, v, c),
			Related: append([]check.Related{{Pos: c, Message: check.CheckWord(v.Check) + " here"}}, check.Inside(v.Check, v.Act)...),
			Covers:  []check.Pos{v.Check.At(), v.Act.At(), c, a},
		}
		out = append(out, f)
	}
	return append(out, eager(in)...)
}

// eager notes atomic inserts of resources that are made in any case: the
// loser's is neither used nor closed.
func eager(in *check.Input) []check.Finding {
	var out []check.Finding
	verdicts := in.Accesses()
	for i := range verdicts {
		v := &verdicts[i]
		if v.Kind != witness.MadeAnyway || v.Reason != witness.NoReason {
			continue
		}
		s := v.Site
		pos := in.At(s.Acc)
		out = append(out, check.Finding{
			Category: Category, Of: v, Pos: pos, Confidence: v.Confidence, Evidence: witness.ConcurrentMap,
			Loc: v.Place.Loc, Func: s.Func,
			Message: fmt.Sprintf("%s on %s makes its value in any case: when another goroutine was first, the second value is never closed",
				method(s.Acc), in.Name(s.Acc.Path)),
			Covers: []check.Pos{pos},
			Trace: []check.Step{
				{Goroutine: "A", Role: finding.Act, Pos: pos, Action: "makes its value and puts it into " + in.Name(s.Acc.Path)},
				{Goroutine: "B", Role: finding.Act, Pos: pos, Action: "makes its value and finds A's in " + in.Name(s.Acc.Path), Note: "B's is never closed", Lost: true},
			},
		})
	}
	return out
}

func message(in *check.Input, v *witness.Verdict, c check.Pos) string {
	steps := fmt.Sprintf("%s %s and %s here on %s", method(v.Check), in.AtLine(c, in.Named(v.Act)), method(v.Act), in.Name(v.Act.Path))
	harm := in.Consequence(v)
	return check.Fit(
		steps+" are two steps: "+harm+"; "+wants(in, v),
		steps+": "+harm+"; "+wants(in, v),
		steps+" are two steps; "+wants(in, v))
}

func method(a *access.Access) string {
	if a.Method != "" && a.InnerFunc == "" {
		return a.Method
	}
	switch a.Op {
	case access.Load:
		return "Load"
	case access.Visit:
		return "Range"
	case access.Store:
		return "Store"
	case access.Remove:
		return "Delete"
	}
	return "access"
}

func wants(in *check.Input, v *witness.Verdict) string {
	if one := v.OneStep(in.Pkg.Types.GoVersion()); one != "" {
		return "use " + one
	}
	return "hold a mutex across both"
}
