package sharing

import (
	"fmt"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/threads"
)

// A Pair are two accesses of one place that two threads can make at one time on
// one object, one of them a change, and neither under a lock that can protect it.
// Both are the same access where several threads make it.
type Pair struct {
	A, B     *infer.Site
	Evidence Evidence
}

// maxSites bounds the accesses of a place that are compared with each other.
const maxSites = 200

// Pairs returns the pairs of a place. Accesses of objects that no other goroutine knows,
// and those after a join, do not count; a place that one thread alone visits is
// confined to it.
func (j *Judge) Pairs(pl *infer.Place) []Pair {
	if ps, ok := j.pairs[pl.Loc]; ok {
		return ps
	}
	var out []Pair
	sites := pl.Sites[:min(len(pl.Sites), maxSites)]
	for i := range pl.Sites[len(sites):] {
		pl.Sites[len(sites)+i].Func.Cut(fmt.Sprintf("more than %d accesses of one place that are compared for evidence", maxSites))
	}
	for i := range sites {
		a := &sites[i]
		if !uses(a) {
			continue
		}
		for k := range sites[i:] {
			b := &sites[i+k]
			if !uses(b) || !collide(a.Acc.Op, b.Acc.Op) {
				continue
			}
			if m, ok := j.Threads.Meet(a, b, j.free); ok && !startsUp(a, m) && !startsUp(b, m) {
				out = append(out, Pair{a, b, j.threadEvidence(m, a, b)})
			}
		}
	}
	j.pairs[pl.Loc] = out
	return out
}

// Met reports whether threads of the package bring two accesses of a place together, where
// they are what shows that it is shared. Complexity: constant, but for the first time.
func (j *Judge) Met(pl *infer.Place, a, b *access.Access) bool {
	if !j.Of(pl).Threads() {
		return false
	}
	met, ok := j.met[pl.Loc]
	if !ok {
		met = make(map[[2]*access.Access]bool)
		for _, p := range j.Pairs(pl) {
			if p.Evidence.Confidence > Low {
				met[[2]*access.Access{p.A.Acc, p.B.Acc}] = true
			}
		}
		j.met[pl.Loc] = met
	}
	return met[[2]*access.Access{a, b}] || met[[2]*access.Access{b, a}]
}

// MayRise reports whether the package left something open of which the module may show that it
// matters: a change that callers make and that was taken for a set-up, or a map that most use
// without its lock, and that a server may come to.
func (j *Judge) MayRise() bool {
	for _, pairs := range j.pairs {
		if slices.ContainsFunc(pairs, func(p Pair) bool { return p.Evidence.Meets == Callers }) {
			return true
		}
	}
	return j.asked
}

// Shown reports whether the package shows all threads that come to a place, so
// that what does not meet by them does not meet at all.
func (j *Judge) Shown(pl *infer.Place) bool {
	shown, ok := j.shown[pl.Loc]
	if !ok {
		shown = len(pl.Sites) > 0 && !slices.ContainsFunc(pl.Sites, func(s infer.Site) bool {
			return !s.Acc.Op.Uses() || !s.Exempt && !j.Threads.Shows(&s)
		})
		j.shown[pl.Loc] = shown
	}
	return shown
}

// Apart reports whether no thread can come to the map of an access while it is
// made, so that one of both changes the map: all that come to the place are
// shown, or all that make the access are, and none of them meets another.
func (j *Judge) Apart(pl *infer.Place, s *infer.Site) bool {
	return j.ApartFrom(pl, s, func(*infer.Site) bool { return true })
}

// ApartFrom is Apart where only some of the other accesses count.
func (j *Judge) ApartFrom(pl *infer.Place, s *infer.Site, counts func(*infer.Site) bool) bool {
	if len(pl.Sites) > maxSites {
		return false
	}
	clash := func(b *infer.Site) bool { return uses(b) && collide(s.Acc.Op, b.Acc.Op) && counts(b) }
	if !j.Shown(pl) {
		_, alone := j.Alone(s.Func, pl, []*access.Access{s.Acc}, clash)
		return alone
	}
	for i := range pl.Sites {
		if b := &pl.Sites[i]; clash(b) {
			if _, ok := j.Threads.Meet(s, b, nil); ok {
				return false
			}
		}
	}
	return true
}

// NoneMeets reports whether all that an access is, where it stands, is apart.
func (j *Judge) NoneMeets(pl *infer.Place, a *access.Access) bool {
	mine := standing(pl, []*access.Access{a})
	return len(mine) > 0 && !slices.ContainsFunc(mine, func(s *infer.Site) bool { return !j.Apart(pl, s) })
}

// collide reports whether two accesses at one time do harm: one changes the map,
// and they do not both replace it, which leaves one of two whole maps. Who asks whether the
// variable has a map meets those alone who assign to it.
func collide(a, b access.Op) bool {
	if a == access.NilTest || b == access.NilTest {
		return a == access.Assign || b == access.Assign
	}
	return (a.Writes() || b.Writes()) && !(a == access.Assign && b == access.Assign)
}

func uses(s *infer.Site) bool { return !s.Exempt && !s.Acc.Joined && s.Acc.Op.Uses() }

// startsUp reports whether an access brings the object into service before the
// goroutine of the meeting, which its function does not start itself.
func startsUp(s *infer.Site, m threads.Meeting) bool {
	return s.AtStart && s.Func != m.A.Thread.Starter
}

// free reports whether no lock is held that can protect the map at path. What a goroutine has from its start on
// keeps none out that does not ask for it.
func (j *Judge) free(held []locks.Held, path accesspath.Path) bool {
	pkg := j.Threads.Package()
	return !slices.ContainsFunc(j.Guards.Plausible(held, path), func(h locks.Held) bool { return !pkg.Lasts(h.Lock) })
}

// threadEvidence says why two accesses can meet. What callers change is no set-up where the
// module shows that they change it once the program has started.
func (j *Judge) threadEvidence(m threads.Meeting, a, b *infer.Site) Evidence {
	if m.Callers {
		changes := slices.DeleteFunc([]*infer.Site{a, b}, func(s *infer.Site) bool { return !s.Acc.Op.Writes() })
		m.Callers = !j.Threads.Package().ShownLate(changes)

	}
	e := Evidence{Confidence: High, Text: m.String(), Pos: m.A.Thread.Start, Note: m.A.Thread.Begins(), Meets: meets(m)}
	switch {
	case m.Failing:
		e.Confidence, e.Text = Low, e.Text+", only where "+m.A.Thread.Starter.Name+" returns an error before it has waited"
	case j.setUp(m, a, b):
		e.Confidence, e.Text = Low, e.Text+", which the module does before it starts"
	}
	return e
}

// setUp reports whether the module shows that one of two accesses is made before the goroutine
// begins that makes the other.
func (j *Judge) setUp(m threads.Meeting, a, b *infer.Site) bool {
	if m.B != nil || m.A.Thread.Handler() {
		return false
	}
	key := [3]*infer.Func{a.Func, b.Func, m.A.Thread.Starter}
	done, known := j.early[key]
	if !known {
		pkg, first, then := j.Threads.Package(), []*infer.Site{a}, []*infer.Site{b}
		done = pkg.SetUp(first, then, m.A.Thread.Starter) || pkg.SetUp(then, first, m.A.Thread.Starter)
		j.early[key] = done
	}
	return done
}

// Rival returns an access of the place that another thread, or another of the
// same, can make while f is between two accesses of its own: one that suits. It
// looks for threads that the package shows.
func (j *Judge) Rival(f *infer.Func, pl *infer.Place, own []*access.Access, suits func(*infer.Site) bool) (*infer.Site, threads.Meeting, bool) {
	return j.rivalAt(f, pl, standing(pl, own), suits)
}

// rivalAt is Rival for accesses of a place that may be another one.
func (j *Judge) rivalAt(f *infer.Func, pl *infer.Place, mine []*infer.Site, suits func(*infer.Site) bool) (*infer.Site, threads.Meeting, bool) {
	for i := range pl.Sites {
		b := &pl.Sites[i]
		if b.Exempt || b.AtStart || b.Acc.Joined || !suits(b) {
			continue
		}
		for _, a := range mine {
			if m, ok := j.Threads.MeetBy(j.Threads.Of(f), a, b, nil); ok {
				return b, m, true
			}
		}
	}
	return nil, threads.Meeting{}, false
}

// standing returns the accesses of a place that these are, or that stand in a
// callee where these are made.
func standing(pl *infer.Place, own []*access.Access) []*infer.Site {
	var out []*infer.Site
	for i := range pl.Sites {
		s := &pl.Sites[i]
		if slices.ContainsFunc(own, func(a *access.Access) bool { return s.Acc == a || s.Acc.Stands() == a.Stands() }) {
			out = append(out, s)
		}
	}
	return out
}

// Sole reports whether one thread of the whole module at a time makes the accesses of f, and
// those of the place that suit: no other function comes to the map.
func (j *Judge) Sole(f *infer.Func, pl *infer.Place, own []*access.Access, suits func(*infer.Site) bool) bool {
	mine, others, ok := j.sides(pl, own, suits)
	if !ok {
		return false
	}
	if f != nil && !slices.ContainsFunc(own, func(a *access.Access) bool { return a.Spawned }) {
		mine = madeBy(f, own...) // what f does through others, it does in its own threads
	}
	return j.allInTurn(mine, others)
}

// madeBy returns accesses as those of f, wherever they stand.
func madeBy(f *infer.Func, own ...*access.Access) (sites []*infer.Site) {
	for _, a := range own {
		sites = append(sites, &infer.Site{Func: f, Acc: a})
	}
	return sites
}

// allInTurn reports whether one thread at a time makes all accesses of both sides, or each of
// the others comes before or after all of mine.
func (j *Judge) allInTurn(mine, others []*infer.Site) bool {
	pkg, all := j.Threads.Package(), slices.Concat(mine, others)
	if pkg.Sole(all) || !slices.ContainsFunc(all, func(s *infer.Site) bool { return !pkg.ByMaker(s) }) {
		return true
	}
	return len(others) > 0 && !slices.ContainsFunc(others, func(s *infer.Site) bool { return !inTurn(pkg, mine, s) }) ||
		pkg.SetUp(mine, others, nil) || pkg.Ended(mine, others)
}

// sides returns the accesses that a function makes, and those of the place that suit, false
// if there may be more: other packages can come to the map. What other programs do alone is none of them. What is done by another name,
// where the map goes elsewhere, is no access that a witness could name.
func (j *Judge) sides(pl *infer.Place, own []*access.Access, suits func(*infer.Site) bool) (mine, others []*infer.Site, ok bool) {
	mine = standing(pl, own)
	far, known, ok := j.far(pl)
	if !ok || len(mine) == 0 {
		return nil, nil, false
	}
	for i := range pl.Sites {
		s := &pl.Sites[i]
		switch {
		case s.Imported() && !known:
			return nil, nil, false
		case s.Imported():
			// it is among the far ones
		case s.Acc.Op.Uses() && !s.Exempt && !s.Acc.Joined && suits(s):
			others = append(others, s)
		}
	}
	writes := slices.ContainsFunc(own, func(a *access.Access) bool { return a.Op.Writes() })
	for _, s := range far {
		if (writes || s.Acc.Op.Writes()) && suits(s) {
			others = append(others, s)
		}
	}
	pkg := j.Threads.Package()
	return mine, slices.DeleteFunc(others, func(s *infer.Site) bool { return pkg.OtherPrograms(mine, s) }), true
}

// far returns the accesses that functions of the module's other packages make, other modules
// aside; known where the module was read as a whole. It is not ok if nothing tells whether there are any.
func (j *Judge) far(pl *infer.Place) (sites []*infer.Site, known, ok bool) {
	v, pkg := pl.Loc.Var, j.Threads.Package().Types
	if v == nil || len(pl.Sites) > maxSites {
		return nil, false, false
	}
	uses, known := j.Guards.Users(v, pkg)
	if !known {
		return nil, false, !v.Exported() || v.Pkg() == nil || v.Pkg().Name() == "main"
	}
	for _, u := range uses {
		op := access.Lookup
		if u.Writes {
			op = access.Insert
		}
		sites = append(sites, &infer.Site{Far: u.Fn, Acc: &access.Access{Op: op}})
	}
	return sites, true, true
}

// FilledAtStart reports whether the module shows that the program's start alone changes a map
// that leaves its package by an access.
func (j *Judge) FilledAtStart(pl *infer.Place, leaves *infer.Site) bool {
	changes, known, ok := j.far(pl)
	if !ok {
		return false
	}
	changes = slices.DeleteFunc(changes, func(s *infer.Site) bool { return !s.Acc.Op.Writes() })
	for i := range pl.Sites {
		s := &pl.Sites[i]
		switch {
		case s.Exempt || s.Acc.Joined || !s.Acc.Op.Writes(), s.Imported() && known:
		case s.Imported():
			return false
		default:
			changes = append(changes, s)
		}
	}
	return j.Threads.Package().OnlyStart(changes, []*infer.Site{leaves}, append(slices.Clone(changes), leaves))
}

// Threaded reports whether the module shows a thread besides its main goroutine that makes the
// accesses of f, or those of the place that suit; or may have one.
//
// Where nothing but being package-level speaks for a plain map in a module that has programs of its own, a
// thread that may be there is no evidence: their goroutines are in sight.
func (j *Judge) Threaded(e Evidence, pl *infer.Place, own []*access.Access, suits func(*infer.Site) bool) bool {
	mine, others, ok := j.sides(pl, own, suits)
	pkg, all := j.Threads.Package(), slices.Concat(mine, others)
	if e.PackageLevel && pkg.Programs() && !slices.ContainsFunc(mine, concurrent) {
		return !ok || pkg.Begun(all)
	}
	return !ok || pkg.Threaded(all)
}

// concurrent reports whether an access is one to a concurrent map, which tells by itself of goroutines.
func concurrent(s *infer.Site) bool { return s.Acc.Op.Concurrent() }

// OnlyStart reports whether the module shows that the program's start alone makes the changes
// of a place, those of f among them, that suit.
func (j *Judge) OnlyStart(pl *infer.Place, own []*access.Access, suits func(*infer.Site) bool) bool {
	mine, others, ok := j.sides(pl, own, suits)
	return ok && j.onlyStart(mine, others)
}

// onlyStart reports whether the program's start alone makes the changes of both sides.
func (j *Judge) onlyStart(mine, others []*infer.Site) bool {
	all := slices.Concat(mine, others)
	changes := slices.DeleteFunc(slices.Clone(all), func(s *infer.Site) bool { return !s.Acc.Op.Writes() })
	return j.Threads.Package().OnlyStart(changes, mine, all)
}

// inTurn reports whether accesses are made by one thread at a time, or some before all
// threads begin that make the others.
func inTurn(pkg *infer.Package, mine []*infer.Site, other *infer.Site) bool {
	theirs := []*infer.Site{other}
	return pkg.Sole(append(theirs, mine...)) || pkg.Before(mine, theirs) || pkg.Before(theirs, mine)
}

// ChangedLate reports whether a map changes once the program has started: something other
// than its start makes one of the changes that suit, as far as the module shows. What is not
// known counts.
func (j *Judge) ChangedLate(pl *infer.Place, suits func(*infer.Site) bool) bool {
	changes, known, ok := j.far(pl)
	if !ok {
		return true
	}
	changes = slices.DeleteFunc(changes, func(s *infer.Site) bool { return !s.Acc.Op.Writes() })
	for i := range pl.Sites {
		s := &pl.Sites[i]
		switch {
		case s.Exempt || !s.Acc.Op.Writes(), s.Imported() && known:
		case s.Imported():
			return true
		case suits(s):
			changes = append(changes, s)
		}
	}
	return j.Threads.Package().Late(changes)
}

// OneThread is Sole for one access, and all that it can collide with: those that a lock keeps
// apart from it cannot.
func (j *Judge) OneThread(pl *infer.Place, s *infer.Site, apart func(*infer.Site) bool) bool {
	return j.Sole(nil, pl, []*access.Access{s.Acc}, func(b *infer.Site) bool { return collide(s.Acc.Op, b.Acc.Op) && !apart(b) })
}

// GivenInTurn is OneThread where the map is given away: the thread that runs the function uses it,
// and the same one makes all changes.
func (j *Judge) GivenInTurn(pl *infer.Place, s *infer.Site) bool {
	return j.Sole(nil, pl, []*access.Access{s.Acc}, func(b *infer.Site) bool { return b.Acc.Op.Writes() })
}

// ThreadedAt is Threaded for one access, and all that it can collide with.
func (j *Judge) ThreadedAt(e Evidence, pl *infer.Place, s *infer.Site) bool {
	return j.Threaded(e, pl, []*access.Access{s.Acc}, func(b *infer.Site) bool { return collide(s.Acc.Op, b.Acc.Op) })
}

// CallersHold reports whether all known callers of a function hold a lock that
// will do, or are themselves called so: other callers are an assumption.
func (j *Judge) CallersHold(f *infer.Func, will func(*infer.Func, []locks.Held) bool) bool {
	return j.Threads.EveryCaller(f, will)
}

// Taking returns why an access of a shared place, without a guard of its own, can meet another one, false if
// what shows that the place is shared does not concern it. The guard of others' objects shows nothing of it.
func (j *Judge) Taking(pl *infer.Place, s *infer.Site) (Evidence, bool) {
	e := j.Of(pl)
	if e.Common {
		return j.AsCommon(e, s.Func, s.Acc), true
	}
	if !e.Threads() && j.Guards.Of(pl.Loc) == nil {
		return e, e.Concerns(s.Acc.Path)
	}
	return strongest(j.Pairs(pl), func(p Pair) bool { return p.A == s || p.B == s })
}

// AsCommon returns the evidence that goroutines have a map in common as it concerns an access: it must
// be by the same object that they come there.
func (j *Judge) AsCommon(e Evidence, f *infer.Func, a *access.Access) Evidence {
	if _, _, ok := j.Threads.Package().InCommon(f, a); !ok {
		return Evidence{Confidence: Low, Text: "what shows that the place is shared concerns another object"}
	}
	return e
}

// strongest returns the best evidence of some pairs, the first of equal ones.
func strongest(pairs []Pair, of func(Pair) bool) (best Evidence, ok bool) {
	for _, p := range pairs {
		if of(p) && (!ok || p.Evidence.stronger(best)) {
			best, ok = p.Evidence, true
		}
	}
	return best, ok
}

// stronger reports whether goroutines that meet are better evidence than others.
func (e Evidence) stronger(f Evidence) bool {
	if e.Confidence != f.Confidence {
		return e.Confidence > f.Confidence
	}
	return f.Meets == Callers && e.Meets != Callers
}
