package transfer

import (
	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// visitor records, when the function is the literal that a concurrent map's
// Range calls, that its parameters come from a look at that map.
func (a *analysis) visitor() {
	if a.fn.Parent() == nil || len(a.fn.Params) != 2 || len(a.fn.Blocks) == 0 || len(a.fn.Blocks[0].Instrs) == 0 {
		return
	}
	for _, call := range ssautil.PassedTo(a.fn) {
		fn, args := ssautil.Callee(&call.Call)
		if model.Lookup(fn).Kind != model.ConcurrentRange || len(args) == 0 {
			continue
		}
		key, value := a.fn.Params[0], a.fn.Params[1]
		a.add(event{
			acc: access.Access{
				Path: a.Paths.Of(args[0]), Op: access.Visit, Held: locks.Reached(),
				Pos: call.Pos(), Method: fn.Name(),
			},
			instr: a.fn.Blocks[0].Instrs[0], outcomes: []ssa.Value{key, value}, presence: []ssa.Value{key},
		})
		a.visits = true
		return
	}
}
