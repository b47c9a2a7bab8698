package infer

import (
	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A flagUse is how the package uses an atomic flag or counter.
type flagUse struct {
	op   model.FlagOp
	text string // the constants of the operation
	torn bool   // used in several ways, or set back
}

// claims finds the atomic flags that are only ever claimed, and the counters
// that only ever grow: who claims one, or counts to one, is the only one to do so
// in the life of the object.
func (p *Package) claims() map[any]bool {
	uses := make(map[any]*flagUse)
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				if c, ok := instr.(ssa.CallInstruction); ok {
					noteFlag(uses, c.Common())
				}
			}
		}
	}
	out := make(map[any]bool)
	for id, u := range uses {
		out[id] = !u.torn
	}
	return out
}

func noteFlag(uses map[any]*flagUse, call *ssa.CallCommon) {
	fn, args := ssautil.Callee(call)
	op := model.Flag(fn)
	if op == model.FlagNone || len(args) == 0 {
		return
	}
	id := chanIdentity(args[0])
	if id == nil {
		return
	}
	now := flagUse{op: op, torn: op == model.FlagSet}
	for _, arg := range args[1:] {
		k, ok := arg.(*ssa.Const)
		if !ok || k.Value == nil {
			now.torn = true
			continue
		}
		now.text += k.Value.ExactString() + " "
		now.torn = now.torn || k.Value.ExactString()[0] == '-' || op == model.FlagSwap && unset(k)
	}
	old := uses[id]
	if old == nil {
		uses[id] = &now
		return
	}
	old.torn = old.torn || now.torn || old.op != now.op || old.text != now.text
}

// unset reports whether a constant is what a flag is before it is claimed.
func unset(k *ssa.Const) bool {
	text := k.Value.ExactString()
	return text == "0" || text == "false"
}
