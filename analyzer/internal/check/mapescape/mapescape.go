// Package mapescape reports guarded maps that leave their critical section as
// they are (returned, stored elsewhere, sent), so that others touch them without
// the guard.
package mapescape

import (
	"fmt"

	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/guard"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// Category is the rule's name.
const Category = "map-escape"

// Rule is the rule.
type Rule struct{}

// Category implements [check.Rule].
func (Rule) Category() string { return Category }

// Find implements [check.Rule]. A returned map is reported when other
// packages can call the function and the map is changed in place after it is
// published; a map that is only ever replaced as a whole is a snapshot.
func (Rule) Find(in *check.Input) []check.Finding {
	var out []check.Finding
	verdicts := in.Accesses()
	for i := range verdicts {
		v := &verdicts[i]
		if v.Kind != witness.Leaves || v.Reason != witness.NoReason {
			continue
		}
		s, e := v.Site, v.Evidence
		out = append(out, check.Finding{
			Category: Category, Of: v, Pos: s.Acc.Pos, Confidence: v.Confidence, Evidence: e.Text,
			Loc: v.Place.Loc, Func: s.Func,
			Message: message(in, s, v.Guard),
			Trace:   trace(in, s),
			Related: []check.Related{{Pos: e.Pos, Message: e.Note}},
			Covers:  []check.Pos{s.Acc.Pos},
		})
	}
	return out
}

func message(in *check.Input, s *infer.Site, g *guard.Guard) string {
	name := in.Name(s.Acc.Path)
	if s.Acc.Op == access.Return {
		return check.Fit(
			fmt.Sprintf("%s is returned itself, not a copy: callers use it without %s, which protects it", name, g.Lock.Name()),
			name+" is returned itself, not a copy")
	}
	what := fmt.Sprintf("%s is passed on itself%s, not a copy", name, check.Via(s.Acc))
	return check.Fit(what+fmt.Sprintf(": it is used without %s, which protects it", g.Lock.Name()), what)
}

// trace shows the map leaving, and a goroutine that changes it meanwhile.
func trace(in *check.Input, s *infer.Site) []check.Step {
	name := in.Name(s.Acc.Path)
	steps := []check.Step{
		{Goroutine: "A", Role: finding.Leave, Pos: in.At(s.Acc), Action: name + " itself leaves the critical section", Locks: in.Locks(in.Guards.Plausible(s.Held, s.Acc.Path))},
		{Goroutine: "A", Role: finding.Use, Pos: in.At(s.Acc), Action: "the caller reads " + name + " without a lock"},
	}
	if w := in.Writer(s.Acc, s.Func); w != nil {
		steps = append(steps, check.Step{
			Goroutine: "B", Role: finding.Access, Pos: in.At(w.Acc), Action: in.Name(w.Acc.Path) + " is " + check.ActWord(w.Acc) + " at the same time, in " + w.Func.Name,
			Locks: in.Locks(in.Guards.Plausible(w.Held, w.Acc.Path)), Note: check.Collision(access.Range, w.Acc.Op),
		})
	}
	return steps
}
