package model

import "go/types"

// Identifies reports whether fn makes an identifier that nothing else has: not one that it computes from what it gets.
func Identifies(fn *types.Func) bool {
	if fn == nil || fn.Pkg() == nil || fn.Signature().Params().Len() > 0 || fn.Signature().Recv() != nil {
		return false
	}
	switch path := fn.Pkg().Path(); path {
	case "math/rand", "math/rand/v2", "time", "os", "sync/atomic":
		return false
	}
	return Volatile(fn)
}
