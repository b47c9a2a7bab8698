package threads

import (
	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
)

// A Meeting is the reason why two accesses can run at one time on one object.
type Meeting struct {
	// A is the visit of the first access, or of the second where only that is
	// a goroutine's.
	A *Visit
	// B is the other one, nil if A's starter or the callers make it.
	B *Visit
	// Other is the function of the other access.
	Other *infer.Func
	// How says what the other one is.
	How string
	// Failing: the goroutine runs on only where its starter has failed.
	Failing bool
	// Callers: those who call the package make the other access, a change, and nothing
	// shows that they do so while the goroutine runs, which only reads: it did not come
	// with the object, which they may set up before.
	Callers bool
	// Alike: both come to an object of one type, which others can know: nothing shows
	// that it is the same one.
	Alike bool
}

// String says why the two can meet.
func (m Meeting) String() string {
	switch th := m.A.Thread; {
	case th.Handler() && th.Times != Many:
		return th.Starter.Name + " is called by its server, " + m.How
	case th.Handler():
		return th.Starter.Name + " is called concurrently by its server"
	}
	return m.A.Thread.Reaches() + ", " + m.How
}

// Free tells whether locks leave an access free to meet others. A nil Free lets
// all pass: whether a lock keeps two apart is another question.
type Free func(held []locks.Held, path accesspath.Path) bool

func (ok Free) of(held []locks.Held, path accesspath.Path) bool { return ok == nil || ok(held, path) }

// Meet reports whether threads that the package shows can make the two accesses
// at one time on one object. It is symmetric. That two of the callers do is not
// shown by threads.
func (t *Theory) Meet(a, b *infer.Site, free Free) (Meeting, bool) {
	return t.MeetBy(Set{any: true}, a, b, free)
}

// MeetBy is Meet for a first access that one of these threads makes.
func (t *Theory) MeetBy(by Set, a, b *infer.Site, free Free) (Meeting, bool) {
	var best found
	if t.meet(&best, by, a, b, free) || a.Acc == b.Acc || !by.Has(mainThread) && !by.Has(callers) {
		return best.Meeting, best.ok
	}
	for _, vb := range t.byAcc[b.Acc] {
		if free.of(vb.Held, vb.Path) && best.take(t.present(vb, b, a, free)) {
			break
		}
	}
	return best.Meeting, best.ok
}

// found is the best meeting so far: one that needs no starter that fails, nor a time
// at which others call, is as good as any.
type found struct {
	Meeting
	ok bool
}

// take keeps a meeting, if it is one, that is better than the one so far. It
// reports whether none can be better.
func (f *found) take(m Meeting, ok bool) (best bool) {
	if ok && (!f.ok || m.assumes() < f.assumes()) {
		f.Meeting, f.ok = m, true
	}
	return f.ok && f.assumes() == 0
}

// assumes says how much of a meeting the package does not show.
func (m Meeting) assumes() int {
	switch {
	case m.Failing:
		return 3
	case m.Callers:
		return 2
	case m.Alike:
		return 1
	}
	return 0
}

// meet looks for meetings of a visit to a by one of these threads, and for what
// is present where it comes. It reports whether it has found the best there is.
func (t *Theory) meet(best *found, by Set, a, b *infer.Site, free Free) bool {
	for _, va := range t.byAcc[a.Acc] {
		if !by.Has(va.Thread.index) || !free.of(va.Held, va.Path) {
			continue
		}
		for _, vb := range t.byAcc[b.Acc] {
			if !free.of(vb.Held, vb.Path) || free != nil && t.keptApart(va, vb) {
				continue
			}
			ok, failing := t.parallel(va, vb)
			m := Meeting{A: va, B: vb, Other: b.Func, How: "beside another one", Failing: failing}
			m.Alike = t.likeOnly(va, vb)
			if va.Thread == vb.Thread {
				m.How = "several at a time"
			}
			if best.take(m, ok) {
				return true
			}
		}
		if best.take(t.present(va, a, b, free)) {
			return true
		}
	}
	return false
}

// Parallel reports whether two visits can happen at one time on one object, and
// not only where what starts them fails.
func (t *Theory) Parallel(a, b *Visit) bool {
	ok, failing := t.parallel(a, b)
	return ok && !failing
}

// parallel is Parallel, and tells whether that needs a starter that fails before
// it waits.
func (t *Theory) parallel(a, b *Visit) (ok, failing bool) {
	if Apart(a.Claim, b.Claim) || t.either(a, b) {
		return false, false
	}
	if a.Thread != b.Thread && a.Thread.Queue != "" && a.Thread.Queue == b.Thread.Queue {
		return false, false
	}
	if sameStart(a.Thread, b.Thread) {
		return inRounds(a, b) && a.Path == b.Path, false
	}
	if !alike(a.Path, b.Path) {
		return false, false
	}
	if t.parent(a.Thread, b.Thread) {
		return t.besides(b, a) || t.again(a, b), false
	}
	if t.parent(b.Thread, a.Thread) {
		return t.besides(a, b) || t.again(b, a), false
	}
	if together, common := t.siblings(a, b); common {
		return together, false
	}
	if t.during(b, a) {
		return t.besides(b, a), false
	}
	if t.during(a, b) {
		return t.besides(a, b), false
	}
	ua, ub := t.up(a.Thread), t.up(b.Thread)
	failing = !ua.loose && !ub.loose
	if failing && !ua.failing && !ub.failing {
		return false, false // each ends with the call that starts it
	}
	if g := a.Path.Root().Kind == accesspath.Global; g || b.Path.Root().Kind == accesspath.Global {
		return a.Path == b.Path, failing
	}
	return t.Known(a) && t.Known(b) && !(t.makes(a) && t.makes(b)) && !t.bornApart(a.Path, b.Path), failing
}

// sameStart reports whether two threads are one, or begin at one place: what it does itself,
// and what functions of other packages do for it.
func sameStart(a, b *Thread) bool { return a == b || a.call != nil && a.call == b.call }

// again reports whether another one like the thread of a visit, or its next run, can come
// to the object while a goroutine goes on that it has started.
func (t *Theory) again(v, started *Visit) bool {
	switch {
	case !t.Known(started):
		return false
	case v.Thread.Times == Many:
		return v.Many
	}
	return v.Thread.Kind == Server && t.up(started.Thread).loose
}

// makes reports whether the function that starts a visit's thread has made the
// object that it works on, with all that lies between it and the map: two that do
// have two objects.
func (t *Theory) makes(v *Visit) bool { return t.makesAll(v.Path) }

// makesAll reports whether a path begins at an object that is made where it stands, with
// all that lies between it and the map.
func (t *Theory) makesAll(p accesspath.Path) bool {
	return t.pkg.Makes(p.Root().Val) && t.pkg.OwnParts(p.Base())
}

// Apart reports whether two accesses are each made by the claimer of one flag for
// good: one of them is never made.
func Apart(a, b accesspath.Path) bool {
	return a.Known() && (a == b || a.Location().Valid() && a.Location() == b.Location())
}

// parent reports whether thread a runs what starts thread b.
func (t *Theory) parent(a, b *Thread) bool {
	return a.Target != nil && b.Kind == Goroutine && t.up(b).all[a.Target]
}

// besides reports whether the starter of b's thread, or what it calls, makes
// the access of a while b's thread runs.
func (t *Theory) besides(b, a *Visit) bool {
	for _, fr := range t.up(b.Thread).frames {
		p := t.at(b.Path, fr)
		for _, x := range t.restOf(fr)[a.Access] {
			if p.Known() && x.path == p {
				return true
			}
		}
	}
	return false
}

// siblings looks for a function that starts both threads, on one object: they
// run together if one can be started while the other runs.
func (t *Theory) siblings(a, b *Visit) (together, common bool) {
	for _, fa := range t.up(a.Thread).frames {
		for _, fb := range t.up(b.Thread).frames {
			if fa.f != fb.f || fa.call == nil || fb.call == nil || fa.call == fb.call {
				continue
			}
			p := t.at(a.Path, fa)
			if !p.Known() || p != t.at(b.Path, fb) {
				continue
			}
			common = true
			if t.over(a, fa, fb) || t.over(b, fb, fa) {
				continue
			}
			if (follows(fa, fb) || follows(fb, fa)) && !t.anewFor(p, fa, fb) && !t.alternatives(fa, fb) && !t.otherRounds(p, fa, fb) {
				return true, true
			}
		}
	}
	return false, common
}

// alternatives reports whether a function makes one of two calls at most whenever it runs.
func (t *Theory) alternatives(a, b *frame) bool {
	blocks := a.f.SSA.Blocks
	return t.pkg.Alternatives(a.f, blocks[a.call.Point.Block], blocks[b.call.Point.Block])
}

// over reports whether the thread of a visit, which the first frame leads to, has
// waited for that of the second frame by then. What starts after it may not be among
// those that it waits for.
func (t *Theory) over(v *Visit, its, other *frame) bool {
	var waits []accesspath.Path
	for _, p := range v.Waits {
		if p = t.at(p, its); p.Known() {
			waits = append(waits, p)
		}
	}
	return other.call.Signals.Has(waits) && !follows(its, other)
}

// follows reports whether b's call can come while what a's has started runs. A server goes
// on to call both of two handlers, however many are registered between them.
func follows(a, b *frame) bool {
	if a.call.Registered && b.call.Registered {
		return true
	}
	for _, i := range a.call.After {
		if &a.f.Calls[i] == b.call {
			return true
		}
	}
	return false
}

// present reports whether the starter of a visit's thread, or the callers, can
// make an access while the thread runs, on the same object.
func (t *Theory) present(v *Visit, own, s *infer.Site, free Free) (Meeting, bool) {
	m := Meeting{A: v, Other: s.Func, How: "beside " + s.Func.Name}
	up, born, serves := t.up(v.Thread), t.comesWith(v), false
	for _, fr := range up.frames {
		p := t.at(v.Path, fr)
		if !p.Known() {
			continue
		}
		serves = serves || t.serves(v, p, s)
		for _, x := range t.restOf(fr)[s.Acc] {
			if x.path != p || Apart(x.claim, v.Claim) || fr.below != nil && t.excludes(v, x.claim) {
				continue
			}
			if free.of(x.held, x.path) {
				return m, true
			}
		}
	}
	m.Failing, m.Callers = !up.loose, !born && !own.Acc.Op.Writes()
	m.Alike = !born && !serves && v.Path.Root().Kind != accesspath.Global
	return m, (up.loose || up.failing) && t.calledBeside(v, s, free)
}

// calledBeside reports whether callers can make an access on the object of a
// goroutine that runs on when the package's functions have returned.
func (t *Theory) calledBeside(v *Visit, s *infer.Site, free Free) bool {
	if !t.Open(s.Func) || Apart(s.Acc.Claim, v.Claim) || t.excludes(v, s.Acc.Claim) || !free.of(s.Held, s.Acc.Path) {
		return false // none of them comes here, or is kept out
	}
	if v.Path.Root().Kind == accesspath.Global {
		return s.Acc.Path == v.Path && t.callersReach(v.Thread).open(s.Func)
	}
	h, ok := t.handedAt(s.Func, s.Acc.Path)
	if !ok || t.hidden(v.Path, h, s.Acc.Path) || !alike(s.Acc.Path, v.Path) || !t.everything().gets(h, free != nil) {
		return false
	}
	return t.Known(v) && t.callersReach(v.Thread).gets(h, free != nil)
}

// Once reports whether no second thread like a visit's can be at its object: the
// thread exists once, or is started where its object is made or brought up, or
// goes on until it is told to stop, as one has once for an object.
func (t *Theory) Once(v *Visit) bool {
	th := v.Thread
	switch {
	case v.Many || th.Kind != Goroutine || th.Registered || th.Target == nil || th.cut:
		return false
	case th.Times == One, t.claimed(th, v.Path), th.Starter.StartUp, v.Path.Root().Kind == accesspath.Value:
		return true
	}
	return t.goesOn(th)
}

// Alone reports whether f runs in threads that the package shows, none of which
// makes the accesses at one object twice; it names one of them. The accesses are
// those of f, and the sites where they stand in it or in what it calls.
func (t *Theory) Alone(f *infer.Func, own []*access.Access, sites []*infer.Site) (string, bool) {
	runs := t.comesTo(f, own)
	if runs.any || runs.Empty() || runs.Has(callers) {
		return "", false
	}
	for _, s := range sites {
		seen := make(map[int]bool)
		for _, v := range t.byAcc[s.Acc] {
			if !runs.Has(v.Thread.index) {
				continue
			}
			if !t.Once(v) {
				return "", false
			}
			seen[v.Thread.index] = true
		}
		for _, id := range runs.ids {
			if id != mainThread && !seen[id] {
				return "", false // it runs it on an object that cannot be followed
			}
		}
	}
	return t.Threads[runs.ids[len(runs.ids)-1]].String(), len(sites) > 0
}
