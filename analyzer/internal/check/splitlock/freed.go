package splitlock

import (
	"fmt"

	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// freed reports deletions of an object by the key that it knows, after its state
// has said that the key is free: what another goroutine has put there is deleted.
func freed(in *check.Input) []check.Finding {
	var out []check.Finding
	verdicts := in.Freed()
	for i := range verdicts {
		if v := &verdicts[i]; v.Reason == witness.NoReason {
			out = append(out, successor(in, v))
		}
	}
	return out
}

func successor(in *check.Input, v *witness.FreedVerdict) check.Finding {
	f, a, by, e := v.Func, v.Act, v.By, v.Evidence
	ap, bp := in.Named(a), in.At(by.Acc)
	name, mark := in.Name(a.Path), in.Name(v.Mark.Path)
	held, before := in.Guards.Plausible(f.Effective(a), a.Path), f.EffectiveState(v.Mark.Held)
	set := fmt.Sprintf("%s is set to %s", mark, v.Mark.State.Is)
	fd := check.Finding{
		Category: Category, Of: v, Pos: ap, Confidence: v.Confidence, Evidence: e.Text,
		Loc: a.Path.Location(), Func: f,
		Message: check.Fit(
			fmt.Sprintf("the entry of %s is deleted here%s, but %s at line %d before: %s can have replaced it in between", name, check.Via(a), set, in.Line(v.Mark.Pos), by.Func.Name),
			fmt.Sprintf("the entry of %s is deleted here, but %s at line %d before: another goroutine can have replaced it", name, set, in.Line(v.Mark.Pos)),
			fmt.Sprintf("the entry of %s is deleted here: another goroutine can have replaced it since line %d", name, in.Line(v.Mark.Pos))),
		Related: []check.Related{
			{Pos: v.Mark.Pos, Message: set + " here, which frees the key"},
			{Pos: bp, Message: "replaced here then, in " + by.Func.Name},
			{Pos: e.Pos, Message: e.Note},
		},
		Covers: []check.Pos{a.At(), ap},
		Trace: []check.Step{
			{Goroutine: "A", Role: finding.Look, Pos: v.Mark.Pos, Action: set, Locks: in.Locks(before)},
			{Goroutine: "B", Role: finding.Change, Pos: bp, Action: "another object is put in its place, in " + by.Func.Name, Locks: in.Locks(in.Guards.Plausible(by.Held, by.Acc.Path))},
			{Goroutine: "A", Role: finding.Act, Pos: ap, Action: "the entry of " + name + " is " + check.ActWord(a) + check.Via(a), Locks: in.Locks(held), Lost: true, Note: "it is B's"},
		},
	}
	fd.Related = append(fd.Related, check.Inside(a)...)
	return fd
}
