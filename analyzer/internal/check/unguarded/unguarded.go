// Package unguarded reports accesses of a location without its guard, and
// accesses of shared locations that have no guard at all.
package unguarded

import (
	"fmt"
	"go/types"

	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// Category is the rule's name.
const Category = "unguarded-access"

// Rule is the rule.
type Rule struct{}

// Category implements [check.Rule].
func (Rule) Category() string { return Category }

// Find implements [check.Rule]. Where the map has no guard, the evidence says
// why it needs one.
func (Rule) Find(in *check.Input) []check.Finding {
	var out []check.Finding
	verdicts := in.Accesses()
	for i := range verdicts {
		if v := &verdicts[i]; v.Reason == witness.NoReason && v.Kind == witness.Used {
			out = append(out, finding(in, v))
		}
	}
	return append(out, blamed(in)...)
}

func finding(in *check.Input, v *witness.AccessVerdict) check.Finding {
	s := v.Site
	pos := in.Named(s.Acc)
	f := check.Finding{
		Category: Category, Of: v, Pos: pos, Confidence: v.Confidence, Evidence: v.Evidence.Text,
		Loc: v.Place.Loc, Func: s.Func,
		Related: append(check.Inside(s.Acc), check.Related{Pos: v.Evidence.Pos, Message: v.Evidence.Note}),
		Covers:  []check.Pos{pos},
		Trace:   in.AccessTrace(s.Func, s.Acc, v.Locks),
	}
	name, doing := in.Name(s.Acc.Path), check.Doing(s.Acc)
	if g := v.Guard; g != nil {
		f.Message = check.Fit(fmt.Sprintf("%s is %s without %s", name, doing, g.Lock.Name()), name+" is "+doing+" without the lock that protects it")
		f.Cause = in.Guards.Describe(g.Lock)
		return f
	}
	if r := v.Rival; r != nil {
		what := fmt.Sprintf("%s is %s under %s", name, doing, in.LockNames(v.Locks))
		other := fmt.Sprintf("%s under %s", check.Doing(r.Acc), in.LockNames(in.Guards.Plausible(r.Held, r.Acc.Path)))
		f.Message = check.Fit(fmt.Sprintf("%s, and %s %s: no lock is held at both", what, other, in.AtLine(in.Named(r.Acc), in.Named(s.Acc))), what+", and elsewhere under another lock", what)
		f.Covers = append(f.Covers, r.Acc.At())
		return f
	}
	what := fmt.Sprintf("%s is %s without a lock", name, doing)
	f.Message = check.Fit(what+", and no lock protects it", what)
	if lock, n, all := elsewhere(in, v.Place); lock != nil {
		f.Message = check.Fit(fmt.Sprintf("%s; %s is held at %d of %d accesses", what, lock.Name(), n, all), what)
	}
	f.Cause, f.Together = in.Lockless(v.Place.Loc)
	return f
}

// elsewhere returns the lock by the map that most of its accesses hold, though it
// is not known as its guard, if at least two of them do: the map is not meant to
// do without one. Of two locks that are held as often, the first counts.
func elsewhere(in *check.Input, pl *infer.Place) (lock *types.Var, held, all int) {
	votes := make(map[*types.Var]int)
	for i := range pl.Sites {
		s := &pl.Sites[i]
		if s.Exempt || s.Acc.Joined || !s.Acc.Op.Uses() {
			continue
		}
		all++
		for _, h := range witness.Near(in.Guards.Plausible(s.Held, s.Acc.Path), s.Acc.Path) {
			v := h.Lock.Location().Var
			if v == nil {
				continue
			}
			if votes[v]++; votes[v] > held {
				lock, held = v, votes[v]
			}
		}
	}
	if held < 2 {
		return nil, 0, 0
	}
	return lock, held, all
}

func because(b *infer.Blame) string {
	switch {
	case b.Locks == nil:
		return "its name or documentation asks for it"
	case b.Declined:
		return "it tells the callee not to take it"
	}
	return "its other callers do"
}

func needs(in *check.Input, v *witness.CallVerdict) string {
	what := fmt.Sprintf("%s needs %s for %s, which this call does not hold", v.Blame.Callee.Name, v.Lock.Name(), in.Name(v.Act.Path))
	return check.Fit(what+"; "+because(v.Blame), what, v.Blame.Callee.Name+" needs a lock that this call does not hold")
}

// blamed reports the calls that lack a lock which their callee needs.
func blamed(in *check.Input) []check.Finding {
	var out []check.Finding
	verdicts := in.Calls()
	for i := range verdicts {
		v := &verdicts[i]
		if v.Reason != witness.NoReason || v.Blame.Read {
			continue
		}
		b, a := v.Blame, v.Act
		out = append(out, check.Finding{
			Category: Category, Of: v, Pos: b.Pos, Confidence: v.Confidence, Evidence: v.Evidence.Text,
			Loc: a.Path.Location(), Func: b.Caller,
			Message: needs(in, v),
			Related: []check.Related{{Pos: a.Pos, Message: check.Doing(a) + " here"}, {Pos: v.Evidence.Pos, Message: v.Evidence.Note}},
			Covers:  []check.Pos{b.Pos},
			Trace:   in.AccessTrace(b.Callee, a, nil),
		})
	}
	return out
}
