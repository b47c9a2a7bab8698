package model

import "go/types"

// Extreme reports whether a function gives the greater, or the lesser, of its arguments.
func Extreme(fn *types.Func) bool {
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "math" {
		return false
	}
	return fn.Name() == "Max" || fn.Name() == "Min"
}
