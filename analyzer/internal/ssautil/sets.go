package ssautil

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// maxSetters bounds the functions, one called by the other, that set fields of what they get.
const maxSetters = 3

// setBy returns the fields, by index, to which a call gives new maps in the struct at addr before
// it returns, and without having come to what they held.
func setBy(call *ssa.Call, addr ssa.Value, depth int) (set uint64) {
	callee := followed(call, depth)
	if callee == nil {
		return 0
	}
	for i, arg := range call.Call.Args {
		if arg == addr {
			set |= setAlways(callee.Params[i], depth)
		}
	}
	return set
}

// setAlways is setBy for a parameter of the function that is called. The function does nothing with
// the parameter but name its fields and call others, and goes no other way than it shows.
func setAlways(p *ssa.Parameter, depth int) (set uint64) {
	if p.Parent().Recover != nil || !plainly(p) {
		return 0
	}
	var fields, spoilt uint64
	for _, r := range *p.Referrers() {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			if r.Field < 64 {
				if stores, fresh := storesAt(r); fresh && stores {
					fields |= 1 << r.Field
				} else if !fresh {
					spoilt |= 1 << r.Field
				}
			}
		case *ssa.Call:
			fields |= setBy(r, p, depth+1)
		}
	}
	for f := range 64 {
		if bit := uint64(1) << f; fields&^spoilt&bit != 0 && setFirst(p, f, depth) && !spoils(p, f, depth) {
			set |= bit
		}
	}
	return set
}

// plainly reports whether the fields of what a value points to are named, and calls made with it, and no more.
func plainly(v ssa.Value) bool {
	return !slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		switch r.(type) {
		case *ssa.FieldAddr, *ssa.Call, *ssa.DebugRef:
			return false
		}
		return true
	})
}

// storesAt reports whether a field is assigned at an address of it, and whether nothing but new maps, or none, are.
func storesAt(fa *ssa.FieldAddr) (stores, fresh bool) {
	fresh = true
	for _, r := range *fa.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
		case *ssa.Store:
			_, made := r.Val.(*ssa.MakeMap)
			stores = true
			fresh = fresh && r.Addr == ssa.Value(fa) && (made || IsNil(r.Val) && refers(r.Val.Type()))
		default:
			fresh = false
		}
	}
	return stores, fresh
}

// setFirst reports whether each way through the function to its end comes to an instruction that
// sets a field, and does not come to the field before. Complexity: linear in the function.
func setFirst(p *ssa.Parameter, field, depth int) bool {
	sets := func(instr ssa.Instruction) bool {
		switch instr := instr.(type) {
		case *ssa.Store:
			fa, ok := instr.Addr.(*ssa.FieldAddr)
			return ok && fa.X == ssa.Value(p) && fa.Field == field
		case *ssa.Call:
			return setBy(instr, p, depth+1)&(1<<field) != 0
		}
		return false
	}
	entry := p.Parent().Blocks[0]
	seen := map[*ssa.BasicBlock]bool{entry: true}
	for work := []*ssa.BasicBlock{entry}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		at := slices.IndexFunc(b.Instrs, sets)
		before := b.Instrs
		if at >= 0 {
			before = b.Instrs[:at]
		}
		if slices.ContainsFunc(before, func(instr ssa.Instruction) bool { return comesTo(instr, p, field, depth) }) {
			return false
		}
		if at >= 0 {
			continue
		}
		for _, next := range b.Succs {
			if !seen[next] {
				seen[next] = true
				work = append(work, next)
			}
		}
	}
	return true
}

// comesTo reports whether an instruction reads a field of what a parameter points to, or calls what may,
// or ends the function.
func comesTo(instr ssa.Instruction, p *ssa.Parameter, field, depth int) bool {
	switch instr := instr.(type) {
	case *ssa.Return:
		return true
	case *ssa.UnOp:
		fa, ok := instr.X.(*ssa.FieldAddr)
		return ok && fa.X == ssa.Value(p) && fa.Field == field
	case *ssa.Call:
		return someCallee(instr, p, depth, func(q *ssa.Parameter) bool { return names(q, field, depth+1) })
	}
	return false
}

// names reports whether a function may come to a field of what its parameter points to.
func names(p *ssa.Parameter, field, depth int) bool {
	return !plainly(p) || slices.ContainsFunc(*p.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			return r.Field == field
		case *ssa.Call:
			return someCallee(r, p, depth, func(q *ssa.Parameter) bool { return names(q, field, depth+1) })
		}
		return false
	})
}

// spoils reports whether a call with a value may give the field of what it points to another value than a
// new map.
func spoils(v ssa.Value, field, depth int) bool {
	return slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		call, ok := r.(*ssa.Call)
		return ok && someCallee(call, v, depth, func(q *ssa.Parameter) bool {
			return !plainly(q) || spoils(q, field, depth+1) || slices.ContainsFunc(*q.Referrers(), func(r ssa.Instruction) bool {
				fa, ok := r.(*ssa.FieldAddr)
				if !ok || fa.Field != field {
					return false
				}
				_, fresh := storesAt(fa)
				return !fresh
			})
		})
	})
}

// someCallee reports whether a parameter of the function that a call is of, by which it gets a value, suits;
// true where that is not known.
func someCallee(call *ssa.Call, v ssa.Value, depth int, suits func(*ssa.Parameter) bool) bool {
	callee := followed(call, depth)
	for i, arg := range call.Call.Args {
		if arg == v && (callee == nil || suits(callee.Params[i])) {
			return true
		}
	}
	return false
}

// followed returns the function that a call is of, if its code is known and not too far away.
func followed(call *ssa.Call, depth int) *ssa.Function {
	callee := call.Call.StaticCallee()
	if callee == nil || depth == maxSetters || len(callee.Blocks) == 0 || len(callee.Params) != len(call.Call.Args) {
		return nil
	}
	return callee
}
