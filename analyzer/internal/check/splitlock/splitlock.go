// Package splitlock reports acts that depend on a check of the same map where
// both are locked, but in different critical sections. The race detector
// cannot see these.
package splitlock

import (
	"fmt"

	"github.com/mapguard/mapguard/analyzer/internal/check"
)

// Category is the rule's name.
const Category = "split-lock"

// Rule is the rule.
type Rule struct{}

// Category implements [check.Rule].
func (Rule) Category() string { return Category }

// Find implements [check.Rule]. The primary position is the act: that is
// where the second look must stand.
func (Rule) Find(in *check.Input) []check.Finding {
	var out []check.Finding
	for _, v := range in.Pairs() {
		if v.Unlocked() || v.Concurrent() {
			continue
		}
		c, a := in.Named(v.Check), in.Named(v.Act)
		f := check.Finding{
			Category: Category, Of: v, Pos: a, Confidence: v.Confidence, Evidence: v.Evidence.Text,
			Loc: v.Act.Path.Location(), Func: v.Func, Trace: in.PairTrace(v),
			Message: in.Split(v, c),
			Related: []check.Related{
				{Pos: c, Message: fmt.Sprintf("%s here %s", check.CheckWord(v.Check), in.Under(v.CheckLocks))},
			},
			Covers: []check.Pos{v.Check.At(), v.Act.At(), c, a},
		}
		if !f.Loc.Valid() {
			f.Place = in.Name(v.Act.Path)
		}
		if pos := in.Between(v); pos.IsValid() {
			f.Related = append(f.Related, check.Related{Pos: pos, Message: "released in between"})
		}
		f.Related = append(f.Related, check.Inside(v.Check, v.Act)...)
		f.Related = append(f.Related, check.Related{Pos: v.Evidence.Pos, Message: v.Evidence.Note})
		out = append(out, f)
	}
	return append(append(out, inner(in)...), freed(in)...)
}
