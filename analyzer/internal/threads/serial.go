package threads

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/model"
)

// oneByOne reports whether a server calls a handler once at a time, for each object: the
// library does unless its options say otherwise, and the package neither sets that field
// nor gets the options from elsewhere.
func (t *Theory) oneByOne(f *infer.Func) bool {
	by, ok := model.SerialOf(f.SSA.Signature)
	if !ok {
		return false
	}
	for _, g := range t.pkg.Funcs {
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

// sets reports whether an instruction sets the field, or fetches options from somewhere.
func sets(instr ssa.Instruction, by model.Serial) bool {
	switch instr := instr.(type) {
	case *ssa.FieldAddr:
		return fieldOf(instr).Name() == by.Field && by.Options(instr.X.Type())
	case *ssa.Call:
		res, ok := instr.Type().(*types.Named)
		return ok && by.Options(res)
	}
	return false
}
