package witness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
)

// A key names a candidate in every judgement of one package.
type key struct{ a, b any }

// Excluded are the candidates that a judgement of a package leaves silent.
type Excluded struct {
	// why are the reasons; nil where nothing was judged.
	why map[key]Reason
	// surely are those that a lock, or the time, keeps apart from others; or which
	// concern objects of the caller's own, where the package shares others.
	surely map[key]bool
	// perhaps are those that are silent for other reasons.
	perhaps map[key]bool
	// sole are those that are low since one thread of the module alone comes to the map,
	// or nothing changes it but the program's start: these grades.
	sole map[key]Grade
}

// Excluded returns the candidates that are silent. It is for the judgement that
// knows only the calls in the module of functions that others can call, too: what
// it leaves silent has no witness there. Calls on objects of the caller's own
// tell little of a type that nothing in the module shares: a small program of the
// module that uses a library from one goroutine does so. And a lock that all calls
// hold tells little where others come to the map without it.
func (j *Judge) Excluded() *Excluded {
	x := &Excluded{why: make(map[key]Reason), surely: make(map[key]bool), perhaps: make(map[key]bool), sole: make(map[key]Grade)}
	raced := make(map[*infer.Place]bool)
	for i := range j.accesses {
		if v := &j.accesses[i]; v.raised() && !v.Site.Func.Ctx.Idle {
			raced[v.Place] = true
		}
	}
	note := func(k key, v *Judgement, pl *infer.Place) {
		r := v.Reason
		x.why[k] = r
		switch r {
		case NoReason:
			switch v.Grade {
			case OneThread, AtStart, NoThread, Enclosed, BeforeUse:
				x.sole[k] = v.Grade
			}
		case OnlyInit, RunsOnce:
			x.surely[k] = true
		case GuardHeld, OneSection, OtherLock, Renewed:
			x.surely[k] = !raced[pl]
		case NotPublished:
			x.surely[k] = j.shares(pl)
			x.perhaps[k] = true
		case NeverChanged:
			if x.perhaps[k] = !raced[pl]; !j.stated(v.Evidence, pl) {
				x.sole[k] = AtStart
			}
		case NoOther, AfterJoin:
			x.surely[k], x.perhaps[k] = !raced[pl] && j.comesAfter(pl), !raced[pl]
		default:
			x.perhaps[k] = !raced[pl]
		}
	}
	j.each(note)
	return x
}

// each visits the judgements of all candidates, by their names.
func (j *Judge) each(visit func(key, *Judgement, *infer.Place)) {
	for i := range j.candidates {
		v := &j.candidates[i]
		visit(key{v.Check, v.Act}, &v.Judgement, j.Place(v.Act.Path.Location()))
	}
	for i := range j.accesses {
		v := &j.accesses[i]
		visit(key{v.Site.Acc, v.Kind}, &v.Judgement, v.Place)
	}
	for i := range j.entries {
		v := &j.entries[i]
		visit(key{v.Look, v.Act}, &v.Judgement, j.Place(v.Look.Path.Location()))
	}
	for i := range j.freed {
		v := &j.freed[i]
		visit(key{v.Mark, v.Act}, &v.Judgement, j.Place(v.Act.Path.Location()))
	}
	for i := range j.calls {
		v := &j.calls[i]
		visit(key{v.Blame.Call, v.Act}, &v.Judgement, j.Place(v.Act.Path.Location()))
	}
}

// shares reports whether some function comes to the place on an object that is not
// its caller's own.
func (j *Judge) shares(pl *infer.Place) bool {
	return slices.ContainsFunc(pl.Sites, func(s infer.Site) bool {
		return !s.Exempt && s.Acc.Op.Uses() && !j.Sharing.Threads.Of(s.Func).Empty()
	})
}

// CanLower reports whether there is a witness that Lower could make low.
func (j *Judge) CanLower() bool {
	return slices.ContainsFunc(j.candidates, func(v Verdict) bool { return v.raised() }) ||
		slices.ContainsFunc(j.accesses, func(v AccessVerdict) bool { return v.raised() || v.Reason == NoReason && v.Kind == Leaves }) ||
		slices.ContainsFunc(j.entries, func(v EntryVerdict) bool { return v.raised() }) ||
		slices.ContainsFunc(j.freed, func(v FreedVerdict) bool { return v.raised() }) ||
		slices.ContainsFunc(j.races, func(v RaceVerdict) bool { return v.raised() }) ||
		slices.ContainsFunc(j.calls, func(v CallVerdict) bool { return v.raised() })
}

// Lower makes those witnesses low that the module's own calls exclude. What the
// documentation claims for all callers stays. A map that a function returns goes
// nowhere if nothing in the module calls the function, or does something with the map:
// uncalled tells these. unused
// tells those that no program of an application comes to, and idle those that nothing
// calls at all, which counts where other functions use the map. Nor does a map matter to a
// read which only such functions change, nor one that only idle functions make. A nil x excludes nothing.
func (j *Judge) Lower(x *Excluded, uncalled, unused, idle func(*infer.Func) bool) {
	if x == nil {
		x = new(Excluded)
	}
	lower := func(k key, v *Judgement) {
		guess := x.perhaps[k] && v.Evidence.Confidence < sharing.High
		if v.raised() && !v.Evidence.Claimed && (x.surely[k] || guess) {
			v.lower(ModuleExcludes, x.why[k].Text())
		}
		if g := x.sole[k]; g != NoGrade && v.raised() && !v.Evidence.Claimed {
			v.lower(g, "")
		}
	}
	used := func(s infer.Site) bool { return !s.Exempt && !idle(s.Func) }
	leave := func(f *infer.Func, v *Judgement, pl *infer.Place) {
		if v.raised() && (unused(f) || idle(f) && slices.ContainsFunc(pl.Sites, used)) {
			v.lower(NoCaller, v.module)
		}
		if v.raised() && !v.Evidence.Claimed && j.neverGiven(pl, idle) {
			v.lower(NoCaller, "what makes the map")
		}
	}
	runs := func(f *infer.Func) bool { return f == nil || !idle(f) && !unused(f) }
	for i := range j.candidates {
		v := &j.candidates[i]
		lower(key{v.Check, v.Act}, &v.Judgement)
		leave(v.Func, &v.Judgement, j.Place(v.Act.Path.Location()))
	}
	for i := range j.accesses {
		v := &j.accesses[i]
		lower(key{v.Site.Acc, v.Kind}, &v.Judgement)
		if v.Reason == NoReason && v.Kind == Leaves && v.Site.Acc.Op == access.Return && uncalled(v.Site.Func) {
			v.lower(ModuleExcludes, "nothing in it calls this function, or uses the map that it returns")
		}
		leave(v.Site.Func, &v.Judgement, v.Place)
		if v.raised() && !v.Site.Acc.Op.Writes() && j.leftAlone(v.Place, runs) {
			v.lower(NoCaller, "what changes the map")
		}
	}
	for i := range j.entries {
		v := &j.entries[i]
		lower(key{v.Look, v.Act}, &v.Judgement)
		leave(v.Func, &v.Judgement, j.Place(v.Look.Path.Location()))
	}
	for i := range j.freed {
		v := &j.freed[i]
		lower(key{v.Mark, v.Act}, &v.Judgement)
		leave(v.Func, &v.Judgement, j.Place(v.Act.Path.Location()))
	}
	for i := range j.races {
		if v := &j.races[i]; v.raised() && slices.ContainsFunc(v.funcs(), unused) {
			v.lower(NoCaller, v.module)
		}
	}
	for i := range j.calls {
		v := &j.calls[i]
		k := key{v.Blame.Call, v.Act}
		lower(k, &v.Judgement)
		if _, blamed := x.why[k]; !blamed && x.why != nil && v.raised() && !v.Evidence.Claimed {
			v.lower(ModuleExcludes, "with its calls alone, this one needs no lock")
		}
		leave(v.Blame.Caller, &v.Judgement, j.Place(v.Act.Path.Location()))
	}
}

// Rests reports whether there is a witness on a map that a function which unused tells of
// changes, itself or by what it calls.
func (j *Judge) Rests(unused func(*infer.Func) bool) bool {
	led := j.ledTo(unused)
	changed := make(map[*infer.Place]bool)
	for _, pl := range j.Places {
		changed[pl] = slices.ContainsFunc(pl.Sites, func(s infer.Site) bool {
			return !s.Exempt && (s.Acc.Op.Writes() || s.Acc.Op == access.Atomic) && led[s.Func]
		})
	}
	rests := false
	j.each(func(_ key, v *Judgement, pl *infer.Place) { rests = rests || v.raised() && changed[pl] })
	return rests
}

// ledTo returns the package's functions that some come to, and these themselves: what runs may call a helper of theirs
// as well, at another time. Complexity: linear in the calls of the package.
func (j *Judge) ledTo(from func(*infer.Func) bool) map[*infer.Func]bool {
	led := make(map[*infer.Func]bool)
	work := slices.DeleteFunc(slices.Clone(j.Pkg.Funcs), func(f *infer.Func) bool { return !from(f) })
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		if led[f] {
			continue
		}
		led[f] = true
		for i := range f.Calls {
			if g := j.Pkg.Lookup(f.Calls[i].Callee); g != nil {
				work = append(work, g)
			}
		}
	}
	return led
}

// LowerResting makes those witnesses low that x leaves silent: their B is in code that
// does not run.
func (j *Judge) LowerResting(x *Excluded) {
	j.each(func(k key, v *Judgement, _ *infer.Place) {
		if why, judged := x.why[k]; judged && why != NoReason && v.raised() && !v.Evidence.Claimed {
			v.lower(NoCaller, "what could come in between")
		}
	})
}

// LowerClosed makes those witnesses low that x leaves silent because of a lock or the time, or since the
// objects are the caller's own: of an application, no other module has more.
func (j *Judge) LowerClosed(x *Excluded) {
	j.each(func(k key, v *Judgement, _ *infer.Place) {
		if v.raised() && (x.surely[k] || x.why[k] == NotPublished) && !v.Evidence.Claimed {
			v.lower(ModuleExcludes, x.why[k].Text())
		}
	})
}

// leftAlone reports whether no function that runs changes a map which others share. It is
// for maps that no other package can name.
func (j *Judge) leftAlone(pl *infer.Place, runs func(*infer.Func) bool) bool {
	if v := pl.Loc.Var; v.Exported() || v.Pkg() != j.Pkg.Types {
		return false
	}
	return !slices.ContainsFunc(pl.Sites, func(s infer.Site) bool {
		changes := s.Acc.Op.Writes() || s.Acc.Op == access.Atomic || s.Imported()
		return !s.Exempt && changes && runs(s.Func)
	})
}

// neverGiven reports whether idle functions alone give a place its map: no other look at it finds anything, and no
// other change is made. It is another thing where nothing in sight gives it one.
func (j *Judge) neverGiven(pl *infer.Place, idle func(*infer.Func) bool) bool {
	givers, known := j.Pkg.Givers(pl.Loc.Var)
	return known && len(givers) > 0 && !slices.ContainsFunc(givers, func(f *infer.Func) bool { return !idle(f) })
}

// maxCallers bounds the callers that an answer names.
const maxCallers = 3

// callers names the functions of other packages that call f, where all are known:
// what they do is a part of the answer.
func (j *Judge) callers(f *infer.Func) string {
	ctx := j.Pkg.Outer(f)
	if ctx == nil || len(ctx.Calls) == 0 {
		return ""
	}
	var names []string
	for _, c := range ctx.Calls {
		if !slices.Contains(names, c.Said) {
			names = append(names, c.Said)
		}
	}
	more := ""
	if n := len(names) - maxCallers; n > 0 {
		names, more = names[:maxCallers], fmt.Sprintf(" and %d more", n)
	}
	return "called in other packages by " + strings.Join(names, ", ") + more
}
