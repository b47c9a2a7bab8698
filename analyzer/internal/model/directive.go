package model

import "go/types"

// Directive reports whether calls of a library function only tell a tool what to do, so that
// nothing runs what it gets: those that declare for wire what it makes code of
// (github.com/google/wire).
func Directive(fn *types.Func) bool {
	return fn.Pkg() != nil && fn.Pkg().Path() == "github.com/google/wire"
}
