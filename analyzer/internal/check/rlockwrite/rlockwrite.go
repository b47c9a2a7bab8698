// Package rlockwrite reports maps that are changed while their guard is held
// only for reading: other readers hold it too.
package rlockwrite

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// Category is the rule's name.
const Category = "rlock-write"

// Rule is the rule.
type Rule struct{}

// Category implements [check.Rule].
func (Rule) Category() string { return Category }

// Find implements [check.Rule]. A write under a read lock is reported unless
// another lock that can protect the map is held for writing.
func (Rule) Find(in *check.Input) []check.Finding {
	var out []check.Finding
	verdicts := in.Accesses()
	for i := range verdicts {
		v := &verdicts[i]
		if v.Kind != witness.ReadLocked || v.Reason != witness.NoReason {
			continue
		}
		s, e, locks := v.Site, v.Evidence, v.Locks
		pos := in.Named(s.Acc)
		out = append(out, check.Finding{
			Category: Category, Of: v, Pos: pos, Confidence: v.Confidence,
			Evidence: evidence(locks),
			Loc:      v.Place.Loc, Func: s.Func, Cause: cause(in, locks),
			Message: message(in, s.Acc, "", locks),
			Related: append(check.Inside(s.Acc), check.Related{Pos: e.Pos, Message: e.Note}),
			Covers:  []check.Pos{pos, s.Acc.At()},
			Trace:   in.AccessTrace(s.Func, s.Acc, locks),
		})
	}
	out = append(out, calls(in)...)
	// The first of a function stands for those that one change does away with, too.
	slices.SortStableFunc(out, func(a, b check.Finding) int { return cmp.Compare(a.Pos, b.Pos) })
	return out
}

// calls reports the calls under the read lock of functions that most others call
// under the write lock.
func calls(in *check.Input) []check.Finding {
	var out []check.Finding
	verdicts := in.Calls()
	for i := range verdicts {
		v := &verdicts[i]
		if v.Reason != witness.NoReason || !v.Blame.Read {
			continue
		}
		b, a := v.Blame, v.Act
		held := in.Guards.Plausible(b.Locks, a.Path)
		out = append(out, check.Finding{
			Category: Category, Of: v, Pos: b.Pos, Confidence: v.Confidence,
			Evidence: evidence(held),
			Loc:      a.Path.Location(), Func: b.Caller, Cause: cause(in, held),
			Message: message(in, a, " in "+b.Callee.Name+", called here", held),
			Related: []check.Related{{Pos: in.At(a), Message: check.ActWord(a) + " here"}, {Pos: v.Evidence.Pos, Message: v.Evidence.Note}},
			Covers:  []check.Pos{b.Pos},
			Trace:   in.AccessTrace(b.Callee, a, held),
		})
	}
	return out
}

// cause is the one lock that the function holds for reading, whatever it changes under it: the write lock
// in its place is one change.
func cause(in *check.Input, held []locks.Held) string {
	if len(held) != 1 || check.OneHold(held) {
		return ""
	}
	return in.Name(held[0].Lock)
}

// evidence says why the locks do not keep out others.
func evidence(held []locks.Held) string {
	if check.OneHold(held) {
		return "who starts the goroutines holds the lock for all of them"
	}
	return "a read lock is for several goroutines at a time"
}

func message(in *check.Input, a *access.Access, where string, held []locks.Held) string {
	what := fmt.Sprintf("%s is %s%s %s", in.Name(a.Path), check.ActWord(a), where, in.Under(held))
	if check.OneHold(held) {
		return check.Fit(what+", which does not keep the goroutines apart", what)
	}
	return check.Fit(what+", which other goroutines can hold at the same time", what)
}
