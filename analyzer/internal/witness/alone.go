package witness

import (
	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/threads"
)

// alone reports whether no thread makes a change between check and act that
// matters to them, and why: the threads that run them are known, and none is there
// twice; or the evidence that threads meet at the map does not concern these two.
func (j *Judge) alone(v *Verdict) (string, bool) {
	own := []*access.Access{v.Check, v.Act}
	pl := j.Place(v.Act.Path.Location())
	if why, ok := j.Sharing.Alone(v.Func, pl, own, v.matters); ok {
		return why, true
	}
	if around, closed := j.around(pl.Loc); closed && j.stays(v) {
		if why, ok := j.Sharing.Alone(v.Func, pl, own, j.disturbs, around...); ok {
			return why, true
		}
	}
	if who, ok := j.asksAlone(v); ok {
		return "nothing but the " + who + " asks for the size before it adds to the map", true
	}
	if j.claimedFlag(pl, v) {
		return "only the goroutine that claims a flag does this, and the flag is never set back", true
	}
	if !v.Evidence.Threads() && !j.Sharing.Shown(pl) {
		return "", false
	}
	if _, _, ok := j.Sharing.Rival(v.Func, pl, own, v.matters); !ok {
		return "the goroutines that reach it do not change it between check and act", true
	}
	return "", false
}

// Single reports whether one goroutine alone runs a pair, as far as the package or the module shows: what comes between look and act is
// another step than these.
func (j *Judge) Single(v *Verdict) bool {
	return j.Sharing.Single(v.Func, j.Place(v.Act.Path.Location()), []*access.Access{v.Check, v.Act})
}

// SameThread reports whether the goroutine that runs a pair alone is the only one that makes an access.
func (j *Judge) SameThread(v *Verdict, s *infer.Site) bool {
	return j.Sharing.SameThread(v.Func, []*access.Access{v.Check, v.Act}, s)
}

// claimedFlag reports whether check and act, and all changes that matter to them, are
// made by the goroutine that claims one flag for good.
func (j *Judge) claimedFlag(pl *infer.Place, v *Verdict) bool {
	if !threads.Apart(v.Act.Claim, v.Check.Claim) {
		return false
	}
	for i := range pl.Sites {
		if s := &pl.Sites[i]; !s.Exempt && v.matters(s) && !threads.Apart(s.Acc.Claim, v.Act.Claim) {
			return false
		}
	}
	return true
}

// matters reports whether another thread's access changes what the check looked
// at. Where the map itself is raced on, every change does.
func (v *Verdict) matters(s *infer.Site) bool {
	op := s.Acc.Op
	switch {
	case v.Unlocked() && !v.Concurrent():
		return op.Writes() || op == access.Atomic
	case !outdates(v, s.Acc):
		return false
	case op == access.Atomic:
		return true
	}
	if v.presenceOnly() {
		return removes(s.Acc)
	}
	if v.Act.Op != access.Insert && v.Act.Op != access.Store || v.Pair.Has(depend.Data|depend.Content) {
		return op.Writes()
	}
	return op.Writes() && !op.Deletes() && op != access.Clear // only that makes what was absent present
}
