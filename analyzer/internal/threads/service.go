package threads

import (
	"go/types"

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

// spread calls visit with f and all that it comes to in its own thread, as long as visit says to go on from there.
func (t *Theory) spread(f *infer.Func, visit func(*infer.Func) bool) {
	if !visit(f) {
		return
	}
	for i := range f.Calls {
		c := &f.Calls[i]
		if g := t.pkg.Lookup(c.Callee); g != nil && c.Kind.SameThread() {
			t.spread(g, visit)
		}
	}
}
