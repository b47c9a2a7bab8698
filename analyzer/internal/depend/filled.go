package depend

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// filledIn returns the fields of an object, or of any if it is nil, in which a function
// changes a map.
func filledIn(fn *ssa.Function, of ssa.Value) map[*types.Var]bool {
	out := make(map[*types.Var]bool)
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			up, ok := instr.(*ssa.MapUpdate)
			if !ok {
				continue
			}
			if ld, ok := up.Map.(*ssa.UnOp); ok {
				if fld, ok := ld.X.(*ssa.FieldAddr); ok && (of == nil || fld.X == of) {
					out[ssautil.FieldOf(fld)] = true
				}
			}
		}
	}
	return out
}

// toBeFilled reports whether a store puts a new map into a field that the function
// leaves without entries. One that only this package can name, and that goes nowhere from
// there, is filled where the package shows it.
func toBeFilled(st *ssa.Store, filled, handed map[*types.Var]bool) bool {
	fld, ok := st.Addr.(*ssa.FieldAddr)
	made, isNew := st.Val.(*ssa.MakeMap)
	if !ok || !isNew || filled[ssautil.FieldOf(fld)] {
		return false
	}
	if of := ssautil.FieldOf(fld); of != nil && !of.Exported() && !handed[of] {
		return false
	}
	return !slices.ContainsFunc(*made.Referrers(), func(r ssa.Instruction) bool {
		_, debug := r.(*ssa.DebugRef)
		return !debug && r != ssa.Instruction(st)
	})
}

// handedOn returns the fields whose map goes where the package does not show what becomes of
// it: it may be filled there.
func handedOn(funcs []*ssa.Function) map[*types.Var]bool {
	out := make(map[*types.Var]bool)
	for _, fn := range funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				switch x := instr.(type) {
				case *ssa.FieldAddr:
					if of := ssautil.FieldOf(x); of != nil && ssautil.IsMap(of.Type()) && !out[of] && !readOrSet(x) {
						out[of] = true
					}
				case *ssa.Field:
					st, ok := x.X.Type().Underlying().(*types.Struct)
					if ok && ssautil.IsMap(x.Type()) && !staysHere(x, 0) {
						out[st.Field(x.Field).Origin()] = true
					}
				}
			}
		}
	}
	return out
}

// readOrSet reports whether a field of a map is set, or read where the map stays.
func readOrSet(fld *ssa.FieldAddr) bool {
	return !slices.ContainsFunc(*fld.Referrers(), func(use ssa.Instruction) bool {
		switch use := use.(type) {
		case *ssa.Store:
			return use.Addr != ssa.Value(fld)
		case *ssa.UnOp:
			return !staysHere(use, 0)
		case *ssa.DebugRef:
			return false
		}
		return true
	})
}

// maxHanded bounds the calls, one in the other, through which a map is followed to what reads it.
const maxHanded = 3

// staysHere reports whether a map is used where it is, or by functions of the package that do
// nothing but read it.
func staysHere(m ssa.Value, depth int) bool {
	return !slices.ContainsFunc(*m.Referrers(), func(use ssa.Instruction) bool {
		switch use := use.(type) {
		case *ssa.Lookup:
			return use.X != m
		case *ssa.MapUpdate:
			return use.Map != m || depth > 0
		case *ssa.Call:
			return !readBy(use, m, depth)
		case *ssa.Range, *ssa.BinOp, *ssa.DebugRef:
			return false
		}
		return true
	})
}

// readBy reports whether a call does nothing but read a map that it gets.
func readBy(call *ssa.Call, m ssa.Value, depth int) bool {
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		return b.Name() == "len" || depth == 0 // what deletes an entry is a change that shows
	}
	fn := call.Call.StaticCallee()
	if fn == nil || len(fn.Blocks) == 0 || depth >= maxHanded {
		return false
	}
	for i, arg := range call.Call.Args {
		if arg == m && (i >= len(fn.Params) || !staysHere(fn.Params[i], depth+1)) {
			return false
		}
	}
	return true
}

// filledApart reports whether a value is, in a literal, the object that the literal's function has
// made, and that stays there until the goroutines which run the literal have ended.
func filledApart(v ssa.Value) bool {
	captured, ok := ssautil.Settled(v).(*ssa.FreeVar)
	if !ok {
		return false
	}
	cell, ok := ssautil.Binding(captured).(*ssa.Alloc)
	if !ok {
		return false
	}
	made, ok := ssautil.SettledVariable(cell).(*ssa.Alloc)
	lit := ssautil.MakerOf(captured.Parent())
	if !ok || lit == nil || len(*lit.Referrers()) == 0 {
		return false
	}
	waits := joinsOf(lit)
	return len(waits) > 0 && staysUntil(made, cell, waits) && staysUntil(cell, cell, waits)
}

// joinsOf returns the calls that wait for all goroutines which run a literal, where nothing
// else runs it.
func joinsOf(lit *ssa.MakeClosure) []ssa.Instruction {
	var groups []ssa.Value
	for _, r := range *lit.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Go:
			groups = append(groups, lit.Bindings...)
		case *ssa.Call:
			fn, args := ssautil.Callee(&r.Call)
			if model.Lookup(fn).Kind != model.Spawn || len(args) == 0 {
				return nil
			}
			groups = append(groups, args[0])
		default:
			return nil
		}
	}
	var out []ssa.Instruction
	for _, b := range lit.Parent().Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			fn, args := ssautil.Callee(&call.Call)
			if model.Lookup(fn).Kind == model.Join && len(args) > 0 && !ssautil.Dominates(call, lit) && slices.ContainsFunc(groups, func(g ssa.Value) bool {
				return g == args[0] || ssautil.Settled(g) == ssautil.Settled(args[0]) || isIn(args[0], g)
			}) {
				out = append(out, call)
			}
		}
	}
	return out
}

// isIn reports whether a value is read from a variable.
func isIn(v, cell ssa.Value) bool {
	ld, ok := v.(*ssa.UnOp)
	return ok && ld.X == cell
}

// staysUntil reports whether an object, or what a variable holds, which is that object, goes
// nowhere but into the variable before one of the calls.
func staysUntil(v ssa.Value, cell *ssa.Alloc, calls []ssa.Instruction) bool {
	return !slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.MakeClosure, *ssa.FieldAddr:
			return false
		case *ssa.UnOp:
			if v == ssa.Value(cell) {
				return !staysUntil(r, cell, calls)
			}
		case *ssa.Store:
			if r.Addr == ssa.Value(cell) {
				return false
			}
		}
		return !slices.ContainsFunc(calls, func(c ssa.Instruction) bool { return ssautil.Dominates(c, r) })
	})
}
