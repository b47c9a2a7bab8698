// Package syncmap reports check-then-act on concurrent maps: each method is
// atomic, two in a row are not.
package syncmap

import (
	"fmt"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
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
	pairs := in.Pairs()
	for i := range pairs {
		v := &pairs[i]
		if !v.Concurrent() {
			continue
		}
		c, a := in.At(v.Check), in.At(v.Act)
		f := check.Finding{
			Category: Category, Pos: a, Confidence: v.Confidence, Evidence: "a concurrent map is there to be shared",
			Loc: v.Act.Path.Location(), Func: v.Func, Trace: in.PairTrace(v),
			Message: fmt.Sprintf("%s and %s on %s are two steps: %s %s%s, %s here%s; %s (%s)",
				method(v.Check), method(v.Act), in.Name(v.Act.Path), check.CheckWord(v.Check), in.AtLine(c), check.Via(v.Check),
				check.ActWord(v.Act), check.Via(v.Act), check.Consequence(v), wants(v)),
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
	for _, pl := range in.Places {
		for i := range pl.Sites {
			s := &pl.Sites[i]
			if !s.Acc.Eager || s.Exempt || s.Imported() {
				continue
			}
			pos := in.At(s.Acc)
			out = append(out, check.Finding{
				Category: Category, Pos: pos, Confidence: sharing.Low, Evidence: "a concurrent map is there to be shared",
				Loc: pl.Loc, Func: s.Func,
				Message: fmt.Sprintf("%s on %s makes its value before it knows whether it is needed: when another goroutine was first, nobody closes it",
					method(s.Acc), in.Name(s.Acc.Path)),
				Covers: []check.Pos{pos},
				Trace: []check.Step{
					{Goroutine: "A", Pos: pos, Action: "makes its value and puts it into " + in.Name(s.Acc.Path)},
					{Goroutine: "B", Pos: pos, Action: "makes its value and finds A's in " + in.Name(s.Acc.Path), Note: "nobody closes B's", Lost: true},
				},
			})
		}
	}
	return out
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

func wants(v *witness.Verdict) string {
	switch {
	case v.Act.Op == access.Remove && v.Pair.Has(depend.Content):
		return "use CompareAndDelete"
	case v.Act.Op == access.Remove:
		return "use LoadAndDelete"
	case v.Pair.Has(depend.Data) && v.Pair.Has(depend.Content):
		return "use CompareAndSwap"
	}
	return "use LoadOrStore"
}
