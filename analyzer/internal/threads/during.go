package threads

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/infer"
)

// A goroutine that ends before the call returns which starts it has a life that lies within that call. If one thread alone makes
// the call, of which an object has one, all that this thread does on the object comes before the call, after it, or within it.

// during reports whether the thread of a worker's visit lives only within calls that the thread of another visit makes, on the
// object that this one works on, and no second one like that comes there.
func (t *Theory) during(worker, v *Visit) bool {
	th, by := worker.Thread, v.Thread
	if by.Target == nil || th.call == nil || !t.runs[th.Starter].Only(by.index) || !t.endsWithin(th) || !t.Once(v) {
		return false
	}
	calls := t.pkg.CallersOf(by.Target)
	if slices.ContainsFunc(calls, func(s infer.CallSite) bool { return s.Call.Kind.SameThread() }) {
		return false // not only where the thread begins
	}
	steps := 0
	return t.onItsObject(&frame{f: th.Starter, call: th.call}, worker, v, &steps)
}

// onItsObject reports whether all ways up from a frame, to where the thread of a visit begins, lead from what a worker changes to
// what that visit is made on. It takes maxTraced steps at most.
func (t *Theory) onItsObject(fr *frame, worker, v *Visit, steps *int) bool {
	if *steps++; *steps > maxTraced {
		return false
	}
	if fr.f == v.Thread.Target {
		begins := &frame{f: v.Thread.Starter, call: v.Thread.call, below: fr}
		p := t.at(worker.Path, begins)
		return p.Known() && t.follow(v.Thread, p) == v.Path
	}
	return all(t.pkg.CallersOf(fr.f), func(s infer.CallSite) bool {
		return s.Call.Kind.SameThread() && t.onItsObject(&frame{f: s.Caller, call: s.Call, below: fr}, worker, v, steps)
	})
}
