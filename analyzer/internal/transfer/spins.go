package transfer

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// spin reports whether an instruction is the first of a loop to look at what others can change,
// where no round of the loop does anything that the next one could see: it goes on until another
// goroutine has changed that. Complexity: linear in the function for each loop around a block, once.
func (a *analysis) spin(instr ssa.Instruction) bool {
	if a.spins == nil {
		a.spins = make(map[ssa.Instruction]bool)
		for _, b := range a.fn.Blocks {
			if l := ssautil.LoopAt(b); len(l.In) > 0 {
				if look := a.watched(l); look != nil {
					a.spins[look] = true
				}
			}
		}
	}
	return a.spins[instr]
}

// watched returns the first instruction of a loop that reads what others can change; nil if there is
// none, or a round does more than to look, to take a lock for it, and to let others run.
func (a *analysis) watched(l ssautil.Loop) (look ssa.Instruction) {
	for _, b := range a.fn.Blocks {
		if !l.In[b] {
			continue
		}
		for _, instr := range b.Instrs {
			looks := false
			switch instr := instr.(type) {
			case *ssa.If, *ssa.Jump, *ssa.DebugRef, *ssa.BinOp, *ssa.Convert, *ssa.ChangeType, *ssa.Field, *ssa.FieldAddr:
			case *ssa.UnOp:
				looks = instr.Op == token.MUL
				if instr.Op == token.ARROW {
					return nil
				}
			case *ssa.Call:
				var idle bool
				if looks, idle = watches(&instr.Call); !looks && !idle {
					return nil
				}
			default:
				return nil
			}
			if looks && look == nil && instr.Pos().IsValid() {
				look = instr
			}
		}
	}
	return look
}

// watches reports whether a call reads an atomic variable, tries to claim one that is another's, or asks a
// function that is given, and whether it does nothing but to take a lock for such a look, or to let others run.
func watches(call *ssa.CallCommon) (looks, idle bool) {
	fn, args := ssautil.Callee(call)
	if fn == nil || fn.Pkg() == nil {
		_, given := ssautil.Unwrap(call.Value).(*ssa.Parameter)
		return given && !call.IsInvoke(), false
	}
	if model.Lookup(fn).Kind.Locks() || model.Lingers(fn) {
		return false, true
	}
	if fn.Pkg().Path() != "sync/atomic" {
		return false, false
	}
	if strings.HasPrefix(fn.Name(), "CompareAndSwap") {
		// With a value that was read in the same round, one of those who try gets on.
		_, fixed := args[1].(*ssa.Const)
		return fixed, false
	}
	return strings.HasPrefix(fn.Name(), "Load"), false
}
