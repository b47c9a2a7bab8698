package infer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A goroutine that is started for an object which was made or accepted for it, as there is one for each
// connection, is the only one like it that has this object. What is done under the object as a key, by what
// the goroutine alone runs, is done by one goroutine at a time for that key: the call that starts it is
// as the queue of an item.

// OwnerOf returns the call that starts the goroutines which alone run a function, where the key of an access is the object
// that each of them gets for itself, or a number that is given out once in the object that has the map. Complexity: as
// that of ItemOf.
func (p *Package) OwnerOf(f *Func, a *access.Access) (start any, ok bool) {
	if p.owners == nil {
		it := &items{p: p, of: make(map[*Func]item), own: true}
		for _, g := range p.Funcs {
			it.of[g] = it.first(g)
		}
		p.owners = it.settle()
	}
	if p.owners.numbers(f, a.Key) {
		object := a.Path.Base()
		if !p.OwnParts(object) || !p.owners.holds(f, p.Paths.Root(object.Root())) {
			return nil, false // others count for themselves
		}
	}
	return p.owners.queueOf(f, a.Key)
}

// started returns what a go statement promises: the arguments that no other goroutine gets that it starts.
func (p *Package) started(s site) item {
	start, ok := s.call.Point.Instr(s.caller.SSA).(*ssa.Go)
	if !ok {
		return item{}
	}
	fn, _ := start.Call.Value.(*ssa.Function)
	out := item{queue: s.call}
	if lit, ok := start.Call.Value.(*ssa.MakeClosure); ok {
		fn, out.start = lit.Fn.(*ssa.Function), start
		for _, captured := range lit.Bindings {
			if object, ok := p.numbered(captive(captured), start); ok && !out.object.Known() {
				out.object = object
			}
		}
	}
	if fn == nil || p.byKey[accesspath.FuncKey(fn)] != p.byKey[s.call.Callee] {
		return item{}
	}
	for i, arg := range start.Call.Args {
		if i >= 64 {
			break
		}
		if own, object := p.ownValue(arg, start); own && (!object.Known() || !out.object.Known() || out.object == object) {
			out.params |= 1 << i
			if object.Known() {
				out.object, out.numbers = object, out.numbers|1<<i
			}
		}
	}
	for i, arg := range start.Call.Args {
		if out.object.Known() && i < 64 && p.Paths.Of(arg) == out.object {
			out.holders |= 1 << i
		}
	}
	if out.start == nil {
		out.object = accesspath.Path{}
	}
	return out.useful()
}

// ownValue reports whether no other goroutine that a go statement starts gets a value; of a number, as far as the
// entries of an object go.
func (p *Package) ownValue(v ssa.Value, start *ssa.Go) (own bool, object accesspath.Path) {
	if p.anew(v, start) {
		return true, accesspath.Path{}
	}
	object, own = p.numbered(v, start)
	return own, object
}

// captive returns what a variable that a literal captures holds for good, nil if that is not known.
func captive(v ssa.Value) ssa.Value {
	if captured, ok := v.(*ssa.FreeVar); ok {
		v = ssautil.Binding(captured)
	}
	if cell, ok := v.(*ssa.Alloc); ok {
		return ssautil.SettledVariable(cell)
	}
	return v
}

// anew reports whether a value is an object that is made or accepted each time before a go statement runs.
func (p *Package) anew(v ssa.Value, start *ssa.Go) bool {
	v = ssautil.Unwrap(v)
	at, ok := v.(ssa.Instruction)
	if !ok || at.Parent() != start.Parent() || ssautil.Again(start.Block(), map[*ssa.BasicBlock]bool{at.Block(): true}) {
		return false
	}
	if call, result := ssautil.CallResult(v); call != nil && result == 0 {
		fn, _ := ssautil.Callee(&call.Call)
		trusted := call.Call.IsInvoke() || fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "net" // others may give one twice
		if trusted && model.Accepts(fn) {
			return true
		}
	}
	ptr, ok := v.Type().Underlying().(*types.Pointer)
	return ok && holds(ptr.Elem()) && p.Makes(v)
}

// holds reports whether values of a type are structs with fields: two pointers to what holds nothing may be equal.
func holds(t types.Type) bool {
	st, ok := t.Underlying().(*types.Struct)
	return ok && st.NumFields() > 0
}
