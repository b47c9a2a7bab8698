package threads

import (
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A goroutine that ends before the call returns which starts it has a life that lies within that call. If one thread alone makes
// the call, of which an object has one, all that this thread does on the object comes before the call, after it, or within it.

// during reports whether the thread of a worker's visit lives only within calls that the thread of another visit makes, on the
// object that this one works on, and no second one like that comes there.
func (t *Theory) during(worker, v *Visit) bool {
	th, by := worker.Thread, v.Thread
	if by.Target == nil || th.call == nil || !t.runs[th.Starter].Only(by.index) || !t.endsWithin(th) || !t.onlyOne(v) {
		return false
	}
	calls := t.pkg.CallersOf(by.Target)
	if slices.ContainsFunc(calls, func(s infer.CallSite) bool { return s.Call.Kind.SameThread() }) {
		return false // not only where the thread begins
	}
	steps := 0
	return t.onItsObject(&frame{f: th.Starter, call: th.call}, worker, v, &steps)
}

// onlyOne reports whether no second thread like a visit's comes to the map: there is one for an object, and the map is a part of
// that object, which no other object has in common with it; or there is one in all.
func (t *Theory) onlyOne(v *Visit) bool {
	if !t.Once(v) {
		return false
	}
	root := v.Path.Root()
	its := root.Kind == accesspath.Value && t.makes(v) || receiver(root) && !toldWhat(v.Thread.Starter)
	if its && t.pkg.OwnParts(v.Path.Trunk()) {
		return true
	}
	return v.Thread.Times == One && !v.Thread.again() && t.calledOnce(v.Thread.Starter, maxClimb)
}

// toldWhat reports whether a function, or the one around it, gets more than its receiver, and when and how often to do
// something: what it starts may be for that, and not the only one of its object.
func toldWhat(f *infer.Func) bool {
	sig := callback.Outermost(f.SSA).Signature
	for i := range sig.Params().Len() {
		typ := sig.Params().At(i).Type()
		b, ok := typ.Underlying().(*types.Basic)
		if !(ok && b.Info()&(types.IsNumeric|types.IsBoolean) != 0 || ssautil.IsChan(typ) || model.IsContext(typ)) {
			return true
		}
	}
	return false
}

// calledOnce reports whether one call in the whole program leads from its start to f.
func (t *Theory) calledOnce(f *infer.Func, depth int) bool {
	if t.start(f) {
		return true
	}
	calls := t.pkg.CallersOf(f)
	if len(calls) != 1 || depth == 0 || !t.runs[f].Only(mainThread) {
		return false
	}
	return !calls[0].Call.Looped && t.calledOnce(calls[0].Caller, depth-1)
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
