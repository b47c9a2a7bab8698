package ssautil

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// ChanOf returns the channel that v is, made in the function or in one around
// it, nil if that cannot be told.
func ChanOf(v ssa.Value) *ssa.MakeChan {
	for range 8 {
		switch x := v.(type) {
		case *ssa.MakeChan:
			return x
		case *ssa.ChangeType:
			v = x.X
		case *ssa.UnOp:
			v = x.X
		case *ssa.FreeVar:
			v = Binding(x)
		case *ssa.Alloc:
			v = SoleStore(x)
		default:
			return nil
		}
	}
	return nil
}

// ReceivesFrom reports whether an instruction receives from that channel.
func ReceivesFrom(recv *ssa.UnOp, ch *ssa.MakeChan) bool {
	return recv.Op == token.ARROW && ChanOf(recv.X) == ch
}
