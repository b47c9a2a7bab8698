package fix

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// bareInsert reports whether what a function puts into a map at a place is a bare value: see bareMade.
func (m *Maker) bareInsert(f *infer.Func, at token.Pos) bool {
	found := false
	for _, b := range f.SSA.Blocks {
		for _, instr := range b.Instrs {
			put, ok := instr.(*ssa.MapUpdate)
			if !ok || put.Pos() != at {
				continue
			}
			if found = m.bareMade(put.Value); !found {
				return false
			}
		}
	}
	return found
}

// bareMade reports whether a value is a struct that is only made of what was there before, or is data: by a literal, in a function of
// the package that starts no goroutine. Whatever methods its type has, nothing has been opened or started for it by then,
// so it can be dropped: its fields are set, and what else gets it ends by itself and starts nothing.
func (m *Maker) bareMade(v ssa.Value) bool {
	call, _ := ssautil.Unwrap(v).(*ssa.Call)
	if call == nil {
		return false
	}
	fn := call.Call.StaticCallee()
	if fn == nil || fn.Blocks == nil || fn.Signature.Results().Len() != 1 || ssautil.Some(fn, starts) {
		return false
	}
	seen := make(map[*ssa.Alloc]bool)
	made := false
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || ssautil.IsNil(ssautil.ResultAt(ret, 0)) {
			continue
		}
		x, ok := ssautil.Unwrap(ssautil.ResultAt(ret, 0)).(*ssa.Alloc)
		if !ok || !m.bareStruct(x, seen) {
			return false
		}
		made = true
	}
	return made
}

func starts(i ssa.Instruction) bool {
	_, ok := i.(*ssa.Go)
	return ok
}

// bareStruct reports whether nothing is done with a new struct but to set its fields to what needs no end, and to hand it
// to functions of the module that end by themselves and start nothing.
func (m *Maker) bareStruct(made *ssa.Alloc, seen map[*ssa.Alloc]bool) bool {
	if seen[made] {
		return true
	}
	seen[made] = true
	if _, ok := ssautil.Pointee(made.Type()).Underlying().(*types.Struct); !ok {
		return false
	}
	return !slices.ContainsFunc(*made.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			return !m.bareField(r, seen)
		case *ssa.Store:
			return r.Addr == ssa.Value(made) || !isField(r.Addr)
		case *ssa.Call:
			return !m.leavesAlone(r)
		case *ssa.MakeInterface:
			return !onlyKept(r)
		case *ssa.Return, *ssa.DebugRef:
			return false
		}
		return true
	})
}

// onlyKept reports whether a value is returned, or put into a field, and nothing else.
func onlyKept(v ssa.Value) bool {
	return !slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.Store:
			return r.Val != v || !isField(r.Addr)
		case *ssa.Return, *ssa.DebugRef:
			return false
		}
		return true
	})
}

func isField(addr ssa.Value) bool {
	_, ok := addr.(*ssa.FieldAddr)
	return ok
}

// bareField reports whether a field is only read, and set to what needs no end.
func (m *Maker) bareField(field *ssa.FieldAddr, seen map[*ssa.Alloc]bool) bool {
	return !slices.ContainsFunc(*field.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
			return false
		case *ssa.Store:
			return r.Addr != ssa.Value(field) || !m.needsNoEnd(r.Val, seen)
		}
		return true
	})
}

// needsNoEnd reports whether a value was there before the function began, or is data, or a struct that is bare itself, or a
// function that has such values at hand.
func (m *Maker) needsNoEnd(v ssa.Value, seen map[*ssa.Alloc]bool) bool {
	v = ssautil.Unwrap(v)
	if model.Plain(v.Type()) {
		return true
	}
	switch v := v.(type) {
	case *ssa.Const, *ssa.Parameter, *ssa.Function:
		return true
	case *ssa.MakeMap, *ssa.MakeSlice:
		return onlyKept(v) // it is empty
	case *ssa.Alloc:
		return m.bareStruct(v, seen)
	case *ssa.MakeClosure:
		return !slices.ContainsFunc(v.Bindings, func(b ssa.Value) bool { return !isParameter(b) })
	case *ssa.UnOp:
		return v.Op == token.MUL && wasThere(v.X)
	}
	return false
}

// isParameter reports whether a literal captures a parameter, which keeps its value.
func isParameter(b ssa.Value) bool {
	cell, ok := b.(*ssa.Alloc)
	if !ok {
		return false
	}
	_, ok = ssautil.SoleStore(cell).(*ssa.Parameter)
	return ok
}

// wasThere reports whether an address is that of a package's variable, or lies in what a parameter leads to.
func wasThere(addr ssa.Value) bool {
	for {
		switch x := addr.(type) {
		case *ssa.Global, *ssa.Parameter:
			return true
		case *ssa.FieldAddr:
			addr = x.X
		case *ssa.UnOp:
			if isParameter(x.X) {
				return true
			}
			addr = x.X
		default:
			return false
		}
	}
}

// leavesAlone reports whether a call runs a function of the module that ends by itself and starts no goroutine.
func (m *Maker) leavesAlone(call *ssa.Call) bool {
	fn, _ := ssautil.Callee(&call.Call)
	if fn == nil || call.Call.IsInvoke() || !m.ofModule(fn.Pkg()) || !m.calmFunc(fn) {
		return false
	}
	sum := m.in.Pkg.Summary(any(fn.Origin()))
	return sum != nil && !sum.Spawns
}
