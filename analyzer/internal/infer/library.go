package infer

import (
	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Library reports whether a call runs a function of another module, as far as is known: one of
// another package that has no summary.
func (p *Package) Library(call *ssa.CallCommon) bool {
	fn, _ := ssautil.Callee(call)
	return fn != nil && fn.Pkg() != nil && fn.Pkg() != p.Types && p.Summary(fn) == nil
}
