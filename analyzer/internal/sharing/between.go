package sharing

import (
	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
)

// Between returns the best evidence that another thread, or another one of the same, comes to the map while f is between
// accesses of its own, by an access that suits; false if none is shown. That goroutines meet at other accesses of the place
// tells nothing of these: they may have an object of one call.
func (j *Judge) Between(f *infer.Func, pl *infer.Place, own []*access.Access, suits func(*infer.Site) bool) (best Evidence, ok bool) {
	mine, by := standing(pl, own), j.Threads.Of(f)
	for i := range pl.Sites {
		b := &pl.Sites[i]
		if b.Exempt || b.AtStart || b.Acc.Joined || !suits(b) {
			continue
		}
		for _, a := range mine {
			m, meets := j.Threads.MeetBy(by, a, b, nil)
			if !meets {
				continue
			}
			if e := j.threadEvidence(m, a, b); !ok || e.surer(best) {
				best, ok = e, true
			}
			if best.Confidence == High && best.Meets.assumes() == 0 {
				return best, true
			}
		}
	}
	return best, ok
}

// surer reports whether goroutines that meet leave less open than others.
func (e Evidence) surer(f Evidence) bool {
	if e.Confidence != f.Confidence {
		return e.Confidence > f.Confidence
	}
	return e.Meets.assumes() < f.Meets.assumes()
}

// assumes says how much is left open by goroutines that meet: whether they have one object, when callers come, and what
// orders those of one kind.
func (m Meets) assumes() int {
	switch m {
	case Callers:
		return 3
	case Alike:
		return 2
	case Workers, Repeated:
		return 1
	}
	return 0
}
