package depend

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Written returns the struct types of a package whose values change after they
// are made: a field is stored to through a pointer that is not a new object's,
// or a map or slice in a field is changed in place. A pointer to any other
// struct has no identity: whichever goroutine made it, it says the same for
// ever. Complexity: linear in the instructions.
func Written(funcs []*ssa.Function) map[*types.TypeName]bool {
	out := make(map[*types.TypeName]bool)
	for _, fn := range funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if addr := writtenAddr(instr); addr != nil {
					noteWritten(out, addr)
				}
			}
		}
	}
	return out
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
	}
	return nil
}

// noteWritten marks the structs on the way to what is changed, unless it
// belongs to an object that is being made.
func noteWritten(out map[*types.TypeName]bool, v ssa.Value) {
	for v != nil {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			if _, making := x.X.(*ssa.Alloc); !making {
				if n, ok := types.Unalias(ssautil.Pointee(x.X.Type())).(*types.Named); ok {
					out[n.Origin().Obj()] = true
				}
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

// Immutable reports whether t is a pointer to a struct of the package whose
// values never change once they are made. One that holds a lock, a channel, an
// interface or a function leads to state, and has an identity.
func Immutable(t types.Type, pkg *types.Package, written map[*types.TypeName]bool) bool {
	return immutable(t, pkg, written, 0)
}

func immutable(t types.Type, pkg *types.Package, written map[*types.TypeName]bool, depth int) bool {
	st := unchanging(t, pkg, written, depth)
	return st != nil && computed(st)
}

// Constant is Immutable for bare structs, too, of which only the pointer could
// stand for itself: where nothing keeps it but the map, it does not.
func Constant(t types.Type, pkg *types.Package, written map[*types.TypeName]bool) bool {
	st := unchanging(t, pkg, written, 0)
	return st != nil && st.NumFields() > 0
}

// unchanging returns the struct of the package that t leads to, if its values
// never change once they are made. A struct that leads to another of its type is
// looked into until the nesting ends: it can be changed somewhere down the chain.
func unchanging(t types.Type, pkg *types.Package, written map[*types.TypeName]bool, depth int) *types.Struct {
	p, ok := types.Unalias(t).Underlying().(*types.Pointer)
	if !ok || depth > maxNesting {
		return nil
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || n.Obj().Pkg() != pkg || written[n.Origin().Obj()] {
		return nil
	}
	if st, ok := n.Underlying().(*types.Struct); ok && !open(n, st) && stateless(st, pkg, written, depth) {
		return st
	}
	return nil
}

// computed reports whether a struct keeps something that was worth caching: a
// reference to what was made, not only a name or a number. A bare struct is as
// likely a token that stands for itself.
func computed(st *types.Struct) bool {
	for i := range st.NumFields() {
		switch st.Field(i).Type().Underlying().(type) {
		case *types.Pointer, *types.Map, *types.Slice:
			return true
		}
	}
	return false
}

// open reports whether other packages can write a field.
func open(n *types.Named, st *types.Struct) bool {
	if !n.Obj().Exported() || n.Obj().Pkg().Name() == "main" {
		return false
	}
	for i := range st.NumFields() {
		if st.Field(i).Exported() {
			return true
		}
	}
	return false
}

// foreign reports whether t is a type of another package without a lock: what
// is kept of it is most likely as constant as the struct around it.
func foreign(t types.Type, pkg *types.Package) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != pkg && !role.Closable(types.NewPointer(t))
}

func stateless(st *types.Struct, pkg *types.Package, written map[*types.TypeName]bool, depth int) bool {
	for i := range st.NumFields() {
		if !statelessField(st.Field(i).Type(), pkg, written, depth) {
			return false
		}
	}
	return depth <= maxNesting
}

func statelessField(t types.Type, pkg *types.Package, written map[*types.TypeName]bool, depth int) bool {
	if model.Immutable(t) {
		return true
	}
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Basic, *types.Slice, *types.Array, *types.Map:
		return true
	case *types.Pointer:
		return foreign(u.Elem(), pkg) || immutable(t, pkg, written, depth+1)
	case *types.Struct:
		n, ok := types.Unalias(t).(*types.Named)
		return (!ok || n.Obj().Pkg() == pkg && !written[n.Origin().Obj()]) && !model.HoldsLock(t) && stateless(u, pkg, written, depth+1)
	}
	return false
}
