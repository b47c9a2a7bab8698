package threads

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// startedInLoop reports whether a loop calls the function that starts a
// goroutine, each time on the same object.
func (t *Theory) startedInLoop(f *infer.Func) bool {
	for _, s := range t.pkg.CallersOf(f) {
		if !s.Call.Looped || s.Call.Kind != summary.Direct {
			continue
		}
		if f.SSA.Parent() != nil {
			return len(f.SSA.FreeVars) > 0
		}
		if len(s.Call.Args) > 0 {
			if k := s.Call.Args[0].Root().Kind; f.SSA.Signature.Recv() != nil && (k == accesspath.Param || k == accesspath.Global) && s.Call.Args[0].Depth() == 0 {
				return true
			}
		}
	}
	return false
}

// sameObject reports whether several goroutines at a time work on the object
// of a visit: not on the elements of a container, one each, nor on one that the
// starter takes off a queue; not on what each
// round of the loop makes anew; and not, when it is the starter that a loop
// calls, on an object that the starter makes.
func (t *Theory) sameObject(v *Visit, looped bool) bool {
	for p := v.Path; p.Known(); p = p.Parent() {
		if p.IsElem() && (p.Key().Root().Kind != accesspath.Const || t.takesOff(v.Thread, p.Parent())) {
			return false
		}
	}
	if c := v.Thread.call; c != nil && slices.Contains(c.Renewed, t.pkg.Paths.Root(v.Path.Root())) {
		return false
	}
	if v.Thread.again() && v.Path.Root().Kind == accesspath.Global {
		return true
	}
	return v.Thread.Times == Many || looped && v.Path.Root().Kind != accesspath.Value
}

// again reports whether a loop starts another goroutine like this one while it may go on.
func (th *Thread) again() bool { return th.call != nil && th.call.Again }
