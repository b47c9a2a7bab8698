package infer

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// weights finds the weighted semaphores that are locks, with their sizes: a field or
// variable of the package that holds nothing but semaphores of one size, from which
// all of it is taken at once somewhere, and to which nothing is given back but what has been
// taken before, as for channels (see semaphores). Who has taken all of it is alone;
// those who take a part, as readers do, keep that one out.
//
// A semaphore from which everybody takes a part only limits how many there are.
func (p *Package) weights() map[*types.Var]int64 {
	w := &weighted{
		semaphores: semaphores{p: p, is: make(map[*types.Var]bool)},
		size:       make(map[*types.Var]int64), whole: make(map[*types.Var]bool), part: make(map[*types.Var]int64),
	}
	w.each(w.made)
	if len(w.is) == 0 {
		return nil
	}
	w.each(w.use)
	out := make(map[*types.Var]int64)
	for v := range w.is {
		if w.whole[v] && w.undoes(v, w.takes, w.puts) {
			out[v] = w.size[v]
		}
	}
	return out
}

type weighted struct {
	semaphores
	size map[*types.Var]int64
	// whole: all of it is taken at once somewhere. part is the number that those take who do
	// not.
	whole map[*types.Var]bool
	part  map[*types.Var]int64
}

// made notes the variables that get new semaphores.
func (w *weighted) made(instr ssa.Instruction) {
	st, ok := instr.(*ssa.Store)
	if !ok || !model.IsSemaphore(st.Val.Type()) {
		return
	}
	if v := chanVar(st.Addr); v != nil && v.Pkg() == w.p.Types && !v.Exported() && sizeOf(st.Val) > 0 {
		w.is[v], w.size[v] = true, sizeOf(st.Val)
	}
}

// sizeOf returns the size of a semaphore that is made where it is used, 0 if that is
// not a constant.
func sizeOf(v ssa.Value) int64 {
	c, ok := v.(*ssa.Call)
	if !ok {
		return 0
	}
	if fn, args := ssautil.Callee(&c.Call); model.MakesSemaphore(fn) {
		return weight(args[0])
	}
	return 0
}

// weight returns the constant that v is, 0 if it is none.
func weight(v ssa.Value) int64 {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return 0
	}
	n, _ := constant.Int64Val(c.Value)
	return n
}

// use drops a semaphore that an instruction uses otherwise than as a lock.
func (w *weighted) use(instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.Store:
		if v := chanVar(instr.Addr); w.is[v] && sizeOf(instr.Val) != w.size[v] && !ssautil.IsNil(instr.Val) {
			delete(w.is, v)
		}
		return
	case *ssa.UnOp:
		if v := chanVar(instr.X); w.is[v] {
			w.read(v, instr)
		}
		return
	case *ssa.Field:
		if v := chanVar(instr); w.is[v] {
			w.read(v, instr)
		}
		return
	case *ssa.FieldAddr, *ssa.DebugRef:
		return
	}
	for _, op := range instr.Operands(nil) {
		switch x := (*op).(type) {
		case *ssa.FieldAddr, *ssa.Global: // its address goes elsewhere
			delete(w.is, chanVar(x))
		}
	}
}

// read notes what is done with a semaphore that was read from its variable.
func (w *weighted) read(v *types.Var, sem ssa.Value) {
	for _, r := range *sem.Referrers() {
		switch r := r.(type) {
		case ssa.CallInstruction:
			w.call(v, sem, r)
		case *ssa.BinOp, *ssa.DebugRef:
		default:
			delete(w.is, v)
		}
	}
}

// call notes what a call does with a semaphore.
func (w *weighted) call(v *types.Var, sem ssa.Value, at ssa.CallInstruction) {
	fn, args := ssautil.Callee(at.Common())
	does := w.p.Does(fn)
	switch does.Kind {
	case model.Acquire, model.TryAcquire, model.Release:
	default:
		delete(w.is, v)
		return
	}
	n := weight(args[does.Arg])
	switch {
	case args[0] != sem, n <= 0, n > w.size[v]:
		delete(w.is, v)
		return
	case n == w.size[v]:
		w.whole[v] = w.whole[v] || does.Kind != model.Release
	case w.part[v] != 0 && w.part[v] != n:
		delete(w.is, v) // a part of what was taken may be given back
		return
	default:
		w.part[v] = n
	}
	if does.Kind == model.Release {
		w.takes = append(w.takes, operation{v: v, at: at})
	} else {
		w.puts = append(w.puts, operation{v: v, at: at, put: true})
	}
}
