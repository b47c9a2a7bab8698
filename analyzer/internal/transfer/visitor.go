package transfer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// visitor records, when the function is the literal that a concurrent map's
// Range calls, that its parameters come from a look at that map.
func (a *analysis) visitor() {
	call, fn, over := a.visited()
	if call == nil {
		return
	}
	key, value := a.fn.Params[0], a.fn.Params[1]
	a.add(event{
		acc: access.Access{
			Path: a.Paths.Of(over), Op: access.Visit, Held: locks.Reached(),
			Pos: call.Pos(), Method: fn.Name(),
		},
		instr: a.fn.Blocks[0].Instrs[0], outcomes: []ssa.Value{key, value}, presence: []ssa.Value{key},
	})
	a.visits = true
}

// visited returns the call of a concurrent map's Range that gets the function,
// with the method and the map; nil if there is none.
func (a *analysis) visited() (*ssa.Call, *types.Func, ssa.Value) {
	if a.fn.Parent() == nil || len(a.fn.Params) != 2 || len(a.fn.Blocks) == 0 || len(a.fn.Blocks[0].Instrs) == 0 {
		return nil, nil, nil
	}
	for _, call := range ssautil.PassedTo(a.fn) {
		fn, args := ssautil.Callee(&call.Call)
		if a.Model.Lookup(fn).Kind == model.ConcurrentRange && len(args) > 0 {
			return call, fn, args[0]
		}
	}
	return nil, nil, nil
}
