package infer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/model"
)

// OneByOne reports whether a server calls a handler once at a time, for each object: the
// library does unless its options say otherwise, and the package neither sets that field
// nor gets the options from elsewhere.
func (p *Package) OneByOne(f *Func) bool {
	by, ok := model.SerialOf(f.SSA.Signature)
	if !ok {
		return false
	}
	for _, g := range p.Funcs {
		if p.ofAnother(g, f) {
			continue
		}
		for v := range g.SSA.Signature.Params().Variables() {
			if by.Options(v.Type()) {
				return false
			}
		}
		for _, b := range g.SSA.Blocks {
			for _, instr := range b.Instrs {
				if sets(instr, by) {
					return false
				}
			}
		}
	}
	return true
}

// ofAnother reports whether a function is a method of a type that has such a handler of its
// own: the options that it sets are for that.
func (p *Package) ofAnother(g, f *Func) bool {
	own, other := receiverOf(f), receiverOf(g)
	if own == nil || other == nil || own == other {
		return false
	}
	m, _, _ := types.LookupFieldOrMethod(types.NewPointer(other.Type()), false, p.Types, f.SSA.Name())
	h, ok := m.(*types.Func)
	if !ok {
		return false
	}
	_, serial := model.SerialOf(h.Signature())
	return serial
}

// receiverOf returns the type of which a function, or the one that it stands in, is a method.
func receiverOf(f *Func) *types.TypeName {
	recv := callback.Outermost(f.SSA).Signature.Recv()
	if recv == nil {
		return nil
	}
	t := types.Unalias(recv.Type())
	if ptr, ok := t.(*types.Pointer); ok {
		t = types.Unalias(ptr.Elem())
	}
	if n, ok := t.(*types.Named); ok {
		return n.Origin().Obj()
	}
	return nil
}

// fieldName returns the name of the field of which an address is taken.
func fieldName(addr *ssa.FieldAddr) string {
	ptr := addr.X.Type().Underlying().(*types.Pointer)
	return ptr.Elem().Underlying().(*types.Struct).Field(addr.Field).Name()
}

// sets reports whether an instruction sets the field, or fetches options from somewhere.
func sets(instr ssa.Instruction, by model.Serial) bool {
	switch instr := instr.(type) {
	case *ssa.FieldAddr:
		return fieldName(instr) == by.Field && by.Options(instr.X.Type())
	case *ssa.Call:
		res, ok := instr.Type().(*types.Named)
		return ok && by.Options(res)
	}
	return false
}
