package splitlock

import (
	"fmt"

	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// inner reports changes of an object that a map holds, which are lost when the
// object is taken out of the map in between.
func inner(in *check.Input) []check.Finding {
	var out []check.Finding
	verdicts := in.Entries()
	for i := range verdicts {
		if v := &verdicts[i]; v.Reason == witness.NoReason {
			out = append(out, lost(in, v))
		}
	}
	return out
}

// lostMessage says why the object may not be in the map any more: the lock of the look has been released, or
// there is none that keeps out who deletes entries.
func lostMessage(in *check.Input, v *witness.EntryVerdict, locks []locks.Held) string {
	c, a, out := v.Look, v.Act, v.Out
	name, entry, line := in.Name(a.Path), in.Name(a.Path.Entry()), in.Line(in.Named(c))
	is := name + " is " + check.ActWord(a) + " here"
	if len(locks) == 0 || in.Unbroken(v.Func, c, a) {
		return check.Fit(
			fmt.Sprintf("%s%s, but nothing keeps %s from deleting %s, which was read at line %d", is, check.Via(a), out.Func.Name, entry, line),
			fmt.Sprintf("%s, but nothing keeps %s from deleting the entry of line %d", is, out.Func.Name, line),
			fmt.Sprintf("%s, but the entry of line %d can be deleted in between", is, line))
	}
	return check.Fit(
		fmt.Sprintf("%s%s, but the lock under which %s was read at line %d has been released: %s can delete it in between", is, check.Via(a), entry, line, out.Func.Name),
		fmt.Sprintf("%s after the lock of line %d has been released: %s can delete the entry in between", is, line, out.Func.Name),
		fmt.Sprintf("%s after the lock of line %d has been released", is, line))
}

func lost(in *check.Input, v *witness.EntryVerdict) check.Finding {
	f, c, a, out, e := v.Func, v.Look, v.Act, v.Out, v.Evidence
	cp, ap := in.Named(c), in.Named(a)
	locks := in.Guards.Plausible(f.Effective(c), c.Path)
	held := f.Effective(a)
	name, entry := in.Name(a.Path), in.Name(a.Path.Entry())
	fd := check.Finding{
		Category: Category, Of: v, Pos: ap, Confidence: v.Confidence, Evidence: e.Text,
		Loc: a.Path.Location(), Func: f,
		Message: lostMessage(in, v, locks),
		Related: []check.Related{
			{Pos: cp, Message: check.CheckWord(c) + " here " + in.Under(locks)},
			{Pos: in.At(out.Acc), Message: check.ActWord(out.Acc) + " here, in " + out.Func.Name},
			{Pos: e.Pos, Message: e.Note},
		},
		Covers: []check.Pos{a.At(), ap},
		// One look gives the object: a lock held from there on keeps all changes of it.
		Cause: fmt.Sprint(entry, " of line ", in.Line(cp)),
		Trace: []check.Step{
			{Goroutine: "A", Role: finding.Look, Pos: cp, Action: in.Name(c.Path) + " is " + check.CheckWord(c) + check.Via(c) + ": found", Locks: in.Locks(locks)},
			{Goroutine: "B", Role: finding.Change, Pos: in.At(out.Acc), Action: "the entry of " + in.Name(out.Acc.Path) + " is " + check.ActWord(out.Acc) + ", in " + out.Func.Name, Locks: in.Locks(in.Guards.Plausible(out.Held, out.Acc.Path))},
			{Goroutine: "A", Role: finding.Act, Pos: ap, Action: name + " is " + check.ActWord(a) + check.Via(a), Locks: in.Locks(held), Lost: true, Note: "in an object that the map no longer holds"},
		},
	}
	fd.Related = append(fd.Related, check.Inside(c, a)...)
	return fd
}
