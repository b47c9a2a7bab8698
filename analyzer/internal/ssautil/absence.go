package ssautil

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// Absence returns the look-up that a condition asks for presence, and the side of
// the branch on which it has found nothing; nil if it is none.
func Absence(cond ssa.Value) (*ssa.Lookup, int) {
	switch c := cond.(type) {
	case *ssa.UnOp:
		if c.Op == token.NOT {
			look, side := Absence(c.X)
			return look, 1 - side
		}
	case *ssa.BinOp:
		x := c.X
		if IsNil(x) {
			x = c.Y
		} else if !IsNil(c.Y) {
			return nil, 0
		}
		if e, ok := x.(*ssa.Extract); ok && e.Index == 0 {
			x = e.Tuple
		}
		look, ok := x.(*ssa.Lookup)
		switch {
		case ok && c.Op == token.EQL:
			return look, 0
		case ok && c.Op == token.NEQ:
			return look, 1
		}
	case *ssa.Extract:
		if look, ok := c.Tuple.(*ssa.Lookup); ok && c.Index == 1 {
			return look, 1
		}
	case *ssa.Lookup:
		return c, 1
	}
	return nil, 0
}
