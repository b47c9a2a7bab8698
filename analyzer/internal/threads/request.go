package threads

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// forRequests finds the goroutines that a server's handlers start, one for each request: they run
// beside each other, as the requests do, on what the requests share. A start that depends on what
// was found in an object, as on a mark that it has been made, may come once, and what goes on until
// it is told to stop is there once for an object.
func (t *Theory) forRequests() {
	served := make(map[*infer.Func]*Thread)
	for _, th := range t.Threads[callers+1:] {
		if th.Times == Many && (th.Kind == Server || th.Registered) && th.Target != nil && served[th.Target] == nil {
			served[th.Target] = th
		}
	}
	starts := make(map[*Thread][]*frame)
	for _, v := range t.Visits {
		if v.Many {
			continue
		}
		frames, known := starts[v.Thread]
		if !known {
			frames = t.handlersOf(v.Thread, served)
			starts[v.Thread] = frames
		}
		v.Many = slices.ContainsFunc(frames, func(fr *frame) bool { return t.sharedByRequests(served[fr.f], t.at(v.Path, fr)) })
	}
}

// handlersOf returns the frames of the handlers that start a goroutine, each time that they run.
func (t *Theory) handlersOf(th *Thread, served map[*infer.Func]*Thread) (out []*frame) {
	plain := th.Kind == Goroutine && !th.Registered && th.Queue == "" && th.call != nil
	if !plain || t.goesOn(th) || th.call.Claim.Known() {
		return nil
	}
	for _, fr := range t.up(th).frames {
		if served[fr.f] != nil && t.startsAnyway(fr) {
			out = append(out, fr)
		}
	}
	return out
}

// sharedByRequests reports whether all requests of a handler work on one object: on its receiver,
// on what it captures, or on a package-level variable, but not on an entry of it for each.
func (t *Theory) sharedByRequests(on *Thread, p accesspath.Path) bool {
	for q := p; q.Known(); q = q.Parent() {
		if q.IsElem() && q.Key().Root().Kind != accesspath.Const {
			return false
		}
	}
	if !p.Known() {
		return false
	}
	f := on.Target
	switch r := p.Root(); r.Kind {
	case accesspath.Global:
		return true
	case accesspath.Param:
		if r.Fn != f.Key {
			return true // of a function around the handler
		}
		return r.Index == 0 && f.SSA.Signature.Recv() != nil && (on.Kind == Server || len(on.call.Args) > 0 && on.call.Args[0].Known())
	case accesspath.Value:
		v, ok := r.Val.(interface{ Parent() *ssa.Function })
		return ok && v.Parent() != nil && v.Parent() != f.SSA && inside(f.SSA, accesspath.FuncKey(v.Parent()))
	}
	return false
}

// startsAnyway reports whether nothing that a function on the way has found in an object decides
// whether it starts the goroutine, but in one that belongs to the request, and none waits before.
func (t *Theory) startsAnyway(fr *frame) bool {
	for f := fr; f != nil; f = f.below {
		switch {
		case f.call == nil:
			continue
		case f.call.Kind == summary.OnceOnly:
			return false
		}
		st := state{t: t}
		if f == fr {
			st.handler = f.f.SSA
		}
		at := f.f.SSA.Blocks[f.call.Point.Block]
		// For room, perhaps, that the goroutine before gives back.
		if slices.ContainsFunc(at.Instrs[:f.call.Point.Index], ssautil.WaitsForChan) {
			return false
		}
		for d := at.Idom(); d != nil; d = d.Idom() {
			if slices.ContainsFunc(d.Instrs, ssautil.WaitsForChan) {
				return false
			}
			if cond, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If); ok && decides(d, at) && st.in(cond.Cond, 0) {
				return false
			}
		}
	}
	return true
}

// decides reports whether a branch at the end of d may lead past a block that it dominates.
func decides(d, at *ssa.BasicBlock) bool {
	return slices.ContainsFunc(d.Succs, func(s *ssa.BasicBlock) bool { return len(s.Preds) == 1 && s.Dominates(at) })
}

// maxState bounds the steps from a condition back to what it was computed from.
const maxState = 8

// A state tells what values say of objects that live on.
type state struct {
	t *Theory
	// handler is the function whose parameters belong to the request, but for its receiver.
	handler *ssa.Function
}

// in reports whether a value may say what lies in an object, a variable or a map that lives on:
// it is read there, or is what a function gives that may.
func (st state) in(v ssa.Value, depth int) bool {
	if depth > maxState {
		return true
	}
	switch v := v.(type) {
	case *ssa.Const, *ssa.Parameter:
		return false
	case *ssa.UnOp:
		switch v.Op {
		case token.MUL:
			return !st.requests(v.X, depth)
		case token.ARROW:
			return true
		}
		return st.in(v.X, depth+1)
	case *ssa.BinOp:
		return st.in(v.X, depth+1) || st.in(v.Y, depth+1)
	case *ssa.Convert:
		return st.in(v.X, depth+1)
	case *ssa.ChangeType:
		return st.in(v.X, depth+1)
	case *ssa.Lookup:
		return !st.requests(v.X, depth)
	case *ssa.Extract:
		return st.in(v.Tuple, depth+1)
	case *ssa.TypeAssert:
		return st.in(v.X, depth+1)
	case *ssa.Phi:
		return slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return e != ssa.Value(v) && st.in(e, depth+2) })
	case *ssa.Call:
		return st.told(v, depth)
	}
	return true
}

// requests reports whether an address, or a map, lies in what the handler was given with the
// request, or in a local variable.
func (st state) requests(v ssa.Value, depth int) bool {
	for ; depth <= maxState; depth++ {
		switch x := v.(type) {
		case *ssa.Alloc:
			if v = ssautil.SoleStore(x); v == nil || !ssautil.PointerLike(v.Type()) {
				return true
			}
		case *ssa.Parameter:
			return st.handler != nil && x.Parent() == st.handler && (st.handler.Signature.Recv() == nil || x != st.handler.Params[0])
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.UnOp:
			v = x.X
		default:
			return false
		}
	}
	return false
}

// told reports whether what a call gives may say what an object holds: a function of the module
// may have any, one of a library those that it is given. Its error tells whether it could do
// what it was asked for.
func (st state) told(call *ssa.Call, depth int) bool {
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		return b.Name() != "len" || st.in(call.Call.Args[0], depth+1)
	}
	fn, args := ssautil.Callee(&call.Call)
	if fn == nil || fn.Pkg() == nil || model.Synchronizes(fn) {
		return true
	}
	if fn.Pkg() == st.t.pkg.Types || st.t.pkg.Summary(any(fn.Origin())) != nil {
		return true // of the module
	}
	return slices.ContainsFunc(args, func(arg ssa.Value) bool {
		arg = ssautil.Unwrap(arg)
		return !st.requests(arg, depth) && st.in(arg, depth+1)
	})
}
