package depend

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// common reports whether a value is an object that was there before, and that each goroutine has
// which makes another one of it: the receiver, which holds the map; what a caller has in common
// with others, and hands over; what the receiver says in the section that puts the object in;
// or an entry like the one that is being made, which is as good as the next one if that is.
func (f *Func) common(v ssa.Value) bool {
	v = ssautil.Settled(ssautil.Unwrap(v))
	if captured, ok := v.(*ssa.FreeVar); ok {
		return f.depth == 0 && isReceiver(boundTo(captured))
	}
	if p, ok := v.(*ssa.Parameter); ok {
		return f.commonParams[p] || f.depth == 0 && isReceiver(p)
	}
	read, ok := v.(ssa.Instruction)
	if !ok || !f.readOfCommon(v) {
		return false
	}
	return f.put != nil && f.SameSection(read, f.put) || f.kind != nil && types.Identical(v.Type(), f.kind) && entryOf(v)
}

// boundTo returns what a captured variable holds for good, nil if that is not known.
func boundTo(captured *ssa.FreeVar) ssa.Value {
	switch cell := ssautil.Binding(captured).(type) {
	case *ssa.Alloc:
		return ssautil.SettledVariable(cell)
	case *ssa.FreeVar:
		return boundTo(cell)
	}
	return nil
}

// isReceiver reports whether a value is the receiver of its function.
func isReceiver(v ssa.Value) bool {
	p, ok := v.(*ssa.Parameter)
	return ok && p.Parent().Signature.Recv() != nil && p == p.Parent().Params[0]
}

// readOfCommon reports whether a value is read from an object that goroutines have in common.
func (f *Func) readOfCommon(v ssa.Value) bool {
	if x, ok := v.(*ssa.Extract); ok {
		v = x.Tuple
	}
	switch v.(type) {
	case *ssa.Lookup, *ssa.UnOp:
	default:
		return false
	}
	for at := v; ; {
		switch x := at.(type) {
		case *ssa.Lookup:
			at = x.X
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return false
			}
			if to := ssautil.Settled(x); to != at {
				return f.common(to)
			}
			at = x.X
		case *ssa.FieldAddr:
			at = x.X
		case *ssa.Parameter:
			return f.common(x)
		default:
			return false
		}
	}
}

// entryOf reports whether a value is what a map holds.
func entryOf(v ssa.Value) bool {
	if x, ok := v.(*ssa.Extract); ok {
		v = x.Tuple
	}
	l, ok := v.(*ssa.Lookup)
	return ok && ssautil.IsMap(l.X.Type())
}

// commonArgs returns the parameters of a function for which a call has what serves alike.
func (f *Func) commonArgs(fn *ssa.Function, args []ssa.Value) map[*ssa.Parameter]bool {
	out := make(map[*ssa.Parameter]bool)
	for i, p := range fn.Params {
		if i < len(args) && f.asGood(args[i]) {
			out[p] = true
		}
	}
	return out
}

// ownPart reports whether a value is a map that an object being made gets for itself, and whose
// entries do not change either: the object changes with it, and the package would show that.
func (f *Func) ownPart(v ssa.Value) bool {
	made, ok := v.(*ssa.MakeMap)
	if !ok || f.kind == nil {
		return false
	}
	m := made.Type().Underlying().(*types.Map)
	seen := make(map[*types.TypeName]bool)
	if n, ok := types.Unalias(ssautil.Pointee(f.kind)).(*types.Named); ok {
		seen[n.Origin().Obj()] = true
	}
	stays := !slices.ContainsFunc(*made.Referrers(), func(use ssa.Instruction) bool {
		switch use := use.(type) {
		case *ssa.Store:
			_, field := use.Addr.(*ssa.FieldAddr)
			return !field
		case *ssa.MapUpdate:
			return use.Map != v
		case *ssa.Lookup, *ssa.DebugRef:
			return false
		}
		return true
	})
	return stays && f.Changes.statelessElem(m.Elem(), seen)
}

// makesKnown reports whether a function makes an object known to others: it starts a goroutine with
// it, registers it, or hands it, or a method of it, to a method that is called for what it does. What
// comes of that comes to the one of two that no map has.
func makesKnown(v ssa.Value, depth int, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	return slices.ContainsFunc(*v.Referrers(), func(use ssa.Instruction) bool {
		switch use := use.(type) {
		case *ssa.Go, *ssa.Send, *ssa.Defer:
			return true
		case *ssa.Store:
			if use.Val != v {
				return false
			}
			cell, ok := use.Addr.(*ssa.Alloc)
			if !ok {
				return depth > 0 || keptElsewhere(use.Addr)
			}
			return slices.ContainsFunc(*cell.Referrers(), func(r ssa.Instruction) bool { return knownIn(r, depth, seen) })
		case *ssa.MapUpdate:
			return depth > 0 && (use.Value == v || use.Key == v)
		case *ssa.MakeInterface:
			return makesKnown(use, depth, seen)
		case *ssa.MakeClosure:
			return use.Fn.(*ssa.Function).Synthetic != "" && makesKnown(use, depth, seen)
		case *ssa.Call:
			return knownBy(use, v, depth, seen)
		}
		return false
	})
}

// keptElsewhere reports whether an address is a field of what the function was given, or leads to a
// list that is put there.
func keptElsewhere(addr ssa.Value) bool {
	switch addr := addr.(type) {
	case *ssa.FieldAddr:
		_, given := addr.X.(*ssa.Parameter)
		return given
	case *ssa.IndexAddr:
		list, ok := addr.X.(*ssa.Alloc)
		return ok && slices.ContainsFunc(*list.Referrers(), func(r ssa.Instruction) bool {
			all, ok := r.(*ssa.Slice)
			return ok && slices.ContainsFunc(*all.Referrers(), appendedElsewhere)
		})
	}
	return false
}

// appendedElsewhere reports whether an instruction appends to a list that is kept elsewhere.
func appendedElsewhere(instr ssa.Instruction) bool {
	call, ok := instr.(*ssa.Call)
	if !ok {
		return false
	}
	b, ok := call.Call.Value.(*ssa.Builtin)
	return ok && b.Name() == "append" && slices.ContainsFunc(*call.Referrers(), func(use ssa.Instruction) bool {
		st, ok := use.(*ssa.Store)
		return ok && keptElsewhere(st.Addr)
	})
}

// knownIn is makesKnown for a use of a variable that holds the object.
func knownIn(use ssa.Instruction, depth int, seen map[ssa.Value]bool) bool {
	switch use := use.(type) {
	case *ssa.UnOp:
		return makesKnown(use, depth, seen)
	case *ssa.MakeClosure:
		return len(joinsOf(use)) == 0 && makesKnown(use, depth, seen)
	}
	return false
}

// knownBy reports whether a call makes a value known to others that it gets. What is put into
// another object that is being made is a part of that.
func knownBy(call *ssa.Call, v ssa.Value, depth int, seen map[ssa.Value]bool) bool {
	if _, ok := call.Call.Value.(*ssa.Builtin); ok {
		return false
	}
	if callee := call.Call.StaticCallee(); callee != nil && callee.Pkg == call.Parent().Pkg {
		into := slices.ContainsFunc(call.Call.Args, func(x ssa.Value) bool {
			_, made := x.(*ssa.Alloc)
			return made && x != v
		})
		return !into && depth < maxMakers && slices.ContainsFunc(callee.Params, func(p *ssa.Parameter) bool {
			i := slices.Index(callee.Params, p)
			return i < len(call.Call.Args) && call.Call.Args[i] == v && makesKnown(p, depth+1, seen)
		})
	}
	fn, args := ssautil.Callee(&call.Call)
	if fn == nil {
		return call.Call.Value != v // a literal that is called
	}
	switch model.Lookup(fn).Kind {
	case model.Spawn, model.Register, model.Keep:
		return true
	}
	sig := fn.Signature()
	return sig.Recv() != nil && len(args) > 0 && args[0] != v && performs(sig) && !role.Harmless(fn)
}
