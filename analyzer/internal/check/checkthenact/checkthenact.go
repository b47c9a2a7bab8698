// Package checkthenact reports acts that depend on a check of the same map
// where no lock is held at one of them or at both.
package checkthenact

import (
	"fmt"

	"github.com/mapguard/mapguard/analyzer/internal/check"
)

// Category is the rule's name.
const Category = "check-then-act"

// Rule is the rule.
type Rule struct{}

// Category implements [check.Rule].
func (Rule) Category() string { return Category }

// Find implements [check.Rule]. The primary position is the check: that is
// where the critical section must begin.
func (Rule) Find(in *check.Input) []check.Finding {
	var out []check.Finding
	for _, v := range in.Pairs() {
		if !v.Unlocked() || v.Concurrent() {
			continue
		}
		c, a := in.Named(v.Check), in.Named(v.Act)
		f := check.Finding{
			Category: Category, Of: v, Pos: c, Confidence: v.Confidence, Evidence: v.Evidence.Text,
			Loc: v.Act.Path.Location(), Func: v.Func, Trace: in.PairTrace(v),
			Message: in.Unlocked(v),
			Related: []check.Related{
				{Pos: a, Message: fmt.Sprintf("%s here %s", check.Doing(v.Act), in.Under(v.ActLocks))},
			},
			Covers: []check.Pos{v.Check.At(), v.Act.At(), c, a},
			Whole:  len(v.CheckLocks) == 0 && len(v.ActLocks) == 0,
		}
		if f.Whole {
			f.Cause, f.Together = in.Lockless(f.Loc)
		}
		f.Related = append(f.Related, check.Inside(v.Check, v.Act)...)
		f.Related = append(f.Related, check.Related{Pos: v.Evidence.Pos, Message: v.Evidence.Note})
		out = append(out, f)
	}
	return out
}
