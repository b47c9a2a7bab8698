// Package check is what the rules share: their input, the findings that they
// return, and the verdict on a pair of check and act. Each rule is a package
// below; none sees an instruction.
package check

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/guard"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/lockset"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
)

// An Input is one analysed package, as the rules see it.
type Input struct {
	Pkg    *infer.Package
	Places []*infer.Place
	Guards *guard.Set
	Judge  *sharing.Judge
	// Line gives the line of a position, for messages.
	Line func(token.Pos) int

	place    map[accesspath.Location]*infer.Place
	snapshot map[accesspath.Location]bool
	memoized map[accesspath.Location]string
	pairs    []Verdict
	alive    map[accesspath.Location]bool
	named    map[token.Pos]bool // acts of helpers whose map some caller names
}

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
	// Together: all findings of the category on the map are one. The map has
	// no lock at all, and there is one decision to take.
	Together bool
	// Trace is the interleaving of two goroutines that does the harm.
	Trace []Step
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

// NewInput prepares an analysed package for the rules.
func NewInput(pkg *infer.Package, places []*infer.Place, guards *guard.Set, judge *sharing.Judge, line func(token.Pos) int) *Input {
	in := &Input{Pkg: pkg, Places: places, Guards: guards, Judge: judge, Line: line, place: make(map[accesspath.Location]*infer.Place), snapshot: make(map[accesspath.Location]bool)}
	for _, pl := range places {
		in.place[pl.Loc] = pl
		in.snapshot[pl.Loc] = replacedOnly(pl)
	}
	in.pairs = in.judgePairs()
	in.findMemoized()
	return in
}

// Place returns the accesses of a location; an empty place if the package
// itself has none.
func (in *Input) Place(loc accesspath.Location) *infer.Place {
	if pl := in.place[loc]; pl != nil {
		return pl
	}
	return &infer.Place{Loc: loc}
}

// Pairs returns the verdicts on all pairs of the package.
func (in *Input) Pairs() []Verdict { return in.pairs }

// AskedState reports whether some change of a container asks for the state of
// the object that holds it first.
func (in *Input) AskedState(loc accesspath.Location) bool {
	if in.alive == nil {
		in.alive = make(map[accesspath.Location]bool)
		for _, f := range in.Pkg.Funcs {
			for i := range f.Accesses {
				if a := &f.Accesses[i]; a.Alive {
					in.alive[a.Path.Location()] = true
				}
			}
		}
	}
	return in.alive[loc]
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

// Name writes the map of an access as the source does, with its package when
// that is another one.
func (in *Input) Name(p accesspath.Path) string {
	r := p.Root()
	if r.Kind == accesspath.Global && r.Obj.Pkg() != nil && r.Obj.Pkg() != in.Pkg.Types {
		return r.Obj.Pkg().Name() + "." + p.String()
	}
	return p.String()
}

// LockNames writes locks as the source does.
func (in *Input) LockNames(held []lockset.Held) string {
	out := ""
	for i, h := range held {
		if i > 0 {
			out += " and "
		}
		out += in.Name(h.Lock)
	}
	return out
}

// Covering returns the locks that both accesses hold without a break.
func (in *Input) Covering(f *infer.Func, c, a *access.Access) []lockset.Held {
	var out []lockset.Held
	hc, ha := f.Effective(c), f.Effective(a)
	guarded := a.Op == access.Store
	if g := in.Guards.Of(a.Path.Location()); g != nil && c.Lifted && a.Lifted {
		_, atCheck := in.Guards.Holds(g, hc, c.Path)
		_, atAct := in.Guards.Holds(g, ha, a.Path)
		guarded = atCheck && atAct
	}
	for _, x := range ha {
		if !in.Guards.Protects(x, a.Path) {
			continue
		}
		for _, y := range hc {
			if x.Lock == y.Lock && x.Acq == y.Acq && (!guarded || in.excludesWriters(x, a)) {
				x.Mode = min(x.Mode, y.Mode)
				out = append(out, x)
			}
		}
	}
	return out
}

// excludesWriters reports whether a lock that covers check and act keeps those
// out that do the like, where the map has its own protection for each of the
// two. The map's guard does. So does any other lock of the same struct, unless
// somebody who can be called from anywhere inserts without it.
func (in *Input) excludesWriters(h lockset.Held, a *access.Access) bool {
	loc, lock := a.Path.Location(), h.Lock.Location().Var
	g := in.Guards.Of(loc)
	if lock == nil || a.Op != access.Insert && a.Op != access.Store || g != nil && g.Lock == lock || !lock.IsField() || !in.Guards.Near(lock, loc.Var) {
		return true
	}
	pl := in.Place(loc)
	for i := range pl.Sites {
		s := &pl.Sites[i]
		if s.Exempt || s.AtStart || s.Acc.Joined || s.Acc.Op != a.Op || s.Func.Is(role.CallerLocks) || !s.Func.Ctx.Root || s.Func.IsLiteral() {
			continue
		}
		if !slices.ContainsFunc(s.Held, func(o lockset.Held) bool { return o.Lock.Location().Var == lock }) {
			return false
		}
	}
	return true
}

// Beside reports whether one of the locks stands in the struct of the map, of
// the same object, or at package level beside a package-level map.
func (in *Input) Beside(locks []lockset.Held, path accesspath.Path) bool {
	v := path.Location().Var
	for _, h := range near(locks, path) {
		if l := h.Lock.Location().Var; l != nil && v != nil && l.IsField() == v.IsField() && in.Guards.Near(l, v) {
			return true
		}
	}
	return false
}

// Doubtful reports whether the analysis cannot be sure that an access holds no
// lock that protects its map: the guard is held on some paths to it, or is a
// lock of a struct that the access does not show, or the access happens before
// the object is shared.
func (in *Input) Doubtful(f *infer.Func, a *access.Access) bool {
	if f.AtStart(a) {
		return true
	}
	loc := a.Path.Location()
	g := in.Guards.Of(loc)
	if g != nil && g.How == guard.Used && !in.Guards.Applies(g, a.Path) {
		return true
	}
	for _, v := range f.Perhaps(a.Held) {
		if g != nil && v == g.Lock || g == nil && in.Guards.Near(v, loc.Var) {
			return true
		}
	}
	return false
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

// Merge keeps one finding per location, function and category, and sorts.
// Complexity: linear in the findings, but for sorting.
func Merge(findings []Finding, fset *token.FileSet) []Finding {
	type key struct {
		loc      accesspath.Location
		fn       *infer.Func
		category string
		local    string
	}
	seen := make(map[key]int)
	var out []Finding
	for _, f := range findings {
		k := key{f.Loc, f.Func, f.Category, f.Place}
		if f.Together {
			k.fn = nil
		}
		if i, ok := seen[k]; ok {
			if f.Confidence > out[i].Confidence {
				f, out[i] = out[i], f
			}
			out[i].Related = append(out[i].Related, Related{f.Pos, "the same here"})
			continue
		}
		seen[k] = len(out)
		out = append(out, f)
	}
	for i := range out {
		out[i].Related = distinct(out[i])
	}
	Sort(out, fset)
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

// Memoized says why a place is a shared cache in disguise, "" if it is none.
func (in *Input) Memoized(pl *infer.Place) string { return in.memoized[pl.Loc] }

func (in *Input) findMemoized() {
	in.memoized = make(map[accesspath.Location]string)
	for i := range in.pairs {
		v := &in.pairs[i]
		loc := v.Act.Path.Location()
		if v.Confidence >= sharing.Medium && memoizes(v) && in.memoized[loc] == "" {
			in.memoized[loc] = v.Evidence.Text
		}
	}
}
