package witness

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/guard"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
)

// An Application is what is known of the threads of a module that other modules hardly use, so that what its
// threads do not show is an assumption.
type Application interface {
	// Shows reports whether it shows all threads that make some accesses, at least one.
	Shows([]*infer.Site) bool
	// Serves reports whether a server's requests lead to one of some accesses.
	Serves([]*infer.Site) bool
	// Divides reports whether several goroutines of one start have the object of an access in common, and
	// divide the work on it.
	Divides(*infer.Site) bool
	// Once reports whether it shows one way alone to some accesses from where a thread begins, which that goes once, and on
	// which no thread begins first that comes to one of the others.
	Once(sites, others []*infer.Site) bool
	// Opened reports whether it shows that some accesses are made while the object is being opened, before a thread begins
	// that comes to one of the others.
	Opened(p *infer.Package, sites, others []*infer.Site) bool
	// Recurs reports whether it shows that one of some accesses is made again and again.
	Recurs([]*infer.Site) bool
}

// Bound bounds what rests on threads that an application does not show: it is at most medium, and low where
// the harm asks for two that come with one key at a time.
func (j *Judge) Bound(app Application) {
	for i := range j.candidates {
		v := &j.candidates[i]
		if v.Local || !v.raised() {
			continue // what starts the goroutines stands beside it; or it is low already
		}
		sites := []*infer.Site{{Func: v.Func, Acc: v.Check}, {Func: v.Func, Acc: v.Act}}
		if v.dividesKeys() && !j.namesKey(v) && !app.Serves(sites) && !app.Divides(sites[1]) {
			v.lower(OneByOne, "the module shows neither requests that bring the key, nor goroutines that divide the keys of one object")
		}
		v.bound(app, sites, v.split() && !j.meetAtKey(v) && !app.Divides(sites[1]))
		j.opened(&v.Judgement, v.Evidence, j.Place(v.Act.Path.Location()), app, sites)
	}
	for i := range j.accesses {
		v := &j.accesses[i]
		if !v.raised() {
			continue
		}
		kept, broken := j.discipline(v)
		if kept {
			continue // the lock is there for other goroutines, wherever these come from
		}
		sites := []*infer.Site{v.Site}
		if j.ownLock(v, app) {
			v.lower(NoRequest, "the lock is held by the one function alone that changes the map, to which no request leads")
		}
		v.bound(app, sites, broken && !app.Shows(sites) || j.putsIn(v) && app.Once(sites, j.others(v.Place)))
		j.opened(&v.Judgement, v.Evidence, v.Place, app, sites)
	}
	for i := range j.entries {
		v := &j.entries[i]
		v.bound(app, []*infer.Site{{Func: v.Func, Acc: v.Look}, {Func: v.Func, Acc: v.Act}}, true)
	}
	for i := range j.calls {
		v := &j.calls[i]
		sites := called(v)
		pl := j.Place(v.Act.Path.Location())
		v.bound(app, sites, j.promised(v) && app.Once(sites, j.others(pl)))
		j.opened(&v.Judgement, v.Evidence, pl, app, sites)
	}
}

// opened lowers a witness to which no server's requests lead if it shows what is done while the object is being opened.
func (j *Judge) opened(v *Judgement, e sharing.Evidence, pl *infer.Place, app Application, sites []*infer.Site) {
	if v.raised() && pl != nil && !j.stated(e, pl) && !app.Serves(sites) && app.Opened(j.Pkg, sites, j.others(pl)) {
		v.lower(Opened, "the module shows that the object is made before on each way that leads here")
	}
}

// bound takes a step of confidence from a witness to which no server's requests lead. Any two of these run at
// once; whether other goroutines do depends on how many there are of each, which object each has, and what
// comes first. Of the findings on unseen code that were judged, nine in ten were true where requests lead to the
// access; of those of medium confidence where none do, one in three.
//
// It is low if there is another doubt: each of two sections is locked, so that something must hold between the two for
// harm to be done, and neither is the key fixed, nor do several goroutines of one start divide the work on the map (of
// such findings one in five was true); or others, too, change the map without the lock that use alone tells of (one in six).
// Where the harm asks for two goroutines with one key, that question has been asked before.
func (v *Judgement) bound(app Application, sites []*infer.Site, doubtful bool) {
	if !v.raised() || app.Serves(sites) {
		return
	}
	why, shown := "no request leads here, as far as the module shows", app.Shows(sites)
	if !shown {
		why = "the module does not show all that come here"
	}
	switch {
	case doubtful, v.Confidence < sharing.High && v.Grade != MadeTwice && !shown:
		v.lower(NoRequest, why)
	case v.Confidence == sharing.High:
		v.Confidence, v.module = sharing.Medium, why
	}
}

// discipline tells whether several functions change entries, and all hold the map's guard: kept; or whether one beside the
// function at hand does without it: broken. Neither where something else than use tells of the guard.
func (j *Judge) discipline(v *AccessVerdict) (kept, broken bool) {
	if !v.byUse() {
		return false, false
	}
	g := v.Guard
	without := g.Changers - g.HeldChangers
	if slices.ContainsFunc(v.Place.Sites, func(s infer.Site) bool {
		mode, ok := j.Guards.Holds(g, s.Held, s.Acc.Path)
		changes := needsLock(&s) && s.Acc.Op.ChangesEntries()
		return s.Func == v.Site.Func && changes && (!ok || mode != locks.Write)
	}) {
		without--
	}
	return g.Covers(), without > 0
}

// byUse reports whether an access lacks a guard of which use alone tells.
func (v *AccessVerdict) byUse() bool {
	return v.Kind == Used && v.Guard != nil && v.Guard.How == guard.Used
}

// ownLock reports whether a map is read without a guard of which use alone tells, and which nothing holds but the one
// function that changes the map, and that does not run again and again: it mostly sets up, though the module does not show that it
// comes before the reads. None of the four such findings of the first module that had some was true.
func (j *Judge) ownLock(v *AccessVerdict, app Application) bool {
	if !v.byUse() || !v.Guard.One() || v.Site.Acc.Op.Writes() {
		return false
	}
	return !slices.ContainsFunc(v.Place.Sites, func(s infer.Site) bool {
		return s.Acc.Op.Writes() && !s.Exempt && app.Recurs([]*infer.Site{&s})
	})
}

// others returns the accesses to a place.
func (j *Judge) others(pl *infer.Place) (sites []*infer.Site) {
	for i := range pl.Sites {
		if needsLock(&pl.Sites[i]) {
			sites = append(sites, &pl.Sites[i])
		}
	}
	return sites
}

// promised reports whether nothing but use tells that a callee runs under the lock that a call lacks: its other callers
// hold it. Who calls it once without mostly does so before these. Of such findings on unseen code to which no requests lead
// none of seven was true.
func (j *Judge) promised(v *CallVerdict) bool {
	g := j.Guards.Of(v.Act.Path.Location())
	return g != nil && g.How == guard.Used && !v.Blame.Read
}

// putsIn reports whether an access puts something into the map without a guard of which use alone tells, and which all
// others hold that change it: who takes the lock for each change but one that is made once mostly makes that before
// others come. Of such findings on unseen code to which no requests lead none of eight was true. What is deleted is
// mostly no part of a set-up.
func (j *Judge) putsIn(v *AccessVerdict) bool {
	op := v.Site.Acc.Op
	if !v.byUse() || !op.Writes() || op.Deletes() {
		return false
	}
	return !slices.ContainsFunc(v.Place.Sites, func(s infer.Site) bool {
		_, ok := j.Guards.Holds(v.Guard, s.Held, s.Acc.Path)
		return s.Func != v.Site.Func && needsLock(&s) && s.Acc.Op.Writes() && !ok
	})
}

// split reports whether look and act are each in a critical section, so that the map itself is not raced on.
func (v *Verdict) split() bool { return !v.Raced() && !v.Concurrent() }

// meetAtKey reports whether the goroutines that come to a pair mean one entry, or no entry matters: the key is fixed, or a
// caller's constant, or the look is at the length; or the harm asks for one key, of which has been asked before.
func (j *Judge) meetAtKey(v *Verdict) bool {
	return v.asksOneKey() || v.keyIsFixed() || v.Check.Op == access.Len || j.namesKey(v)
}

// dividesKeys reports whether goroutines may have the keys of a map divided among themselves, so that no two
// come with one at a time, and the harm asks for that: the entry is looked up by a key that is neither fixed
// nor the map's own object's. Who sends two requests can name one key in both, and so can what several workers
// take from one channel; other goroutines mostly have a key each. Of 35 such pairs on unseen code four were
// true, most of these in requests.
func (v *Verdict) dividesKeys() bool {
	return v.asksOneKey() && !v.keyIsFixed()
}

// keyIsFixed reports whether the act is on one entry of the map, whichever goroutine makes it: by a constant, what a variable of the
// package holds, or a part of the map's own object.
func (v *Verdict) keyIsFixed() bool {
	key := v.Act.Key
	return key.InConst() || key.Root().Kind == accesspath.Global || ofOwner(key, v.Act.Path)
}

// asksOneKey reports whether the harm asks for two goroutines that come with one key at a time: the entry is looked up. An update
// is lost by two at one entry alone; but where the map is raced on, that is a harm with any keys.
func (v *Verdict) asksOneKey() bool {
	switch v.Grade {
	case TwoObjects, MadeTwice, ToldTwice, UsedThenDeleted:
		return v.looksUp()
	case LostUpdate:
		return v.looksUp() && !v.Raced()
	}
	return false
}

// namesKey reports whether a caller gives the function a constant as the key: all that come by that call
// mean one entry.
func (j *Judge) namesKey(v *Verdict) bool {
	r := v.Act.Key.Root()
	if r.Kind != accesspath.Param || r.Fn != v.Func.Key {
		return false
	}
	return slices.ContainsFunc(j.Pkg.CallersOf(v.Func), func(s infer.CallSite) bool {
		return r.Index < len(s.Call.Args) && s.Call.Args[r.Index].InConst()
	})
}

// ofOwner reports whether a key is a part of the object that has the map.
func ofOwner(key, path accesspath.Path) bool {
	base := path.Base()
	return base.Known() && key.HasPrefix(base)
}

// called returns the access that a call leads to as one that its caller makes where the call stands.
func called(v *CallVerdict) []*infer.Site {
	return []*infer.Site{{Func: v.Blame.Caller, Acc: v.made()}}
}
