package infer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A goroutine that is started for an object which was made or accepted for it, as there is one for each
// connection, is the only one like it that has this object. What is done under the object as a key, by what
// the goroutine alone runs, is done by one goroutine at a time for that key: the call that starts it is
// as the queue of an item.

// OwnerOf returns the call that starts the goroutines which alone run a function, where the key is the object
// that each of them gets for itself. Complexity: as that of ItemOf.
func (p *Package) OwnerOf(f *Func, key accesspath.Path) (start any, ok bool) {
	if p.owners == nil {
		it := &items{p: p, of: make(map[*Func]item), own: true}
		for _, g := range p.Funcs {
			it.of[g] = it.first(g)
		}
		p.owners = it.settle()
	}
	return p.owners.queueOf(f, key)
}

// started returns what a go statement promises: the arguments that no other goroutine gets that it starts.
func (p *Package) started(s site) item {
	start, ok := s.call.Point.Instr(s.caller.SSA).(*ssa.Go)
	if !ok {
		return item{}
	}
	fn, ok := start.Call.Value.(*ssa.Function)
	if !ok || p.byKey[accesspath.FuncKey(fn)] != p.byKey[s.call.Callee] {
		return item{}
	}
	out := item{queue: s.call}
	for i, arg := range start.Call.Args {
		if i < 64 && p.anew(arg, start) {
			out.params |= 1 << i
		}
	}
	if out.params == 0 {
		return item{}
	}
	return out
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
