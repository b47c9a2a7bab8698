package transfer

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// repeats reports whether a loop around an instruction that runs a parameter can run the same function again: the
// parameter is one function, or a list of which a loop around the instruction does not choose.
func (a *analysis) repeats(param accesspath.Path, instr ssa.CallInstruction) bool {
	if a.single(param) {
		return true
	}
	w := walk{steps: make(map[ssa.Instruction]bool), seen: make(map[ssa.Value]bool)}
	for _, v := range handedFunctions(instr.Common()) {
		w.from(v)
	}
	for _, l := range ssautil.Loops(instr.Block()) {
		if !w.chooses(l) {
			return true
		}
	}
	return false
}

// single reports whether a parameter is one function, and not several of which each may
// run once.
func (a *analysis) single(param accesspath.Path) bool {
	for fn, r := a.fn, param.Root(); fn != nil; fn = fn.Parent() {
		if accesspath.FuncKey(fn) == r.Fn && r.Index < len(fn.Params) {
			_, ok := fn.Params[r.Index].Type().Underlying().(*types.Signature)
			return ok
		}
	}
	return false
}

// handedFunctions returns what tells which function of a list a goroutine runs: those that it gets, or all that it gets if it
// gets a list, in which it looks itself.
func handedFunctions(call *ssa.CallCommon) []ssa.Value {
	all := ssautil.HandedOver(call)
	var fns []ssa.Value
	for _, v := range all {
		if v == nil {
			continue
		}
		t := v.Type()
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem() // a variable that is captured
		}
		switch t.Underlying().(type) {
		case *types.Signature:
			switch ssautil.Unwrap(v).(type) {
			case *ssa.MakeClosure, *ssa.Function:
			default:
				fns = append(fns, v)
			}
		}
		if functions(t) {
			return all
		}
	}
	return fns
}

// functions reports whether a type is a list or a map of functions.
func functions(t types.Type) bool {
	_, one := t.Underlying().(*types.Signature)
	return !one && callback.Carries(t)
}

// A walk is what a value depends on that can be another one in the next round of some loop.
type walk struct {
	steps map[ssa.Instruction]bool
	seen  map[ssa.Value]bool
}

// from follows a value back. Complexity: linear in the function.
func (w *walk) from(v ssa.Value) {
	if w.seen[v] {
		return
	}
	w.seen[v] = true
	instr, ok := v.(ssa.Instruction)
	if !ok {
		if captured, ok := v.(*ssa.FreeVar); ok {
			w.variable(captured)
		}
		return
	}
	switch x := v.(type) {
	case *ssa.Alloc:
		w.variable(x)
		return
	case *ssa.Phi, *ssa.Next, *ssa.Lookup, *ssa.Select:
		w.steps[instr] = true
	case *ssa.Call:
		if _, builtin := x.Call.Value.(*ssa.Builtin); !builtin {
			w.steps[instr] = true // nothing tells what it gives the next time
		}
	case *ssa.UnOp:
		w.steps[instr] = x.Op == token.ARROW || x.Op == token.MUL && changeable(x.X)
	}
	for _, o := range instr.Operands(nil) {
		if *o != nil {
			w.from(*o)
		}
	}
}

// variable follows what is put into a local variable, or one that the function captures: where that is done, it may change.
func (w *walk) variable(cell ssa.Value) {
	for _, r := range *cell.Referrers() {
		if st, ok := r.(*ssa.Store); ok && st.Addr == cell {
			w.steps[st] = true
			w.from(st.Val)
		}
	}
}

// changeable reports whether what stands at an address may be another one the next time, though nothing here shows it: it
// is not a local variable, and not an element of a list, of which the index tells.
func changeable(addr ssa.Value) bool {
	switch addr.(type) {
	case *ssa.Alloc, *ssa.FreeVar, *ssa.IndexAddr:
		return false
	}
	return true
}

// chooses reports whether the rounds of a loop come to other values: one that it counts or walks, or that it sets.
func (w *walk) chooses(l ssautil.Loop) bool {
	for s := range w.steps {
		switch x := s.(type) {
		case *ssa.Phi:
			if x.Block() == l.Head {
				return true
			}
		case *ssa.Store:
			if l.In[x.Block()] && !l.Has(x.Addr) {
				return true
			}
		default:
			if w.steps[s] && l.In[s.Block()] {
				return true
			}
		}
	}
	return false
}
