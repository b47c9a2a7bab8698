package depend

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// maxLent bounds the values that are followed to see whether the maps of a place go elsewhere.
const maxLent = 2_000

// A lending looks whether others have the map of a place, or one in it: code outside the package, or another place of the
// package. What is changed through those, the package does not show.
type lending struct {
	c     *contents
	place any
	funcs []*ssa.Function
	taken map[*ssa.Function]bool // see takenFuncs
	seen  map[followed]bool
	owned map[followed]bool
}

// A followed is a value that is followed; the maker, if there is one, may return it: what each call of that gives is followed
// where it is called.
type followed struct {
	v     ssa.Value
	maker *ssa.Function
}

// lends reports whether others may have the map of a place or those in it. Complexity: linear in the package, and in the
// values that are followed, which are bounded.
func (c *Changes) lends(place any) bool {
	lent, known := c.lent[place]
	if known {
		return lent
	}
	l := &lending{c: c.allContents(), place: place, funcs: c.funcs, taken: c.takenFuncs(), seen: make(map[followed]bool), owned: make(map[followed]bool)}
	lent = l.c.elsewhere(place)
	if _, local := place.(*ssa.Alloc); local {
		lent = false
	}
	var ops []*ssa.Value
	for _, fn := range c.funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				ops = instr.Operands(ops[:0])
				lent = lent || slices.ContainsFunc(ops, func(op *ssa.Value) bool { return l.is(*op) && l.goes(instr, followed{*op, nil}) })
			}
		}
	}
	if c.lent == nil {
		c.lent = make(map[any]bool)
	}
	c.lent[place] = lent
	return lent
}

// is reports whether a value is the place, or what a copy of its struct has there.
func (l *lending) is(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.FieldAddr, *ssa.Field, *ssa.Global, *ssa.Alloc, *ssa.FreeVar:
		return placeOf(v) == l.place
	}
	return false
}

// takenFuncs returns the functions that the package uses as values, found once.
func (c *Changes) takenFuncs() map[*ssa.Function]bool {
	if c.taken != nil {
		return c.taken
	}
	c.taken = make(map[*ssa.Function]bool)
	var ops []*ssa.Value
	for _, fn := range c.funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if _, debug := instr.(*ssa.DebugRef); debug {
					continue
				}
				_, isCall := instr.(ssa.CallInstruction)
				ops = instr.Operands(ops[:0])
				for i, op := range ops {
					if of, ok := (*op).(*ssa.Function); ok && !(isCall && i == 0) {
						c.taken[written(of)] = true
					}
				}
			}
		}
	}
	return c.taken
}

// open reports whether other code than the calls in the package that name a function may call it.
func (l *lending) open(fn *ssa.Function) bool {
	if l.taken[fn] || fn.Signature.Recv() != nil && len(l.c.uses.invokes[fn.Name()]) > 0 {
		return true
	}
	obj := fn.Object()
	return obj != nil && obj.Exported() && l.c.pkg.Name() != "main"
}

// leaves reports whether a use of a value, or of what comes from it, gives the map to others.
func (l *lending) leaves(x followed) bool {
	if l.seen[x] {
		return false
	}
	l.seen[x] = true
	refs := x.v.Referrers()
	return len(l.seen) > maxLent || refs != nil && slices.ContainsFunc(*refs, func(use ssa.Instruction) bool { return l.goes(use, x) })
}

// goes is leaves for one use.
func (l *lending) goes(use ssa.Instruction, x followed) bool {
	follow := func(v ssa.Value) bool { return l.leaves(followed{v, x.maker}) }
	switch use := use.(type) {
	case *ssa.DebugRef, *ssa.BinOp, *ssa.If:
		return false
	case *ssa.Phi, *ssa.ChangeType, *ssa.Range, *ssa.Next, *ssa.MakeInterface, *ssa.Slice:
		return follow(use.(ssa.Value))
	case *ssa.UnOp:
		return use.Op != token.MUL || follow(use)
	case *ssa.Lookup:
		_, tuple := use.Type().(*types.Tuple)
		return (tuple || ssautil.IsMap(use.Type())) && follow(use)
	case *ssa.Extract:
		return ssautil.IsMap(use.Type()) && follow(use)
	case *ssa.MapUpdate:
		if use.Map == x.v {
			return ssautil.IsMap(use.Value.Type()) && !l.own(followed{use.Value, nil})
		}
		return placeOf(use.Map) != l.place && !l.seen[followed{use.Map, x.maker}]
	case *ssa.Store:
		return l.stored(use, x)
	case *ssa.MakeClosure:
		i := slices.Index(use.Bindings, x.v)
		return i < 0 || follow(use.Fn.(*ssa.Function).FreeVars[i])
	case *ssa.Return:
		return l.returned(use, x)
	case ssa.CallInstruction:
		return l.given(use, x)
	}
	return true
}

// stored is goes for what is stored: in a variable of the function, from where it is followed, or in the place itself.
func (l *lending) stored(st *ssa.Store, x followed) bool {
	if st.Addr == x.v {
		return l.is(x.v) && !l.own(followed{st.Val, nil})
	}
	switch addr := st.Addr.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
		return l.leaves(followed{addr, x.maker})
	case *ssa.IndexAddr:
		list, ok := addr.X.(*ssa.Alloc)
		return !ok || ssautil.Arguments(list) == nil || l.leaves(followed{list, x.maker})
	}
	return !l.is(st.Addr)
}

// returned is goes for what a function returns: its calls give it on.
func (l *lending) returned(r *ssa.Return, x followed) bool {
	fn := r.Parent()
	if fn == x.maker {
		return false
	}
	if l.open(fn) {
		return true
	}
	return slices.ContainsFunc(l.c.uses.calls[fn], func(call ssa.CallInstruction) bool {
		c, ok := call.(*ssa.Call)
		return ok && l.leaves(followed{c, x.maker})
	})
}

// given is goes for what a call gets.
func (l *lending) given(call ssa.CallInstruction, x followed) bool {
	common := call.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		return b.Name() == "append" || b.Name() == "copy"
	}
	fn := common.StaticCallee()
	if fn == nil {
		return true
	}
	if fn = written(fn); len(fn.Blocks) == 0 {
		return !l.readsOnly(fn, x.v)
	}
	for i, arg := range common.Args {
		if arg == x.v && (i >= len(fn.Params) || l.leaves(followed{fn.Params[i], x.maker})) {
			return true
		}
	}
	return false
}

// readsOnly reports whether a function of the standard library has no more of a map when it is over: what it gives back is
// plain, or, if there are no maps in the map, a copy.
func (l *lending) readsOnly(fn *ssa.Function, v ssa.Value) bool {
	of, ok := fn.Object().(*types.Func)
	if !ok || of.Pkg() == nil || !ssautil.IsStandard(of.Pkg()) || ssautil.SameRoot(of.Pkg(), l.c.pkg) || fn.Signature.Recv() != nil {
		return false
	}
	m, inner := v.Type().Underlying().(*types.Map)
	inner = inner && !ssautil.IsMap(m.Elem())
	if model.Lookup(of).Kind == model.MapWrite {
		return false
	}
	for r := range fn.Signature.Results().Variables() {
		switch t := r.Type().Underlying().(type) {
		case *types.Basic:
		case *types.Slice:
			if _, plain := t.Elem().Underlying().(*types.Basic); !plain {
				return false
			}
		case *types.Map, *types.Signature:
			if !inner {
				return false
			}
		default:
			if !ssautil.IsError(r.Type()) {
				return false
			}
		}
	}
	return true
}

// own reports whether no one else has a map that is put into the place, or into one in it.
func (l *lending) own(x followed) bool {
	if l.owned[x] {
		return true
	}
	l.owned[x] = true
	if len(l.owned) > maxLent {
		return false
	}
	switch v := x.v.(type) {
	case *ssa.Const:
		return true
	case *ssa.MakeMap:
		return !l.leaves(x)
	case *ssa.Phi:
		return !slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return !l.own(followed{e, x.maker}) })
	case *ssa.ChangeType:
		return l.own(followed{v.X, x.maker})
	case *ssa.Parameter:
		return l.ownArgument(v) && !l.leaves(x)
	case *ssa.Lookup:
		return placeOf(v.X) == l.place
	case *ssa.Call:
		return l.ownResult(v, 0) && !l.leaves(x)
	case *ssa.Extract:
		switch of := v.Tuple.(type) {
		case *ssa.Lookup:
			return placeOf(of.X) == l.place
		case *ssa.Call:
			return l.ownResult(of, v.Index) && !l.leaves(x)
		}
	case *ssa.UnOp:
		return l.ownCell(v.X, x.maker)
	}
	return false
}

// ownArgument is own for what all calls of a function give.
func (l *lending) ownArgument(p *ssa.Parameter) bool {
	return !l.open(p.Parent()) && !slices.ContainsFunc(l.c.uses.calls[p.Parent()], func(call ssa.CallInstruction) bool {
		arg := argumentFor(call.Common(), p)
		return arg == nil || !l.own(followed{arg, nil})
	})
}

// ownResult is own for what a call gives. What other packages give is taken to be made for it.
func (l *lending) ownResult(call *ssa.Call, i int) bool {
	may := l.c.uses.runs(&call.Call)
	if fn := call.Call.StaticCallee(); fn == nil && !call.Call.IsInvoke() {
		for _, of := range l.funcs {
			if l.taken[of] && types.Identical(of.Signature, call.Call.Value.Type().Underlying()) {
				may = append(may[:len(may):len(may)], of)
			}
		}
	}
	return !slices.ContainsFunc(may, func(fn *ssa.Function) bool {
		return slices.ContainsFunc(Returns(fn), func(r *ssa.Return) bool {
			return i < len(r.Results) && !l.own(followed{ssautil.ResultAt(r, i), fn})
		})
	})
}

// ownCell is own for what a variable of the function has.
func (l *lending) ownCell(addr ssa.Value, maker *ssa.Function) bool {
	if l.is(addr) {
		return true
	}
	if v, captured := addr.(*ssa.FreeVar); captured {
		addr = ssautil.Binding(v)
	}
	cell, ok := addr.(*ssa.Alloc)
	return ok && !slices.ContainsFunc(*cell.Referrers(), func(use ssa.Instruction) bool {
		switch use := use.(type) {
		case *ssa.Store:
			return use.Addr != ssa.Value(cell) || !l.own(followed{use.Val, maker})
		case *ssa.MakeClosure:
			i := slices.Index(use.Bindings, ssa.Value(cell))
			return i < 0 || slices.ContainsFunc(*use.Fn.(*ssa.Function).FreeVars[i].Referrers(), func(in ssa.Instruction) bool {
				st, gives := in.(*ssa.Store)
				return gives && !l.own(followed{st.Val, nil})
			})
		case *ssa.UnOp, *ssa.DebugRef:
			return false
		}
		return true
	})
}
