package transfer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// listedAgain reports whether a list that a call gets may have one function several times: a loop puts it in, or two
// instructions do, whatever name and type it has there.
func (a *analysis) listedAgain(list ssa.Value, t *target) bool {
	if !functions(list.Type()) {
		return false
	}
	l := &listing{nest: ssautil.Nest(callback.Outermost(a.fn)), reach: make(map[*ssa.Function]*ssautil.Reach), has: func(v ssa.Value) bool {
		return callback.Carries(ssautil.Unwrap(v).Type()) && slices.ContainsFunc(a.resolve(v, 0), func(u target) bool { return alike(&u, t) })
	}}
	if !t.closure && len(t.args) > 0 {
		l.object = t.args[0]
	}
	_, again := l.puts(list, 0)
	return again
}

// alike reports whether two function values are one: of a method, on one object.
func alike(t, u *target) bool {
	return t.key == u.key && (t.closure || slices.Equal(t.args, u.args))
}

// roundOf returns what counts the rounds of a loop over a list that is written out and has the target once, if a call runs
// the function of the round; nil if not.
func roundOf(call *ssa.CallCommon, t *target) ssa.Value {
	val := call.Value
	if i := int(t.slot) - 1; i >= 0 && i < len(call.Args) {
		val = call.Args[i]
	} else if call.IsInvoke() {
		return nil
	}
	list, counter := ssautil.Chosen(val)
	times := 0
	for _, v := range list {
		fn := ssautil.Function(v)
		if fn == nil || ofInterface(fn) {
			return nil // it may be the same one
		}
		if t.key == accesspath.FuncKey(fn) {
			times++
		}
	}
	if times != 1 {
		return nil
	}
	return counter
}

// ofInterface reports whether a function calls a method of an interface.
func ofInterface(fn *ssa.Function) bool {
	m, ok := fn.Object().(*types.Func)
	return ok && m.Signature().Recv() != nil && types.IsInterface(m.Signature().Recv().Type())
}

// A listing finds where a function is put into lists.
type listing struct {
	nest  []*ssa.Function
	reach map[*ssa.Function]*ssautil.Reach
	has   func(v ssa.Value) bool // it is the function, or a list that has it
	// object is the one of which the function is a method, if it is.
	object ssa.Value
}

// maxLists bounds how often a list goes into another one.
const maxLists = 4

// puts returns the instructions that put the function into a list, and whether it may so be there several times.
// Complexity: linear in the nest, for each of the lists that go into this one.
func (l *listing) puts(list ssa.Value, depth int) (at []ssa.Instruction, again bool) {
	if depth > maxLists {
		return nil, false
	}
	whole := l.madeOf(list)
	for instr := range l.instrs {
		into, several, ok := l.put(instr, whole, depth)
		if !ok {
			continue
		}
		again = again || several || l.repeats(instr, into) || slices.ContainsFunc(at, func(o ssa.Instruction) bool { return l.together(o, instr) })
		at = append(at, instr)
	}
	return at, again
}

// instrs yields the instructions of the nest.
func (l *listing) instrs(yield func(ssa.Instruction) bool) {
	for _, fn := range l.nest {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if !yield(instr) {
					return
				}
			}
		}
	}
}

// put reports whether an instruction puts the function into a list that is made of whole: what that part of the list is
// made of, and whether the instruction puts it in several times.
func (l *listing) put(instr ssa.Instruction, whole parts, depth int) (into parts, several, ok bool) {
	switch x := instr.(type) {
	case *ssa.Store:
		if at, element := x.Addr.(*ssa.IndexAddr); element && l.has(x.Val) {
			into = l.madeOf(at.X)
			return into, false, into.meets(whole)
		}
	case *ssa.MapUpdate:
		if l.has(x.Value) {
			into = l.madeOf(x.Map)
			return into, false, into.meets(whole)
		}
	case *ssa.Call:
		if !whole[x] {
			return nil, false, false
		}
		args := x.Call.Args
		if grows(x) {
			into, args = l.madeOf(args[0]).variables(), args[1:]
		}
		for _, arg := range args {
			if l.has(arg) {
				_, twice := l.puts(arg, depth+1)
				several, ok = several || ok || twice, true
			}
		}
	}
	return into, several, ok
}

// repeats reports whether a loop comes again to an instruction that puts the function into what the loop did not make, and
// so into one list.
func (l *listing) repeats(instr ssa.Instruction, into parts) bool {
	return slices.ContainsFunc(ssautil.Loops(instr.Block()), func(loop ssautil.Loop) bool {
		return (l.object == nil || !loop.Has(l.object)) && into.outlasts(loop)
	})
}

// together reports whether both of two instructions may run.
func (l *listing) together(x, y ssa.Instruction) bool {
	fn := x.Parent()
	if fn != y.Parent() {
		return true
	}
	if l.reach[fn] == nil {
		l.reach[fn] = ssautil.NewReach(fn)
	}
	return l.reach[fn].MayPrecede(x, y) || l.reach[fn].MayPrecede(y, x)
}

// madeOf returns what a list is made of, but for the lists that are appended to others: arrays, variables, and the values
// in between. Complexity: linear in these, and in the nest for each variable.
func (l *listing) madeOf(list ssa.Value) parts {
	out := make(parts)
	for work := []ssa.Value{list}; len(work) > 0; {
		v := ssautil.Unwrap(work[len(work)-1])
		work = work[:len(work)-1]
		if _, nothing := v.(*ssa.Const); nothing || out[v] {
			continue
		}
		out[v] = true
		switch x := v.(type) {
		case *ssa.Phi:
			work = append(work, x.Edges...)
		case *ssa.Slice:
			work = append(work, x.X)
		case *ssa.UnOp:
			work = append(work, x.X)
		case *ssa.FreeVar:
			if cell := ssautil.Binding(x); cell != nil {
				work = append(work, cell)
			}
		case *ssa.Alloc:
			work = append(work, l.stored(x)...)
		case *ssa.Call:
			if grows(x) {
				work = append(work, x.Call.Args[0])
			}
		}
	}
	return out
}

// stored returns what the nest puts into a variable.
func (l *listing) stored(cell *ssa.Alloc) (out []ssa.Value) {
	for instr := range l.instrs {
		st, ok := instr.(*ssa.Store)
		if !ok {
			continue
		}
		addr := st.Addr
		for {
			captured, ok := addr.(*ssa.FreeVar)
			if !ok {
				break
			}
			addr = ssautil.Binding(captured)
		}
		if addr == ssa.Value(cell) {
			out = append(out, st.Val)
		}
	}
	return out
}

// parts are what a list is made of.
type parts map[ssa.Value]bool

// meets reports whether two lists have a part in common.
func (p parts) meets(o parts) bool {
	for v := range p {
		if o[v] {
			return true
		}
	}
	return false
}

// variables are those parts that make a list of one round of a loop the list of the next one: what is appended to a list
// makes another one, which a variable has to hold.
func (p parts) variables() parts {
	out := make(parts)
	for v := range p {
		switch x := v.(type) {
		case *ssa.Alloc:
			if functions(ssautil.Pointee(x.Type())) {
				out[v] = true
			}
		case *ssa.Phi, *ssa.Global, *ssa.FieldAddr, *ssa.FreeVar:
			out[v] = true
		}
	}
	return out
}

// outlasts reports whether what a loop puts into a list is still there in the next round.
func (p parts) outlasts(loop ssautil.Loop) bool {
	for v := range p {
		switch x := v.(type) {
		case *ssa.Phi:
			if x.Block() == loop.Head {
				return true
			}
		case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap, *ssa.FieldAddr:
			if !loop.Has(v) {
				return true
			}
		case *ssa.Parameter, *ssa.Global:
			return true
		}
	}
	return false
}

// grows reports whether a call appends to a list.
func grows(c *ssa.Call) bool {
	b, ok := c.Call.Value.(*ssa.Builtin)
	return ok && b.Name() == "append"
}
