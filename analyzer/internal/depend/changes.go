package depend

import (
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Changes tells which structs a package shows to change after they are made.
type Changes struct {
	pkg     *types.Package
	structs map[*types.TypeName]bool
	fields  map[*types.Var]bool
	// compared are the structs of which the package asks whether two pointers are one, or
	// has pointers as keys.
	compared map[*types.TypeName]bool
	// ended are the structs of which the package ends an object that was there, or a part of it.
	ended map[*types.TypeName]bool
	// replaced are the concurrent maps, in fields and variables, in which the package puts another value under a key that has one.
	replaced map[*types.Var]bool
	// lists are the types of the lists from maps that the package changes in place.
	lists []types.Type

	// handed are the fields whose map goes where the package does not show what becomes of it.
	handed map[*types.Var]bool

	funcs    []*ssa.Function
	contents *contents              // once it is asked for
	taken    map[*ssa.Function]bool // see takenFuncs
	lent     map[any]bool           // see lends
}

// FindChanges looks for what changes structs that are made: a field is stored to
// through a pointer that is not a new object's, or a map or slice in a field is
// changed in place; for maps without entries that are put into fields, and are
// there to be filled; and for objects that are ended. Complexity: linear in the instructions.
func FindChanges(pkg *types.Package, funcs []*ssa.Function) *Changes {
	c := &Changes{
		pkg: pkg, funcs: funcs, structs: make(map[*types.TypeName]bool), fields: make(map[*types.Var]bool),
		compared: make(map[*types.TypeName]bool), ended: make(map[*types.TypeName]bool), replaced: make(map[*types.Var]bool),
	}
	c.handed = handedOn(funcs)
	builders, built := findBuilders(funcs), make(map[*types.Var]bool)
	for p := range builders {
		maps.Copy(built, filledIn(p.Parent(), p))
	}
	for _, fn := range funcs {
		filled := filledIn(fn, nil)
		maps.Copy(filled, built)
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				c.compares(instr)
				c.ends(instr)
				c.replaces(instr)
				c.reorders(instr)
				if addr := writtenAddr(instr); addr != nil {
					c.note(addr, instr, builders)
				}
				if st, ok := instr.(*ssa.Store); ok && toBeFilled(st, filled, c.handed) {
					c.mark(st.Addr.(*ssa.FieldAddr))
				}
			}
		}
	}
	return c
}

// compares marks a struct whose pointers an instruction compares, or puts or looks up as keys.
func (c *Changes) compares(instr ssa.Instruction) {
	var of ssa.Value
	switch instr := instr.(type) {
	case *ssa.BinOp:
		if (instr.Op == token.EQL || instr.Op == token.NEQ) && !ssautil.IsNil(instr.X) && !ssautil.IsNil(instr.Y) {
			of = instr.X
		}
	case *ssa.MapUpdate:
		of = instr.Key
	case *ssa.Lookup:
		of = instr.Index
	}
	if of == nil {
		return
	}
	if n, ok := types.Unalias(ssautil.Pointee(ssautil.Unwrap(of).Type())).(*types.Named); ok {
		c.compared[n.Origin().Obj()] = true
	}
}

// writtenAddr returns what an instruction changes: an address, or the map.
func writtenAddr(instr ssa.Instruction) ssa.Value {
	switch instr := instr.(type) {
	case *ssa.Store:
		return instr.Addr
	case *ssa.MapUpdate:
		return instr.Map
	case *ssa.Call:
		if b, ok := instr.Call.Value.(*ssa.Builtin); ok && (b.Name() == "delete" || b.Name() == "clear") {
			return instr.Call.Args[0]
		}
		if fn, args := ssautil.Callee(&instr.Call); model.Flag(fn) != model.FlagNone && len(args) > 0 {
			return args[0]
		}
	}
	return nil
}

// note marks the structs on the way to what an instruction changes, unless it
// belongs to an object that is being made, there or by those who call a builder.
func (c *Changes) note(v ssa.Value, by ssa.Instruction, builders map[*ssa.Parameter]bool) {
	for v != nil {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			if p, ok := x.X.(*ssa.Parameter); !making(x.X, by) && !(ok && builders[p]) {
				c.mark(x)
			}
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.UnOp:
			v = x.X
		default:
			return
		}
	}
}

// mark notes that a field changes, and with it the values of its struct.
func (c *Changes) mark(fld *ssa.FieldAddr) {
	if n, ok := types.Unalias(ssautil.Pointee(fld.X.Type())).(*types.Named); ok {
		c.structs[n.Origin().Obj()] = true
	}
	c.fields[ssautil.FieldOf(fld)] = true
}

// making reports whether an object is new, and no map has it yet. What a goroutine or a literal
// fills that ends before its function goes on with the object belongs to the making.
func making(v ssa.Value, at ssa.Instruction) bool {
	made, ok := ssautil.Settled(v).(*ssa.Alloc)
	if !ok {
		return filledApart(v)
	}
	if ld, ok := v.(*ssa.UnOp); ok && slices.ContainsFunc(readsOf(ld.X), func(x ssa.Value) bool { return hasBefore(x, at) }) {
		return false
	}
	return !hasBefore(made, at)
}

// hasBefore reports whether a map has an object before an instruction, which always comes after.
func hasBefore(made ssa.Value, at ssa.Instruction) bool {
	return slices.ContainsFunc(*made.Referrers(), func(r ssa.Instruction) bool { return putBefore(r, made, at) })
}

// readsOf returns what is read from a variable.
func readsOf(cell ssa.Value) (out []ssa.Value) {
	for _, r := range *cell.Referrers() {
		if ld, ok := r.(*ssa.UnOp); ok {
			out = append(out, ld)
		}
	}
	return out
}

// putBefore reports whether an instruction, which always comes before at, puts a
// value into a map.
func putBefore(r ssa.Instruction, v ssa.Value, at ssa.Instruction) bool {
	switch r := r.(type) {
	case *ssa.MapUpdate:
		return r.Value == v && ssautil.Dominates(r, at)
	case *ssa.MakeInterface:
		return slices.ContainsFunc(*r.Referrers(), func(use ssa.Instruction) bool { return putBefore(use, r, at) })
	case *ssa.Call:
		fn, args := ssautil.Callee(&r.Call)
		return fn != nil && len(args) == 3 && args[2] == v && model.IsConcurrentMap(args[0].Type()) && ssautil.Dominates(r, at)
	}
	return false
}
