package records

import (
	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// commands notes the functions that fn makes the actions of a command line.
func (g *gatherer) commands(fn *ssa.Function) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			st, ok := instr.(*ssa.Store)
			if !ok {
				continue
			}
			addr, ok := st.Addr.(*ssa.FieldAddr)
			if !ok || !model.Command(ssautil.Pointee(addr.X.Type())) {
				continue
			}
			if action := functionOf(st.Val); action != nil {
				g.rec.Commands[g.nodeOfSSA(action)] = true
			}
		}
	}
}

// functionOf returns the function that a value is, nil if it is not known.
func functionOf(v ssa.Value) *ssa.Function {
	switch v := v.(type) {
	case *ssa.ChangeType:
		return functionOf(v.X)
	case *ssa.MakeClosure:
		return functionOf(v.Fn)
	case *ssa.Function:
		return v
	}
	return nil
}
