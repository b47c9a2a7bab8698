// Package sharing decides why two goroutines can meet at a location, and how
// sure that is.
package sharing

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/guard"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
	"github.com/mapguard/mapguard/analyzer/internal/threads"
)

// A Confidence is how sure a finding is.
type Confidence uint8

const (
	// Low findings are shown on request.
	Low Confidence = iota + 1
	// Medium is the default threshold.
	Medium
	// High findings rest on evidence in the code.
	High
)

func (c Confidence) String() string {
	return [...]string{"none", "low", "medium", "high"}[c]
}

// Parse reads a confidence as flags write it.
func Parse(s string) (Confidence, error) {
	for c := Low; c <= High; c++ {
		if s == c.String() {
			return c, nil
		}
	}
	return 0, fmt.Errorf("confidence %q is not one of low, medium, high", s)
}

// An Evidence is why the analyzer believes that a location is shared.
type Evidence struct {
	Confidence Confidence
	Text       string
	// Pos and Note, when set, show the place that proves it.
	Pos  token.Pos
	Note string
	// Meets says which goroutines meet there, if the package shows any.
	Meets Meets
	// Claimed: documentation says that callers are concurrent.
	Claimed bool
	// By is the function whose documentation says so, nil if it is the type's.
	By *infer.Func
	// Via, if set, is the field through which alone an access concerns the
	// object that is shared.
	Via *types.Var
	// PackageLevel: all that speaks for it is that others can reach it.
	PackageLevel bool
	// Common: goroutines that other packages show have the map in common, as far as they come to it
	// by its object.
	Common bool
}

// Meets says which goroutines meet at a place.
type Meets uint8

const (
	// NoThreads: the package shows none; something else speaks for it.
	NoThreads Meets = iota
	// Beside: two that differ, or one and what starts it.
	Beside
	// Callers: one, and those who call the package meanwhile.
	Callers
	// Alike: those that come to objects of one type, of which nothing shows that they
	// are the same one.
	Alike
	// Workers: those that one loop starts.
	Workers
	// Repeated: those that one go statement starts, as often as it is come by.
	Repeated
	// Requests: a server calls what reaches the place, once for each request.
	Requests
)

// Threads reports whether goroutines that the package shows are the evidence.
func (e Evidence) Threads() bool { return e.Meets != NoThreads }

// meets classifies a meeting.
func meets(m threads.Meeting) Meets {
	th := m.A.Thread
	switch {
	case m.Callers:
		return Callers
	case th.Handler(), th.Registered:
		return Requests
	case m.Alike:
		return Alike
	case m.B == nil || m.B.Thread != th:
		return Beside
	case th.Looped():
		return Workers
	}
	return Repeated
}

func (e Evidence) String() string { return e.Confidence.String() + ": " + e.Text }

// A Judge gives the evidence for locations. It is not safe for concurrent use:
// a package is analysed by one goroutine.
type Judge struct {
	Threads *threads.Theory
	Guards  *guard.Set
	// TypeClaims tells whether the documentation of the type that owns the
	// location says that it is safe for concurrent use.
	TypeClaims func(accesspath.Location) bool
	// Denies tells whether it says that it is not.
	Denies func(accesspath.Location) bool
	// Imported says why another package's location is shared.
	Imported func(*types.Var) string
	memo     map[accesspath.Location]Evidence
	pairs    map[accesspath.Location][]Pair
	shown    map[accesspath.Location]bool
	met      map[accesspath.Location]map[[2]*access.Access]bool
	// early is what setUp has found, by two functions and the starter.
	early map[[3]*infer.Func]bool
	// asked: whether requests come to a map was asked before the module was known.
	asked bool
}

// NewJudge returns a Judge of a package.
func NewJudge(th *threads.Theory, guards *guard.Set, typeClaims, denies func(accesspath.Location) bool, imported func(*types.Var) string) *Judge {
	return &Judge{
		Threads: th, Guards: guards, TypeClaims: typeClaims, Denies: denies, Imported: imported,
		memo: make(map[accesspath.Location]Evidence), pairs: make(map[accesspath.Location][]Pair),
		shown: make(map[accesspath.Location]bool), met: make(map[accesspath.Location]map[[2]*access.Access]bool),
		early: make(map[[3]*infer.Func]bool),
	}
}

// Of returns the strongest evidence that goroutines share the place.
func (j *Judge) Of(pl *infer.Place) Evidence {
	if !pl.Loc.Valid() {
		return Evidence{Confidence: Low, Text: "nothing tells which map this is"}
	}
	e, ok := j.memo[pl.Loc]
	if !ok {
		e = j.judge(pl)
		j.memo[pl.Loc] = e
	}
	return e
}

func (j *Judge) judge(pl *infer.Place) Evidence {
	if g := j.Guards.Of(pl.Loc); g != nil {
		return guardEvidence(g)
	}
	if startUpOnly(pl) {
		if e, ok := strongest(j.Pairs(pl), j.changedInThread); ok {
			return e // whatever the names say
		}
		return Evidence{Confidence: Low, Text: "only registration and start-up change it"}
	}
	e, ok := strongest(j.Pairs(pl), func(Pair) bool { return true })
	met := ok && e.Confidence > Low
	if met && e.Meets != Callers {
		return e
	}
	if j.Denies(pl.Loc) {
		return Evidence{Confidence: Low, Text: "documented as for one goroutine at a time"}
	}
	if j.TypeClaims(pl.Loc) && j.claimConcerns(pl) {
		return Evidence{Confidence: High, Claimed: true, Text: "documented as safe for concurrent use"}
	}
	if e, ok := j.holderClaims(pl); ok {
		return e
	}
	for i := range pl.Sites {
		if s := &pl.Sites[i]; !s.Exempt && s.Func.Is(role.Concurrent) && ofItsOwn(s) {
			e := Evidence{Confidence: High, Claimed: true, By: s.Func, Text: s.Func.Name + " is documented as safe for concurrent use"}
			if s.Func.Is(role.Wished) {
				e.Text = "the comment on " + s.Func.Name + " says that it is to be safe for concurrent use"
			}
			return e
		}
	}
	if met {
		return e
	}
	if e, ok := j.packageLevel(pl); ok {
		return e
	}
	if e, ok := j.common(pl); ok {
		return e
	}
	if why := j.Imported(pl.Loc.Var); why != "" {
		return Evidence{Confidence: Medium, Text: why}
	}
	if ok {
		return e
	}
	return Evidence{Confidence: Low, Text: "nothing in this package shows a second goroutine"}
}

// ofItsOwn reports whether an access is to a map of the object whose method makes it, rather than of
// another one that the method gets, makes, or fetches by a call: that the method is safe for concurrent
// use promises nothing of what its callers bring along, nor of what each of its calls gets.
func ofItsOwn(s *infer.Site) bool {
	r := s.Acc.Path.Root()
	if r.Kind == accesspath.Value {
		return false
	}
	return r.Kind != accesspath.Param || r.Index == 0 || s.Func.SSA.Signature.Recv() == nil
}

// startUpOnly reports whether the package changes the map only while its
// object is brought into service, or by registration that refuses duplicates.
func startUpOnly(pl *infer.Place) bool {
	changes := 0
	for i := range pl.Sites {
		s := &pl.Sites[i]
		if s.Exempt || !s.Acc.Op.Writes() {
			continue
		}
		if !s.AtStart && !registration(s) {
			return false
		}
		changes++
	}
	return changes > 0
}

// FilledBefore reports whether a map is changed only while its object is brought into service, as far as
// the package tells, and the module shows no change once the program has started.
func (j *Judge) FilledBefore(pl *infer.Place) bool {
	changes := changesAtStart(pl)
	pkg := j.Threads.Package()
	j.asked = j.asked || len(changes) > 0 && !pkg.Known()
	return len(changes) > 0 && !pkg.ShownLate(changes)
}

// FilledByStart is FilledBefore where the program may bring other objects into service later.
func (j *Judge) FilledByStart(pl *infer.Place) bool { return len(changesAtStart(pl)) > 0 }

// changesAtStart returns what changes a map, if all of it brings its object into service, as far as the package tells.
func changesAtStart(pl *infer.Place) (out []*infer.Site) {
	for i := range pl.Sites {
		s := &pl.Sites[i]
		if s.Exempt || !s.Acc.Op.Writes() {
			continue
		}
		if !s.AtStart {
			return nil
		}
		out = append(out, s)
	}
	return out
}

// changedInThread reports whether a goroutine that the package starts makes a
// change that a pair is of.
func (j *Judge) changedInThread(p Pair) bool {
	changes := func(s *infer.Site) bool { return s.Acc.Op.Writes() && len(j.Threads.VisitsOf(s.Acc)) > 0 }
	return changes(p.A) || changes(p.B)
}

// holderClaims recognises the map of an object, a configuration say, that belongs
// to one whose type promises to be safe for concurrent use, where an exported
// method of that one changes it. The promise concerns the object that is held,
// not others of its type.
func (j *Judge) holderClaims(pl *infer.Place) (Evidence, bool) {
	for i := range pl.Sites {
		s := &pl.Sites[i]
		if s.Exempt || s.AtStart || !s.Func.Is(role.Method) || !s.Acc.Op.Writes() || len(s.Held) > 0 {
			continue
		}
		inner, held := s.Acc.Path.Trunk().Parent(), accesspath.Path{}
		for p := inner; p.Known() && p.Depth() > 0; p = p.Parent() {
			held = p // ends at the receiver's own field
		}
		if r := held.Root(); held.Known() && held.LastField() != nil && r.Kind == accesspath.Param && r.Index == 0 && j.TypeClaims(held.Location()) {
			return Evidence{Confidence: High, Claimed: true, Via: held.LastField(), Text: "the documentation of what holds it in " + held.LastField().Name() + " says that it is safe for concurrent use"}, true
		}
	}
	return Evidence{}, false
}

// Concerns reports whether a map at a path is one that the evidence is about.
func (e Evidence) Concerns(p accesspath.Path) bool {
	if e.Via == nil {
		return true
	}
	for ; p.Known(); p = p.Parent() {
		if p.LastField() == e.Via {
			return true
		}
	}
	return false
}

// claimConcerns reports whether a type's promise to be safe for concurrent use
// can concern the place: the type has no lock at all, or one of its exported
// methods changes the place itself. Helpers deep inside a type that has a lock
// may well run under it.
func (j *Judge) claimConcerns(pl *infer.Place) bool {
	if !j.Guards.HasLock(pl.Loc.Var) {
		return true
	}
	for i := range pl.Sites {
		if s := &pl.Sites[i]; s.Func.Is(role.Method) && !s.Exempt && s.Acc.Op.Writes() {
			return true
		}
	}
	return false
}

func guardEvidence(g *guard.Guard) Evidence {
	e := Evidence{Confidence: High, Pos: g.Pos(), Note: g.Lock.Name() + " is declared here"}
	switch g.How {
	case guard.Declared:
		e.Text = "declared guarded by " + g.Lock.Name()
	case guard.Prose:
		e.Text = "a comment says that " + g.Lock.Name() + " protects it"
	case guard.Named:
		e.Text = g.Lock.Name() + " is named for it"
	default:
		e.Text = g.Lock.Name() + " protects it"
	}
	if g.Total > 0 {
		e.Text += fmt.Sprintf(" (held at %d of %d accesses)", g.Held, g.Total)
	}
	return e
}

// Reached reports whether a goroutine reaches something through the field: its
// holder is shared, then.
func (j *Judge) Reached(field *types.Var) bool {
	for _, v := range j.Threads.Visits {
		for p := v.Path; p.Known(); p = p.Parent() {
			if p.LastField() == field {
				return true
			}
		}
	}
	return false
}

// packageLevel recognises the map of a package that others import, changed
// after initialisation by a function that they can reach: in the goroutine of each
// request, where the module shows that. Registration at start-up stays low.
func (j *Judge) packageLevel(pl *infer.Place) (Evidence, bool) {
	if v := pl.Loc.Var; v.Pkg() == nil || v.Pkg().Name() == "main" {
		return Evidence{}, false
	}
	var change *infer.Site
	for i := range pl.Sites {
		s := &pl.Sites[i]
		changes := s.Acc.Op.Writes() && !s.Exempt && !s.Imported() && j.Threads.Open(s.Func)
		if !changes || registration(s) || configures(s) {
			continue
		}
		if s.Acc.Path.Root().Kind != accesspath.Global {
			continue // a field of an object that came from elsewhere
		}
		if by, ok := j.Threads.Package().Served(s); ok && !s.AtStart {
			return Evidence{Confidence: High, Text: "a server calls " + by + ", which runs " + s.Func.Name, Pos: s.Acc.At(), Note: "changed here"}, true
		}
		if change == nil {
			change = s
		}
	}
	if change == nil {
		return Evidence{}, false
	}
	return Evidence{Confidence: Medium, PackageLevel: true, Text: "package-level map, changed by " + change.Func.Name, Pos: change.Acc.At(), Note: "changed here"}, true
}

// common recognises the map of an object that goroutines have in common which the module shows, the
// requests of a server say, and that some of them change.
func (j *Judge) common(pl *infer.Place) (Evidence, bool) {
	pkg := j.Threads.Package()
	for i := range pl.Sites {
		s := &pl.Sites[i]
		if s.Exempt || s.AtStart || s.Imported() || !s.Acc.Op.Writes() || !pkg.PartOf(s.Func, s.Acc.Path) {
			continue
		}
		if !pkg.Known() {
			j.asked = true
			return Evidence{}, false
		}
		by, many, ok := pkg.InCommon(s.Func, s.Acc)
		if !ok || many && j.Threads.OneInStart(s.Acc) {
			continue
		}
		who := "a server calls " + by + " for each request"
		if many {
			who = by + " starts several goroutines"
		}
		return Evidence{Confidence: High, Common: true, Text: who + "; " + s.Func.Name + " changes a part of their object", Pos: s.Acc.At(), Note: "changed here"}, true
	}
	return Evidence{}, false
}

// AsksModule reports whether the module may tell more of some map: [Judge.MayRise], or nothing but
// that others can reach it speaks for it, and the module may show a server that does.
func (j *Judge) AsksModule() bool {
	for _, e := range j.memo {
		if e.PackageLevel {
			return true
		}
	}
	return j.MayRise()
}

// configures reports whether the access belongs to a function that sets
// something, SetX: it is meant for the start. Registration without a test for
// duplicates is left out: packages of plug-ins are loaded late, too.
func configures(s *infer.Site) bool {
	return s.Func.Setter && !s.Func.Is(role.Registration) && !updates(s)
}

// updates reports whether what the access writes is computed from the map.
func updates(s *infer.Site) bool {
	return slices.ContainsFunc(s.Func.Pairs, func(p summary.Pair) bool { return p.Has(depend.Data) && &s.Func.Accesses[p.Act] == s.Acc })
}

// registration reports whether the access belongs to a registry that refuses
// duplicates: it is meant for start-up.
func registration(s *infer.Site) bool {
	if !s.Func.Is(role.Registration) {
		return false
	}
	if s.Func.Setter && s.Acc.Op == access.Insert && s.Acc.Path.Root().Kind != accesspath.Global && !updates(s) {
		return true // before the object is in use
	}
	for _, p := range s.Func.Pairs {
		if p.Has(depend.Control) {
			return true
		}
	}
	return false
}
