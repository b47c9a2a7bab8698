package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
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

// Follows reports whether calls of an interface method are followed into what the
// package shows of it.
func (p *Package) Follows(m *types.Func) bool { return len(p.implementers(m)) > 0 }

func (p *Package) findImplementers(m *types.Func) []*ssa.Function {
	iface, ok := m.Signature().Recv().Type().Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	if n, ok := types.Unalias(m.Signature().Recv().Type()).(*types.Named); ok && n.TypeParams().Len() > 0 {
		return nil
	}
	var out []*ssa.Function
	for _, named := range p.implementing(iface) {
		obj, _, _ := types.LookupFieldOrMethod(named, true, m.Pkg(), m.Name())
		method, ok := obj.(*types.Func)
		if !ok || method.Pkg() != p.Types {
			return nil
		}
		if types.IsInterface(method.Signature().Recv().Type()) {
			continue // it embeds an interface: what is in there has a type of its own
		}
		fn := p.ssaPkg.Prog.FuncValue(method.Origin())
		if fn == nil || len(out) == maxImplementers {
			return nil
		}
		if !slices.Contains(out, fn) { // of a struct that both embed
			out = append(out, fn)
		}
	}
	return slices.DeleteFunc(out, func(fn *ssa.Function) bool { return p.forTests(fn) && !p.madeInEarnest(fn) })
}

// forTests reports whether only tests need a function: it belongs to a mock, say.
func (p *Package) forTests(fn *ssa.Function) bool {
	f := p.byKey[accesspath.FuncKey(fn)]
	return f != nil && f.Is(role.TestSupport)
}

// madeInEarnest reports whether a function that not only tests need makes an interface of a value with
// a method.
func (p *Package) madeInEarnest(method *ssa.Function) bool {
	recv := receiver(method.Signature.Recv().Type())
	return slices.ContainsFunc(p.Funcs, func(f *Func) bool {
		return !f.Is(role.TestSupport) && ssautil.Some(f.SSA, func(instr ssa.Instruction) bool {
			made, ok := instr.(*ssa.MakeInterface)
			if !ok || receiver(made.X.Type()) != recv {
				return false
			}
			_, none := made.X.(*ssa.Const) // a declaration that the type has an interface
			return !none
		})
	})
}

// receiver returns the named type that a value has, or points to; nil if it has none.
func receiver(t types.Type) *types.TypeName {
	if named, ok := ssautil.Pointee(t).(*types.Named); ok {
		return named.Obj()
	}
	return nil
}

// implementing returns the package's types that implement an interface, or pointers to which
// do. What a type has, pointers to it have, too.
func (p *Package) implementing(iface *types.Interface) []*types.Named {
	if found, ok := p.ofIface[iface]; ok {
		return found
	}
	if p.ofIface == nil {
		p.ofIface = make(map[*types.Interface][]*types.Named)
	}
	var found []*types.Named
	for _, named := range p.concrete() {
		if p.mayImplement(named, iface) && types.Implements(types.NewPointer(named), iface) {
			found = append(found, named)
		}
	}
	p.ofIface[iface] = found
	return found
}

// concrete returns the package's types that can implement an interface, in the
// order of their names.
func (p *Package) concrete() []*types.Named {
	if p.types != nil {
		return p.types
	}
	p.types = []*types.Named{}
	scope := p.Types.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() {
			continue
		}
		if named, ok := tn.Type().(*types.Named); ok && !types.IsInterface(named) && named.TypeParams().Len() == 0 {
			p.types = append(p.types, named)
		}
	}
	return p.types
}

// mayImplement reports whether a type can have all methods of an interface: it
// declares one of them, or embeds something that may. It is a quick look before
// the exact question.
func (p *Package) mayImplement(named *types.Named, iface *types.Interface) bool {
	if st, ok := named.Underlying().(*types.Struct); ok {
		for i := range st.NumFields() {
			if st.Field(i).Embedded() {
				return true
			}
		}
	}
	if named.NumMethods() < iface.NumMethods() {
		return false
	}
	first := iface.Method(0).Name()
	for m := range named.Methods() {
		if m.Name() == first {
			return true
		}
	}
	return false
}
