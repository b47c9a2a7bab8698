package analyzer

import (
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/ssabuild"
)

// Over returns a run of the analyzer over SSA that is built once, and the
// number of findings that it makes.
func Over(pass *analysis.Pass) func() int {
	prog := ssabuild.Build(pass, func(*types.Func) bool { return false }, false)
	return func() int {
		p := &program{pass: pass}
		p.solve(prog)
		n := len(p.findings())
		p.export()
		return n
	}
}
