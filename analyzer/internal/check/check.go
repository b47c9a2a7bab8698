// Package check is what the rules share: their input, the findings that they
// return, and the verdict on a pair of check and act. Each rule is a package
// below; none sees an instruction.
package check

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/guard"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// An Input is one analysed package, as the rules see it.
type Input struct{ *witness.Judge }

// A Related is another place that belongs to a finding.
type Related struct {
	Pos     token.Pos
	Message string
}

// A Finding is one thing to report.
type Finding struct {
	Category   string
	Pos        token.Pos
	Message    string
	Related    []Related
	Confidence sharing.Confidence
	Evidence   string
	Loc        accesspath.Location
	// Place is the location as Type.field or the variable, and Guard its
	// guard, if it has one; both are filled in by [Input.Complete]. A rule
	// sets Place itself for a local map, which has no location.
	Place string
	Guard *guard.Guard
	Func  *infer.Func
	// Of is the witness, a verdict of package witness, that the finding is made of.
	Of any
	// Cause names what one change would fix, all maps included: the lock that
	// the function does not take, the type without a lock. Findings of one
	// category, function and cause are one. Empty, the map is the cause.
	Cause string
	// Together: all findings of the category and cause are one. The map has
	// no lock at all, and there is one decision to take.
	Together bool
	// several: it is made of findings on several maps.
	several bool
	// Trace is the interleaving of two goroutines that does the harm.
	Trace []Step
	// Ignored says why the finding is not reported: what the comment or the
	// configuration gives as the reason.
	Ignored string
	// Covers are the accesses that the finding speaks of; a weaker rule does
	// not report them again.
	Covers []token.Pos
	// Whole: all accesses of the function are covered.
	Whole bool
}

// A Rule finds one category.
type Rule interface {
	// Category is the rule's stable name.
	Category() string
	Find(*Input) []Finding
}

// Complete fills in what the rules need not care about.
func (in *Input) Complete(findings []Finding) {
	for i := range findings {
		f := &findings[i]
		if f.Loc.Valid() {
			f.Place, f.Guard = in.Guards.Describe(f.Loc.Var), in.Guards.Of(f.Loc)
		}
	}
}

// Lockless reports whether a map has no guard, and hardly any access of it holds a lock. One change then
// fixes all of them, and those of the other maps that could use the same lock: the
// findings have a common cause, which is the type that owns the map, or the
// variable itself.
func (in *Input) Lockless(loc accesspath.Location) (cause string, ok bool) {
	if in.Guards.Of(loc) != nil || !seldomLocked(in.Place(loc)) {
		return "", false
	}
	cause = in.Guards.Describe(loc.Var)
	if loc.Var.IsField() {
		cause = strings.TrimSuffix(cause, "."+loc.Var.Name())
	}
	return cause, true
}

// seldomLocked reports whether nearly all that come to a place hold no lock at all.
func seldomLocked(pl *infer.Place) bool {
	locked, all := 0, 0
	for i := range pl.Sites {
		if s := &pl.Sites[i]; !s.Exempt {
			all++
			if len(s.Held) > 0 {
				locked++
			}
		}
	}
	return locked*10 <= all
}

// Strongest drops the findings that one of a stronger rule covers. They come in
// order of their rules' strength; one of low confidence, which is seldom shown,
// covers no other. Complexity: linear in the findings, but for sorting.
func Strongest(findings []Finding, fset *token.FileSet) []Finding {
	covered := newCoverage(fset)
	findings = slices.Clone(findings)
	slices.SortStableFunc(findings, func(a, b Finding) int { return cmp.Compare(doubt(a), doubt(b)) })
	var out []Finding
	for _, f := range findings {
		if covered.has(f) {
			continue
		}
		covered.add(f)
		out = append(out, f)
	}
	return out
}

// Merge keeps one finding per cause, function and category, and sorts.
// Complexity: linear in the findings, but for sorting.
func Merge(findings []Finding, fset *token.FileSet) []Finding {
	type key struct {
		loc      accesspath.Location
		fn       *infer.Func
		category string
		local    string
		cause    string
	}
	seen := make(map[key]int)
	var out []Finding
	var same [][]Related // where else each of them is found
	for _, f := range findings {
		k := key{loc: f.Loc, fn: f.Func, category: f.Category, local: f.Place}
		if f.Cause != "" {
			k = key{fn: f.Func, category: f.Category, cause: f.Cause}
		}
		if f.Together {
			k.fn = nil
		}
		if i, ok := seen[k]; ok {
			if f.before(&out[i]) {
				f, out[i] = out[i], f
			}
			what := "the same here"
			if f.Loc != out[i].Loc {
				what, out[i].several = f.Message, true
			}
			same[i] = append(same[i], Related{f.Pos, what})
			continue
		}
		seen[k] = len(out)
		out, same = append(out, f), append(same, nil)
	}
	for i := range out {
		out[i].Related = append(out[i].Related, same[i]...)
	}
	out = inRaces(together(out))
	for i := range out {
		out[i].Related = distinct(out[i])
	}
	Sort(out, fset)
	return out
}

// before reports whether f, which comes later, is to stand for a finding of the same cause: it is surer,
// or the runtime stops there, and at the other one nothing tells of the race.
func (f *Finding) before(g *Finding) bool {
	if f.Confidence != g.Confidence {
		return f.Confidence > g.Confidence
	}
	return g.unnoticed() && !f.unnoticed()
}

func (f *Finding) unnoticed() bool { return len(f.Trace) > 0 && f.Trace[len(f.Trace)-1].Note == race }

// together makes one finding of those of a function that are on several package-level
// variables without a lock: one lock does for all that the function sets or reads.
func together(findings []Finding) []Finding {
	type key struct {
		fn       *infer.Func
		category string
	}
	seen := make(map[key]int)
	var out []Finding
	for _, f := range findings {
		k := key{f.Func, f.Category}
		i, ok := seen[k]
		switch own := f.Loc.Var; {
		case !f.Together || own == nil || own.IsField():
		case !ok:
			seen[k] = len(out)
		case f.Confidence == out[i].Confidence:
			out[i].Related = append(append(out[i].Related, Related{f.Pos, f.Message}), f.Related...)
			out[i].several = true
			continue
		}
		out = append(out, f)
	}
	return out
}

// inRaces makes what is found of a map without any lock a part of the race of goroutines on it that is
// found, too: a lock at each access is one change.
func inRaces(findings []Finding) []Finding {
	races := make(map[accesspath.Location]int)
	var out, rest []Finding
	for _, f := range findings {
		_, race := f.Of.(*witness.RaceVerdict)
		if _, ok := races[f.Loc]; race && f.Loc.Valid() && !ok {
			races[f.Loc] = len(out)
		}
		if _, access := f.Of.(*witness.AccessVerdict); access && f.Together && !f.several {
			rest = append(rest, f)
		} else {
			out = append(out, f)
		}
	}
	for _, f := range rest {
		i, ok := races[f.Loc]
		if !ok || f.Confidence > out[i].Confidence {
			out = append(out, f)
			continue
		}
		out[i].Related = append(append(out[i].Related, Related{f.Pos, "without a lock here, too"}), f.Related...)
	}
	return out
}

// Sort sorts findings by file, position, category and message.
func Sort(findings []Finding, fset *token.FileSet) {
	slices.SortStableFunc(findings, func(a, b Finding) int {
		p, q := fset.Position(a.Pos), fset.Position(b.Pos)
		return cmp.Or(cmp.Compare(p.Filename, q.Filename), cmp.Compare(p.Offset, q.Offset), cmp.Compare(a.Category, b.Category), cmp.Compare(a.Message, b.Message))
	})
}

func doubt(f Finding) int {
	if f.Confidence == sharing.Low {
		return 1
	}
	return 0
}

// A coverage knows the places that findings speak of, by the strongest
// category that does.
type coverage struct {
	fset *token.FileSet
	// at is by variable and position, whole by location and function; lines is
	// by variable, function and line, for accesses of inner maps.
	at    map[placeKey]string
	whole map[wholeKey]string
	lines map[lineKey]int
}

type placeKey struct {
	v   *types.Var
	pos token.Pos
}

type wholeKey struct {
	loc accesspath.Location
	fn  *infer.Func
}

type lineKey struct {
	v    *types.Var
	fn   *infer.Func
	line int
}

func newCoverage(fset *token.FileSet) *coverage {
	return &coverage{fset: fset, at: make(map[placeKey]string), whole: make(map[wholeKey]string), lines: make(map[lineKey]int)}
}

func (c *coverage) add(f Finding) {
	for _, pos := range f.Covers {
		if k := (placeKey{f.Loc.Var, pos}); c.at[k] == "" {
			c.at[k] = f.Category
		}
		l := lineKey{f.Loc.Var, f.Func, c.fset.Position(pos).Line}
		c.lines[l] = max(c.lines[l], f.Loc.Elems)
	}
	if k := (wholeKey{f.Loc, f.Func}); f.Whole && c.whole[k] == "" {
		c.whole[k] = f.Category
	}
}

// has reports whether a finding of another category speaks of f's place. On
// the way to an inner map the outer one is read on the same line; that is not
// told apart.
func (c *coverage) has(f Finding) bool {
	other := func(category string) bool { return category != "" && category != f.Category }
	return other(c.at[placeKey{f.Loc.Var, f.Pos}]) || other(c.whole[wholeKey{f.Loc, f.Func}]) ||
		c.lines[lineKey{f.Loc.Var, f.Func, c.fset.Position(f.Pos).Line}] > f.Loc.Elems
}

func distinct(f Finding) []Related {
	var out []Related
	for _, r := range f.Related {
		if r.Pos.IsValid() && r.Pos != f.Pos && !slices.ContainsFunc(out, func(o Related) bool { return o.Pos == r.Pos }) {
			out = append(out, r)
		}
	}
	return out
}
