package infer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// maxImplementers bounds how many functions an interface call may stand for.
const maxImplementers = 8

// implementers returns the functions behind an interface method of this
// package, as far as the package shows them, when they are few. Others may
// implement an exported interface; what these here do, they do in the context of
// the call all the same.
func (p *Package) implementers(m *types.Func) []*ssa.Function {
	if m.Pkg() != p.Types {
		return nil
	}
	if fns, ok := p.impls[m]; ok {
		return fns
	}
	if p.impls == nil {
		p.impls = make(map[*types.Func][]*ssa.Function)
	}
	fns := p.findImplementers(m)
	p.impls[m] = fns
	return fns
}

func (p *Package) findImplementers(m *types.Func) []*ssa.Function {
	iface, ok := m.Signature().Recv().Type().Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	if n, ok := types.Unalias(m.Signature().Recv().Type()).(*types.Named); ok && n.TypeParams().Len() > 0 {
		return nil
	}
	var out []*ssa.Function
	scope := p.Types.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() {
			continue
		}
		named, ok := tn.Type().(*types.Named)
		if !ok || types.IsInterface(named) || named.TypeParams().Len() > 0 {
			continue
		}
		if !types.Implements(named, iface) && !types.Implements(types.NewPointer(named), iface) {
			continue
		}
		obj, _, _ := types.LookupFieldOrMethod(named, true, m.Pkg(), m.Name())
		method, ok := obj.(*types.Func)
		if !ok || method.Pkg() != p.Types {
			return nil
		}
		fn := p.ssaPkg.Prog.FuncValue(method.Origin())
		if fn == nil || len(out) == maxImplementers {
			return nil
		}
		out = append(out, fn)
	}
	return out
}
