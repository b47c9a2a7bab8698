package witness

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A FreedVerdict is the judgement on one deletion of an object by the key that it
// knows itself, when the function has said before, by the object's state, that the
// key is free: by then another object may have come in its place, and is deleted.
type FreedVerdict struct {
	Func *infer.Func
	// Act is the deletion, Mark what says that the key is free; By is what puts
	// another object there, nil if nothing does.
	Act  *access.Access
	Mark *access.Mark
	By   *infer.Site
	Judgement
}

// Freed returns the verdicts on all deletions of objects that have freed their keys.
func (j *Judge) Freed() []FreedVerdict { return j.freed }

// judgeFreed asks the questions of each deletion of an object that the function has
// marked before.
func (j *Judge) judgeFreed() {
	for _, f := range j.Pkg.Funcs {
		for i := range f.Accesses {
			a := &f.Accesses[i]
			for k := range a.Freed {
				v := FreedVerdict{Func: f, Act: a, Mark: &a.Freed[k]}
				v.By = j.replacer(&v)
				if v.Reason = j.freedReason(&v); v.Reason == NoReason {
					v.Evidence = j.Sharing.Of(j.Place(a.Path.Location()))
					v.Grade = UsedThenDeleted.in(f)
					v.Confidence = min(v.Evidence.Confidence, v.Grade.Confidence())
				}
				j.freed = append(j.freed, v)
			}
		}
	}
}

// replacer finds what puts another object in the place of one in the state that the
// function has given it.
func (j *Judge) replacer(v *FreedVerdict) *infer.Site {
	pl := j.Place(v.Act.Path.Location())
	i := slices.IndexFunc(pl.Sites, func(s infer.Site) bool {
		return !s.Exempt && !s.AtStart && !s.Acc.Joined && slices.ContainsFunc(s.Acc.Replaces, v.Mark.State.Holds)
	})
	if i < 0 {
		return nil
	}
	return &pl.Sites[i]
}

// freedReason asks the questions of one deletion.
func (j *Judge) freedReason(v *FreedVerdict) Reason {
	f, a := v.Func, v.Act
	switch {
	case a.Fresh || f.Owns(a):
		return NotPublished
	case f.Ctx.Dead:
		return Uncalled
	case a.Once || f.Ctx.OnceOnly:
		return RunsOnce
	case f.Ctx.InitOnly:
		return OnlyInit
	case a.Joined:
		return AfterJoin
	case a.Spawned:
		return OwnGoroutine
	case len(j.Guards.Plausible(f.Effective(a), a.Path)) == 0:
		return NotLocked
	case j.looksAgain(f, a):
		return Renewed
	case v.By == nil:
		return NoStep
	case v.waits():
		return OneSection
	}
	return NoReason
}

// waits reports whether a lock that is held from the mark to the deletion keeps the
// other one out.
func (v *FreedVerdict) waits() bool {
	return slices.ContainsFunc(v.Func.Effective(v.Act), func(h locks.Held) bool {
		return holdsOne(v.Func.EffectiveState(v.Mark.Held), h) && excludes(h, v.By.Held)
	})
}

// looksAgain reports whether a look at the entry, in the section of the deletion,
// decides on it.
func (j *Judge) looksAgain(f *infer.Func, a *access.Access) bool {
	return a.Validated || slices.ContainsFunc(f.Pairs, func(p summary.Pair) bool {
		c := &f.Accesses[p.Check]
		return &f.Accesses[p.Act] == a && entryLook(c) && len(j.sections(f, c, a)) > 0
	})
}
