package threads

import (
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Served returns the method that serves its object in a goroutine of its own (see [infer.Package.Service]), if that alone
// leads to f, of all that callers can call, and the accesses are made on parts of that object; nil if others do, or a
// goroutine of the package.
func (t *Theory) Served(f *infer.Func, sites []*infer.Site) *infer.Func {
	if !t.runs[f].Only(callers) {
		return nil
	}
	service := t.services()[f]
	if service == nil {
		return nil
	}
	for _, s := range sites {
		if r := s.Acc.Path.Root(); r.Kind != accesspath.Param || r.Index != 0 || s.Func.SSA.Signature.Recv() == nil || !sameReceiver(s.Func, service) {
			return nil
		}
	}
	return service
}

// sameReceiver reports whether two methods have one type as their receivers.
func sameReceiver(f, g *infer.Func) bool {
	return types.Identical(ssautil.Pointee(f.SSA.Signature.Recv().Type()), ssautil.Pointee(g.SSA.Signature.Recv().Type()))
}

// services returns, of each function to which one method that serves its object leads, and nothing else that callers can
// call, that method.
func (t *Theory) services() map[*infer.Func]*infer.Func {
	if t.served != nil {
		return t.served
	}
	t.served = make(map[*infer.Func]*infer.Func)
	others := make(map[*infer.Func]bool)
	for _, f := range t.pkg.Funcs {
		switch {
		case !t.entry[f]:
		case t.pkg.Service(f):
			t.spread(f, func(g *infer.Func) bool {
				if by := t.served[g]; by != nil && by != f {
					others[g] = true
				}
				again := t.served[g] == f
				t.served[g] = f
				return !again
			})
		default:
			t.spread(f, func(g *infer.Func) bool {
				again := others[g]
				others[g] = true
				return !again
			})
		}
	}
	for f := range others {
		delete(t.served, f)
	}
	return t.served
}

// Later reports whether nothing makes an access but goroutines that a method which serves its object starts on that: what
// they do comes after what the method has done before. So it is with what nothing calls.
func (t *Theory) Later(s *infer.Site, service *infer.Func) bool {
	runs := t.runs[s.Func]
	if t.uncalled(s.Func) {
		return true
	}
	if runs.any || s.Acc.Spawned {
		return false
	}
	return all(runs.ids, func(id int) bool { return t.begunBy(t.Threads[id], service) }) && all(t.byAcc[s.Acc], func(v *Visit) bool {
		return slices.ContainsFunc(t.up(v.Thread).frames, func(fr *frame) bool {
			r := t.at(v.Path, fr).Root()
			return fr.f == service && r.Kind == accesspath.Param && r.Fn == service.Key && r.Index == 0
		})
	})
}

// uncalled reports whether nothing can call a function: no other package, and this one does not.
func (t *Theory) uncalled(f *infer.Func) bool {
	inner := f.Obj != nil && !f.Obj.Exported() && !t.start(f) && !f.Ctx.InitOnly
	return inner && !f.Ctx.Escaped && len(t.pkg.CallersOf(f)) == 0
}

// begunBy reports whether a thread is a goroutine that begins in a method which serves its object, or in what that alone
// calls.
func (t *Theory) begunBy(th *Thread, service *infer.Func) bool {
	return th.Kind == Goroutine && !th.Registered && !th.cut && t.services()[th.Starter] == service && t.runs[th.Starter].Only(callers)
}

// spread calls visit with f and all that it comes to in its own thread, as long as visit says to go on from there. What
// serves an object that its caller alone knows is another one's.
func (t *Theory) spread(f *infer.Func, visit func(*infer.Func) bool) {
	if !visit(f) {
		return
	}
	for i := range f.Calls {
		c := &f.Calls[i]
		if g := t.pkg.Lookup(c.Callee); g != nil && c.Kind.SameThread() && !(t.entry[g] && t.pkg.Service(g)) {
			t.spread(g, visit)
		}
	}
}
