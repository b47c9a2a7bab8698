package records

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/outside"
)

// conversion notes the methods that can be called by the interface that an
// instruction makes of a value.
func (g *gatherer) conversion(from outside.Name, instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.MakeInterface:
		if !used(instr) {
			return
		}
		g.boxed(from, instr.X.Type())
		g.walk(from, instr)
		g.parts(instr)
		g.lent(instr)
		if isParam(instr.X.Type()) {
			g.rec.Boxes = true
		}
		if printed(instr) {
			g.print(instr.X.Type())
		} else {
			reflected := g.reflects(instr)
			g.convert(instr.X.Type(), instr.Type(), reflected)
			if reflected {
				g.reachable(instr.X.Type())
			}
		}
	case *ssa.ChangeInterface:
		g.change(instr.X.Type(), instr.Type())
	case *ssa.TypeAssert:
		if types.IsInterface(instr.AssertedType) {
			g.change(instr.X.Type(), instr.AssertedType)
		}
	}
}

// used reports whether anything becomes of a value: a declaration that a type has an interface
// makes one of which nothing does.
func used(v *ssa.MakeInterface) bool {
	return slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		_, debug := r.(*ssa.DebugRef)
		return !debug
	})
}

// maxBoxers bounds the functions that are noted of one method.
const maxBoxers = 8

// boxed notes where values of a type become those of an interface.
func (g *gatherer) boxed(from outside.Name, t types.Type) {
	g.boxers(from, g.methodsOf(t))
}

func (g *gatherer) boxers(from outside.Name, methods []*types.Func) {
	for _, m := range methods {
		name := g.name(m)
		switch by := g.rec.Boxers[name]; {
		case slices.Contains(by, from) || slices.Contains(by, ""):
		case len(by) == maxBoxers:
			g.rec.Boxers[name] = []outside.Name{""}
		default:
			g.rec.Boxers[name] = append(by, from)
		}
	}
}

// convert notes that values of a type become values of an interface. With reflected, code outside
// calls what methods it finds by reflection.
func (g *gatherer) convert(from, to types.Type, reflected bool) {
	methods := g.methodsOf(from)
	if len(methods) == 0 {
		return
	}
	iface, own := g.own(to)
	if own && g.rec.Methods[iface] == nil {
		g.rec.Methods[iface] = make(map[outside.Name]bool)
	}
	for _, m := range methods {
		switch {
		case !m.Exported() && m.Pkg() == g.pkg && !g.written(m):
			// nothing but the package can name it, and that does not by an interface
		case own:
			g.rec.Methods[iface][g.name(m)] = true
		case declares(to, m), reflected && m.Exported():
			g.opened(m, outside.Called)
		default:
			g.opened(m, outside.Sought)
		}
	}
}

// written reports whether the package at hand writes down an interface with a method of that name.
func (g *gatherer) written(m *types.Func) bool {
	if g.literals == nil {
		g.literals = make(map[string]bool)
		for _, tv := range g.info.Types {
			iface, ok := tv.Type.(*types.Interface)
			if !ok || !tv.IsType() {
				continue
			}
			for method := range iface.Methods() {
				g.literals[method.Name()] = true
			}
		}
	}
	return g.literals[m.Name()]
}

// opened notes that code outside the module can call a method.
func (g *gatherer) opened(m *types.Func, how outside.Opening) {
	name := g.name(m)
	g.rec.Opened[name] = max(g.rec.Opened[name], how)
}

// declares reports whether an interface has a method of that name.
func declares(iface types.Type, m *types.Func) bool {
	obj, _, _ := types.LookupFieldOrMethod(iface, false, m.Pkg(), m.Name())
	return obj != nil
}

// change notes that values of one interface become values of another.
func (g *gatherer) change(from, to types.Type) {
	if iface, own := g.own(from); own {
		other, _ := g.own(to)
		g.rec.Changes[outside.Change{From: iface, To: other}] = true
	}
}

// own returns the name of an interface that is declared in the module, or written
// down in it; what code outside does with values of others is not known.
func (g *gatherer) own(t types.Type) (string, bool) {
	iface, ok := t.Underlying().(*types.Interface)
	if !ok || iface.NumMethods() == 0 {
		return "", false
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		obj := n.Origin().Obj()
		if obj.Pkg() == nil || !g.inScope(obj.Pkg().Path()) {
			return "", false
		}
		name := obj.Pkg().Path() + "." + obj.Name()
		g.rec.Interfaces[name] = obj.Pkg().Path()
		return name, true
	}
	name := types.TypeString(t, nil)
	g.rec.Interfaces[name] = "" // any package can have it
	return name, true
}

// methodsOf returns the methods of the module that values of a type have, those of
// a pointer to it included.
func (g *gatherer) methodsOf(t types.Type) []*types.Func {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || types.IsInterface(n) || n.Obj().Pkg() == nil || !g.inScope(n.Obj().Pkg().Path()) {
		return nil
	}
	obj := n.Origin().Obj()
	methods, ok := g.methods[obj]
	if !ok {
		set := types.NewMethodSet(types.NewPointer(n.Origin()))
		for s := range set.Methods() {
			if m, ok := s.Obj().(*types.Func); ok && m.Pkg() != nil && g.inScope(m.Pkg().Path()) {
				methods = append(methods, m)
			}
		}
		g.methods[obj] = methods
	}
	return methods
}
