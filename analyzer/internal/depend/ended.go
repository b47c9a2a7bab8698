package depend

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// ends marks the structs of which an instruction ends an object that was there, or a part of one.
// What is ended has been begun: of two that are made, the one that no map holds goes on for ever.
func (c *Changes) ends(instr ssa.Instruction) {
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		return
	}
	_, args := ssautil.Callee(call.Common())
	if len(args) == 0 || !endsReceiver(args[0], call.Common()) {
		return
	}
	whole := args[0]
	for v := whole; v != nil; v = wholeOf(v) {
		whole = v
	}
	if made, ok := whole.(*ssa.Alloc); ok && making(made, instr) {
		return // given up before others have it
	}
	for v := args[0]; v != nil; v = wholeOf(v) {
		if n, ok := types.Unalias(ssautil.Pointee(v.Type())).(*types.Named); ok && n.Obj().Pkg() == c.pkg {
			c.ended[n.Origin().Obj()] = true
		}
	}
}

// wholeOf returns what a value is read from, nil if it is no part.
func wholeOf(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return v.X
	case *ssa.Field:
		return v.X
	case *ssa.IndexAddr:
		return v.X
	case *ssa.UnOp:
		return v.X
	}
	return nil
}
