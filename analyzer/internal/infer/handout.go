package infer

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A leaving is the question whether the last user of an object, by a counter, is alone with a map of the object.
type leaving struct {
	countDown
	lock *types.Var // of the maps in which objects are found; nil if there is none
	loc  accesspath.Location
}

// leftAlone answers it. The answer is kept.
func (p *Package) leftAlone(l *leaving) bool {
	key := [3]any{l.counter, l.lock, l.loc}
	out, known := p.leavings[key]
	if !known {
		if p.leavings == nil {
			p.leavings = make(map[[3]any]bool)
		}
		out = p.handedOut(l) && p.doneBefore(l)
		p.leavings[key] = out
	}
	return out
}

// handedOut reports whether the count of an object's users says how many there are: who finds the object has counted itself up
// under the lock of the maps that hold such objects; who counts up besides has the object, and so is one of them. Where no map
// holds any, nothing counts up.
func (p *Package) handedOut(l *leaving) bool {
	if l.counter.Exported() || l.counter.Pkg() != p.Types {
		return false
	}
	in, ups := p.tablesOf(l.of), make(map[ssa.Instruction]bool)
	for _, f := range p.Funcs {
		for i := range f.Accesses {
			a := &f.Accesses[i]
			if Own(a) && slices.Contains(in, a.Path.Location()) && !p.handsOut(f, a, l, ups) {
				return false
			}
		}
	}
	return !slices.ContainsFunc(p.changes()[l.counter], func(c change) bool {
		down, _ := p.countsDown(c.at)
		switch {
		case down == nil && (ups[c.at] || p.startsCount(c)):
			return false
		case down == nil && l.lock == nil:
			return true
		}
		return !l.atomic && !p.heldWhere(c.at, l.lock) // by one who is a user already
	})
}

// startsCount reports whether a change of a counter is none, or gives a new object its count.
func (p *Package) startsCount(c change) bool {
	call, ok := c.at.(*ssa.Call)
	if !ok {
		return p.inTheMaking(c)
	}
	fn, args := ssautil.Callee(&call.Call)
	if model.ReadsFlag(fn) || len(args) == 0 {
		return model.ReadsFlag(fn)
	}
	object := p.Paths.Of(args[0]).Parent()
	return model.Flag(fn) == model.FlagSet && object.Known() && object.Depth() == 0 && ssautil.Allocates(object.Root().Val)
}

// heldWhere reports whether a function holds a lock, whose ever it is, where it comes to an instruction.
func (p *Package) heldWhere(at ssa.Instruction, lock *types.Var) bool {
	f := p.byKey[accesspath.FuncKey(at.Parent())]
	return f != nil && (lock == nil && len(p.takesAround(f, at, nil)) > 0 || taken(f, at, lock) != nil)
}

// taken returns where a function has taken a lock, by its variable, that it holds where it comes to an instruction.
func taken(f *Func, at ssa.Instruction, lock *types.Var) *summary.LockStep {
	for i := range f.Locking {
		take := &f.Locking[i]
		if take.Acquire && take.Lock.Location().Var == lock && f.Flow.Dominates(take.Point, pointOf(at)) && takes(f, take, true) && !lost(f, take, pointOf(at)) {
			return take
		}
	}
	return nil
}

// handsOut reports whether an access to a map of objects, under its lock, gives none away that is not counted up in that section. It
// notes where that is done.
func (p *Package) handsOut(f *Func, a *access.Access, l *leaving, ups map[ssa.Instruction]bool) bool {
	var object ssa.Value
	at := a.Point.Instr(f.SSA)
	switch at := at.(type) {
	case *ssa.Lookup:
		object = at
	case *ssa.Next:
		object = at
	case *ssa.MapUpdate:
		object = at.Value
	}
	switch a.Op {
	case access.Delete, access.Len, access.NilTest, access.Clear:
		return true
	case access.Assign:
		return a.First || a.Empty || a.Fresh
	case access.Lookup, access.Range, access.Insert:
	default:
		return false
	}
	if object == nil {
		return false
	}
	take := taken(f, at, l.lock)
	if take == nil {
		return false
	}
	h := &handout{p: p, f: f, leaving: l, take: take, seen: make(map[ssa.Value]bool)}
	if !h.follow(object) {
		return false
	}
	for _, up := range h.ups {
		ups[up] = true
	}
	return !slices.ContainsFunc(h.outs, func(out ssa.Instruction) bool {
		return !p.lastThere(f, out, l.counter) && !slices.ContainsFunc(h.ups, func(up ssa.Instruction) bool {
			return f.Flow.Before(pointOf(up), pointOf(out)) && !lost(f, take, pointOf(up))
		})
	})
}

// lastThere reports whether a function comes to an instruction as the last user of an object, by a counter.
func (p *Package) lastThere(f *Func, at ssa.Instruction, counter *types.Var) bool {
	return slices.ContainsFunc(p.lastOuts(f), func(o *lastOut) bool {
		return o.counter == counter && ssautil.DominatesEdge(o.branch, o.side, at.Block())
	})
}

// A handout is what a function does with an object that it finds in a map, or puts in.
type handout struct {
	p *Package
	f *Func
	*leaving
	take *summary.LockStep
	seen map[ssa.Value]bool
	// ups are where the object is counted up, outs where it goes elsewhere, or is used behind the section.
	ups, outs []ssa.Instruction
}

// maxHandout bounds the values that an object has in turn in one function.
const maxHandout = 32

// follow notes all uses of an object; false if there are too many.
func (h *handout) follow(v ssa.Value) bool {
	if h.seen[v] {
		return true
	}
	if h.seen[v] = true; len(h.seen) > maxHandout {
		return false
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.BinOp, *ssa.If, *ssa.DebugRef:
		case *ssa.Extract:
			if _, object := r.Type().Underlying().(*types.Pointer); object && !h.follow(r) {
				return false
			}
		case *ssa.Phi:
			if !h.follow(r) {
				return false
			}
		case *ssa.FieldAddr:
			h.part(r)
		case *ssa.MapUpdate:
			if h.p.Paths.Of(r.Map).Location().Var == nil || !holdsPointers(h.p.Paths.Of(r.Map).Location(), h.of) || r.Key == v {
				h.outs = append(h.outs, r)
			}
		case *ssa.Call:
			h.called(r, v)
		default:
			h.outs = append(h.outs, r)
		}
	}
	return true
}

// part notes what is done with a field of the object: that of the counter may count it up.
func (h *handout) part(addr *ssa.FieldAddr) {
	for _, r := range *addr.Referrers() {
		switch {
		case ssautil.FieldOf(addr).Origin() == h.counter && (depend.CountsUp(h.p.Paths, r) != nil || countsFirst(r, addr)):
			h.ups = append(h.ups, r)
		case !plainUse(r, addr):
			h.outs = append(h.outs, r)
		case h.f.Flow.MayPrecede(h.take.Point, pointOf(r)) && lost(h.f, h.take, pointOf(r)):
			h.outs = append(h.outs, r)
		}
	}
}

// countsFirst reports whether an instruction gives a new object its first users.
func countsFirst(r ssa.Instruction, addr *ssa.FieldAddr) bool {
	st, ok := r.(*ssa.Store)
	if !ok || st.Addr != ssa.Value(addr) || !ssautil.Allocates(addr.X) {
		return false
	}
	n, number := ssautil.IntOf(st.Val)
	return number && n > 0
}

// plainUse reports whether an instruction reads a field that leads nowhere, gives it a value, or asks for an atomic or a lock.
func plainUse(r ssa.Instruction, addr ssa.Value) bool {
	switch r := r.(type) {
	case *ssa.UnOp:
		_, basic := r.Type().Underlying().(*types.Basic)
		return r.Op == token.MUL && basic
	case *ssa.Store:
		return r.Addr == addr
	case *ssa.Call:
		fn, args := ssautil.Callee(&r.Call)
		return model.ReadsFlag(fn) || model.Flag(fn) != model.FlagNone && args[0] == addr
	case *ssa.DebugRef:
		return true
	}
	return false
}

// called notes a call that gets the object: one of a method that only counts it up does so for its caller.
func (h *handout) called(call *ssa.Call, v ssa.Value) {
	callee := call.Call.StaticCallee()
	if callee == nil || len(callee.Blocks) != 1 || len(call.Call.Args) == 0 || call.Call.Args[0] != v {
		h.outs = append(h.outs, call)
		return
	}
	i := slices.IndexFunc(callee.Blocks[0].Instrs, func(instr ssa.Instruction) bool {
		addr, ok := depend.CountsUp(h.p.Paths, instr).(*ssa.FieldAddr)
		return ok && addr.X == ssa.Value(callee.Params[0]) && ssautil.FieldOf(addr).Origin() == h.counter
	})
	if i < 0 {
		h.outs = append(h.outs, call)
		return
	}
	h.ups = append(h.ups, call)
}

// doneBefore reports whether all that come to a map of the object do so as its users: the last one, or who has not yet counted
// itself down; and where the object is found nowhere, who does so later.
func (p *Package) doneBefore(l *leaving) bool {
	last := func(o *lastOut, _ ssautil.Point) bool { return o.counter == l.counter }
	return p.usesSuit(l.loc, func(f *Func, a *access.Access) bool {
		object := a.Path.Parent()
		if p.lastAt(f, object, a.Point, maxFilling, last) {
			return true
		}
		return !a.Spawned && p.stillCounted(f, object, a.Point, l, maxFilling)
	})
}

// allCountDowns returns where a function counts down users, by itself or by a helper that gets the object.
func (p *Package) allCountDowns(f *Func) []countDown {
	out := slices.Clone(p.countDowns(f))
	for call := range ssautil.Calls(f.SSA) {
		callee := call.Common().StaticCallee()
		if _, started := call.(*ssa.Go); callee == nil || started {
			continue
		}
		g := p.byKey[accesspath.FuncKey(callee)]
		if g == nil {
			continue
		}
		for _, d := range p.countDowns(g) {
			r, args := d.object.Root(), call.Common().Args
			if r.Kind == accesspath.Param && r.Fn == g.Key && d.object.Depth() == 0 && r.Index < len(args) {
				d.at, d.object = call, p.Paths.Of(args[r.Index])
				out = append(out, d)
			}
		}
	}
	return out
}

// stillCounted reports whether a function that comes to an object at a point is counted as one of its users then.
func (p *Package) stillCounted(f *Func, object accesspath.Path, at ssautil.Point, l *leaving, depth int) bool {
	later := l.lock != nil
	for _, d := range p.allCountDowns(f) {
		if d.counter != l.counter || d.object != object {
			continue
		}
		point := pointOf(d.at)
		_, point.Deferred = d.at.(*ssa.Defer)
		if f.Flow.MayPrecede(point, at) {
			return false
		}
		later = later || f.Flow.MayPrecede(at, point)
	}
	return later || p.atAllCalls(f, object, depth, func(s site, given accesspath.Path) bool {
		return p.stillCounted(s.caller, given, s.call.Point, l, depth-1)
	})
}
