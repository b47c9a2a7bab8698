// Package goroutinerace reports maps that a goroutine started in the code at
// hand changes while another one looks at them or changes them, with no lock
// that both hold. A local map that the goroutine gets is shared, too.
package goroutinerace

import (
	"fmt"
	"go/token"

	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// Category is the rule's name.
const Category = "goroutine-race"

// Rule is the rule.
type Rule struct{}

// Category implements [check.Rule].
func (Rule) Category() string { return Category }

// Find implements [check.Rule]. The primary position is the goroutine's
// access. Of one map in one starter, one meeting is reported. Shared fields
// and variables with a guard are left to the rules that know guards.
func (Rule) Find(in *check.Input) []check.Finding {
	var out []check.Finding
	verdicts := in.Races()
	for i := range verdicts {
		if v := &verdicts[i]; v.Reason == witness.NoReason {
			out = append(out, diagnose(in, v))
		}
	}
	return out
}

func diagnose(in *check.Input, m *witness.RaceVerdict) check.Finding {
	a := m.A
	pos, with, where := a.At(), "the other goroutines that this loop starts", a.Thread.Start
	otherPos, doing := token.NoPos, ""
	switch {
	case a.Thread.Handler():
		with = "the other calls of this handler"
	case a.Thread.Registered:
		with = "the other calls of what is registered here"
	case !a.Thread.Looped():
		with = "another goroutine like it"
	}
	if m.Local() && !a.Func.IsLiteral() {
		pos = a.Thread.Start // the helper does not know that its map is shared
	}
	switch {
	case m.Own != nil:
		otherPos, doing = in.At(m.Own), check.Doing(m.Own)
		with = m.Starter.Name + ", which goes on meanwhile"
	case m.B != nil && m.B.Thread.Start != a.Thread.Start:
		otherPos, doing = m.B.At(), check.Doing(&access.Access{Op: m.B.Op})
		with, where = "another goroutine", m.B.Thread.Start
	case m.B != nil && m.B.At() != a.At():
		switch {
		case a.Thread.Handler():
			with = "another handler"
		case !a.Thread.Looped() && m.B.Func != a.Func:
			with = "another goroutine"
		}
		otherPos, doing = m.B.At(), check.Doing(&access.Access{Op: m.B.Op})
	}
	op := &access.Access{Op: a.Op}
	name := in.Name(a.Path)
	short := fmt.Sprintf("%s is %s in a goroutine %s", name, check.Doing(op), in.Under(a.Held))
	f := check.Finding{
		Category: Category, Of: m, Pos: pos, Confidence: m.Confidence, Loc: a.Path.Location(), Func: a.Func,
		Evidence: m.Evidence.Text,
		Message:  check.Fit(fmt.Sprintf("%s, at the same time as %s", short, with), short),
		Related:  []check.Related{{Pos: a.Thread.Start, Message: a.Thread.Begins()}, {Pos: a.At(), Message: check.Doing(op) + " here"}},
		Covers:   []check.Pos{pos, a.At(), otherPos},
		Trace: []check.Step{
			{Goroutine: "A", Role: finding.Access, Pos: a.At(), Action: name + " is " + check.Doing(op)},
		},
	}
	if !f.Loc.Valid() {
		f.Place = name
	}
	second := check.Step{Goroutine: "B", Role: finding.Access, Pos: a.At(), Action: name + " is " + check.Doing(op) + " at the same time", Note: check.Collision(a.Op, a.Op)}
	if otherPos.IsValid() {
		f.Related = append(f.Related, check.Related{Pos: otherPos, Message: doing + " here at the same time"})
		second.Pos, second.Action = otherPos, name+" is "+doing+" at the same time"
		second.Note = check.Collision(a.Op, otherOp(m))
	}
	if where != a.Thread.Start {
		f.Related = append(f.Related, check.Related{Pos: where, Message: "the other goroutine is started here"})
	}
	f.Trace = append(f.Trace, second)
	return f
}

// otherOp is what the other goroutine does.
func otherOp(m *witness.RaceVerdict) access.Op {
	switch {
	case m.Own != nil:
		return m.Own.Op
	case m.B != nil:
		return m.B.Op
	}
	return m.A.Op
}
