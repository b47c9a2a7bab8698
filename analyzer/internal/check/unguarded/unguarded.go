// Package unguarded reports accesses of a location without its guard, and
// accesses of shared locations that have no guard at all.
package unguarded

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/guard"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/lockset"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
)

// Category is the rule's name.
const Category = "unguarded-access"

// Rule is the rule.
type Rule struct{}

// Category implements [check.Rule].
func (Rule) Category() string { return Category }

// Find implements [check.Rule].
func (Rule) Find(in *check.Input) []check.Finding {
	var out []check.Finding
	for _, pl := range in.Places {
		if g := in.Guards.Of(pl.Loc); g != nil {
			out = append(out, withGuard(in, pl, g)...)
		} else {
			out = append(out, withoutGuard(in, pl)...)
		}
	}
	return append(out, blamed(in)...)
}

// counts reports whether an access needs a lock at all.
func counts(s *infer.Site) bool {
	return !s.Exempt && !s.Acc.Joined && !s.Acc.Op.Concurrent() && s.Acc.Op.Uses() && (!s.Func.Doc.CallerLocks || len(s.Held) > 0)
}

// withGuard reports the accesses that do not hold the guard. Nothing is
// reported of a map that is never changed once it is published; and where the
// guard is only inferred, another lock that can protect the map is believed.
func withGuard(in *check.Input, pl *infer.Place, g *guard.Guard) []check.Finding {
	if !changed(pl) && g.Writes == 0 {
		return nil
	}
	var out []check.Finding
	for i := range pl.Sites {
		s := &pl.Sites[i]
		if !counts(s) || s.Imported() {
			continue
		}
		if _, ok := in.Guards.Holds(g, s.Held, s.Acc.Path); ok {
			continue
		}
		if in.Snapshot(pl.Loc) && !s.Acc.Op.Writes() && afterGuarded(in, g, s) {
			continue // looks at a snapshot that was fetched or made under the guard
		}
		if len(in.Guards.Plausible(s.Held, s.Acc.Path)) > 0 && g.How == guard.Used {
			continue
		}
		e := in.Judge.Of(pl)
		f := finding(in, pl, s, e)
		f.Message = fmt.Sprintf("%s is %s without %s, which protects it%s",
			in.Name(s.Acc.Path), check.Doing(s.Acc), g.Lock.Name(), votes(g))
		if f.Confidence == sharing.High && s.Func.Doc.Public && in.Judge.CallersHold(s.Func, holding(in, g)) {
			f.Confidence = sharing.Medium // all that is known to call it holds the guard
		}
		if g.How == guard.Used && !s.Acc.Op.Writes() && 2*g.Held < g.Total {
			f.Confidence = sharing.Low // most do without: something else orders them
		}
		out = append(out, f)
	}
	return out
}

// holding tells whether locks that a caller holds are the guard.
func holding(in *check.Input, g *guard.Guard) func(*infer.Func, []lockset.Held) bool {
	return func(_ *infer.Func, held []lockset.Held) bool {
		return slices.ContainsFunc(held, func(h lockset.Held) bool { return h.Lock.Location().Var == g.Lock })
	}
}

// afterGuarded reports whether the map that an access reads was fetched under
// the guard, or the function has looked at it under the guard before.
func afterGuarded(in *check.Input, g *guard.Guard, s *infer.Site) bool {
	if s.Acc.Fetched {
		if _, ok := in.Guards.Holds(g, s.Func.EffectiveState(s.Acc.Fetch), s.Acc.Path); ok {
			return true
		}
	}
	for i := range s.Func.Accesses {
		a := &s.Func.Accesses[i]
		if a == s.Acc {
			break
		}
		if a.Path != s.Acc.Path || a.Spawned {
			continue
		}
		if _, ok := in.Guards.Holds(g, s.Func.Effective(a), a.Path); ok {
			return true
		}
	}
	return false
}

func votes(g *guard.Guard) string {
	if g.Total == 0 || g.Held == 0 {
		return ""
	}
	return fmt.Sprintf(" (held at %d of %d accesses)", g.Held, g.Total)
}

func changed(pl *infer.Place) bool {
	for i := range pl.Sites {
		if s := &pl.Sites[i]; !s.Exempt && s.Acc.Op.Writes() {
			return true
		}
	}
	return false
}

// withoutGuard reports a shared location that is read and written and that no
// lock protects. The evidence says why it needs one: where that is a goroutine,
// it holds for the accesses that it meets, and for no others.
func withoutGuard(in *check.Input, pl *infer.Place) []check.Finding {
	if !changed(pl) {
		return nil
	}
	e := in.Judge.Of(pl)
	var out []check.Finding
	reads, mutates := false, false
	for i := range pl.Sites {
		s := &pl.Sites[i]
		if !counts(s) {
			continue
		}
		reads = reads || !s.Acc.Op.Writes()
		mutates = mutates || s.Acc.Op.Writes() && (s.Acc.Op != access.Assign || e.Claimed)
		if len(in.Guards.Plausible(s.Held, s.Acc.Path)) > 0 || s.Imported() && !e.Threads {
			continue
		}
		why, ok := in.Judge.Taking(pl, s)
		if !ok {
			continue // no other thread is there meanwhile
		}
		f := finding(in, pl, s, why)
		f.Message = fmt.Sprintf("%s is %s without a lock, and no lock protects it: %s", in.Name(s.Acc.Path), check.Doing(s.Acc), why.Text)
		f.Together = why.PackageLevel
		out = append(out, f)
	}
	if !mutates || !reads && !e.Threads {
		return nil // written only, or replaced as a whole
	}
	return out
}

func finding(in *check.Input, pl *infer.Place, s *infer.Site, e sharing.Evidence) check.Finding {
	pos := in.At(s.Acc)
	if startUp(s) || s.Func.Stored() || in.Doubtful(s.Func, s.Acc) {
		e.Confidence = sharing.Low
	}
	return check.Finding{
		Category: Category, Pos: pos, Confidence: e.Confidence, Evidence: e.Text,
		Loc: pl.Loc, Func: s.Func,
		Related: append(check.Inside(s.Acc), check.Related{Pos: e.Pos, Message: e.Note}),
		Covers:  []check.Pos{pos},
		Trace:   in.AccessTrace(s.Func, s.Acc, in.Guards.Plausible(s.Held, s.Acc.Path)),
	}
}

// startUp reports whether the access only gives the object its map, in a
// method by whose name the object is not in use yet.
func startUp(s *infer.Site) bool {
	if s.Acc.Op != access.Assign || s.Acc.Stored != access.StoredIdentity {
		return false
	}
	if s.Acc.Empty && !s.Func.IsLiteral() && !ast.IsExported(s.Func.BaseName()) {
		return true // a helper that resets the object before it is used
	}
	name := s.Func.BaseName()
	for _, w := range [...]string{"Init", "init", "Start", "start", "Open", "open", "Setup", "setup", "SetUp", "Configure", "Provision", "New", "new", "Build", "build"} {
		if strings.HasPrefix(name, w) {
			return true
		}
	}
	return false
}

func because(b *infer.Blame) string {
	if b.Locks == nil {
		return "its name or documentation asks for it"
	}
	return "its other callers do"
}

// blamed reports calls without the lock that the callee needs.
func blamed(in *check.Input) []check.Finding {
	var out []check.Finding
	for i := range in.Pkg.Blames {
		b := &in.Pkg.Blames[i]
		for j := range b.Callee.Accesses {
			a := &b.Callee.Accesses[j]
			loc := a.Path.Location()
			if !infer.Own(a) || !loc.Valid() || a.Fresh || a.Op.Concurrent() {
				continue
			}
			pl := in.Place(loc)
			g := in.Guards.Of(loc)
			if g == nil || !changed(pl) {
				continue
			}
			if _, needs := in.Guards.Holds(g, b.Locks, a.Path); !needs && b.Locks != nil {
				continue
			}
			if _, own := in.Guards.Holds(g, a.Held.Held(), a.Path); own {
				continue // takes it itself
			}
			e := in.Judge.Of(pl)
			if !b.Sure {
				e.Confidence = sharing.Low // who calls the caller is not known
			}
			out = append(out, check.Finding{
				Category: Category, Pos: b.Pos, Confidence: e.Confidence, Evidence: e.Text,
				Loc: loc, Func: b.Caller,
				Message: fmt.Sprintf("%s needs %s for %s, which this call does not hold; %s",
					b.Callee.Name, g.Lock.Name(), in.Name(a.Path), because(b)),
				Related: []check.Related{{Pos: a.Pos, Message: check.Doing(a) + " here"}, {Pos: e.Pos, Message: e.Note}},
				Covers:  []check.Pos{b.Pos},
				Trace:   in.AccessTrace(b.Callee, a, nil),
			})
			break
		}
	}
	return out
}
