package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// drained returns, for each value that hands requests to handlers, the servers which alone use it: by the value and by
// the variables in which the package puts it in any case, if that is all that it ever puts there. Who waits for the server to be drained has
// waited for those handlers. It returns none where the package takes connections from their servers, which do not wait for
// these. Complexity: linear in the package.
func (p *Package) drained() map[ssa.Value][]ssa.Value {
	var uses []*ssa.Store
	puts := make(map[types.Object]int)
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				switch instr := instr.(type) {
				case ssa.CallInstruction:
					if fn, _ := ssautil.Callee(instr.Common()); fn != nil && fn.Pkg() != p.Types && model.TakesOver(fn) {
						return nil
					}
				case *ssa.Store:
					if takesRequests(instr.Addr) {
						uses = append(uses, instr)
					} else if v := p.Paths.Of(instr.Addr).Location().Var; v != nil && isServer(instr.Val) && !ssautil.IsNil(instr.Val) {
						puts[v]++
					}
				}
			}
		}
	}
	out := make(map[ssa.Value][]ssa.Value)
	for _, use := range uses {
		mux := ssautil.Unwrap(use.Val)
		server, ok := use.Addr.(*ssa.FieldAddr).X.(*ssa.Alloc)
		if !ok || !usedBy(mux, use) {
			continue
		}
		out[mux] = []ssa.Value{server}
		for _, r := range *server.Referrers() {
			if st, ok := r.(*ssa.Store); ok && st.Val == ssa.Value(server) && st.Block() == server.Block() && puts[p.Paths.Of(st.Addr).Location().Var] == 1 {
				out[mux] = append(out[mux], st.Addr)
			}
		}
	}
	return out
}

func isServer(v ssa.Value) bool { return model.IsServer(ssautil.Pointee(v.Type())) }

// takesRequests reports whether an address is that of what a server hands requests to.
func takesRequests(addr ssa.Value) bool {
	at, ok := addr.(*ssa.FieldAddr)
	return ok && isServer(at.X) && model.TakesRequests(at.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct).Field(at.Field))
}

// usedBy reports whether what hands requests to handlers is made for one server, to which a store gives it: nothing else is done with it but to
// register handlers.
func usedBy(mux ssa.Value, use *ssa.Store) bool {
	made, ok := mux.(*ssa.Call)
	if !ok {
		return false
	}
	if fn, _ := ssautil.Callee(&made.Call); !model.MakesMux(fn) {
		return false
	}
	return !slices.ContainsFunc(*made.Referrers(), func(r ssa.Instruction) bool { return !registersOrIs(r, made, use) })
}

// registersOrIs reports whether an instruction registers a handler, or prepares the use.
func registersOrIs(instr ssa.Instruction, mux *ssa.Call, use *ssa.Store) bool {
	switch instr := instr.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.MakeInterface:
		return !slices.ContainsFunc(*instr.Referrers(), func(r ssa.Instruction) bool { return r != ssa.Instruction(use) })
	case *ssa.Call:
		fn, args := ssautil.Callee(&instr.Call)
		return model.OnlyRegisters(fn) && args[0] == ssa.Value(mux) && !slices.Contains(args[1:], ssa.Value(mux))
	}
	return false
}
