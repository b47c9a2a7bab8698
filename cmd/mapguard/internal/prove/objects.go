package prove

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// instance gives the type parameters of a receiver arguments.
func (d *driver) instance(t types.Type) types.Type {
	ptr, isPtr := t.(*types.Pointer)
	if isPtr {
		t = ptr.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return nil
	}
	t = named.Origin()
	if tp := named.Origin().TypeParams(); tp.Len() > 0 {
		args := d.arguments(tp)
		if args == nil {
			return nil
		}
		inst, err := types.Instantiate(nil, named.Origin(), args, true)
		if err != nil {
			return nil
		}
		t = inst
	}
	return types.NewPointer(t)
}

// arguments chooses type arguments: the first of some types that suits.
func (d *driver) arguments(tp *types.TypeParamList) []types.Type {
	var out []types.Type
	for i := range tp.Len() {
		var chosen types.Type
		for _, kind := range []types.BasicKind{types.String, types.Int, types.Float64} {
			if c, ok := tp.At(i).Constraint().Underlying().(*types.Interface); ok && types.Satisfies(types.Typ[kind], c) {
				chosen = types.Typ[kind]
				break
			}
		}
		if chosen == nil {
			return nil
		}
		out = append(out, chosen)
	}
	return out
}

// Bounds of the objects that a driver makes, and of parts of parts.
const (
	maxObjects = 24
	maxNested  = 4
)

// shared is the variable of a pointer to a struct of the module: all calls and
// all other objects have the same one, as those of a program mostly have. It is
// empty where there is none, as while it is being made.
func (d *driver) shared(t types.Type) string {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok || d.static || !d.nameable(t) {
		return ""
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.TypeParams().Len() > 0 && n.TypeArgs().Len() == 0 {
		return ""
	}
	if _, ok := n.Underlying().(*types.Struct); !ok {
		return ""
	}
	if v, ok := d.byRecv[d.name(p)]; ok {
		return v
	}
	if n.Obj().Pkg() != d.pkg && !d.s.ours(n.Obj().Pkg()) || len(d.byRecv) >= maxObjects || d.depth >= maxNested {
		return ""
	}
	return d.object(p)
}

// object is the variable of an object: a receiver, or a part of one.
func (d *driver) object(t types.Type) string {
	name := d.name(t)
	if v, ok := d.byRecv[name]; ok {
		return v
	}
	v := fmt.Sprintf("o%d", len(d.byRecv))
	d.byRecv[name] = "nil" // what it has of its own type it has not
	d.depth++
	elem := t.(*types.Pointer).Elem()
	text := fmt.Sprintf("%s := %s\n", v, d.address(elem, 0)) + d.constructed(elem, v)
	d.depth--
	if d.form == asHarvester {
		text = d.pick(v+" := ", t, mostly, text+"return "+v) + "\n"
	}
	d.vars = append(d.vars, text+fmt.Sprintf("_ = %s\n", v))
	d.byRecv[name], d.types = v, append(d.types, t)
	return v
}

// constructed makes the object by functions of its package, in most rounds.
func (d *driver) constructed(t types.Type, v string) string {
	named, ok := t.(*types.Named)
	if !ok {
		return ""
	}
	list := d.constructors(named)
	switch len(list) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("if round%%4 != 3 {\n%s\n}\n", d.construct(named, list[0], v))
	}
	return fmt.Sprintf("switch round %% 4 {\ncase 0, 1:\n%s\ncase 2:\n%s\n}\n", d.construct(named, list[0], v), d.construct(named, list[1], v))
}

// constructors are the functions that make an object, those with few parameters
// first.
func (d *driver) constructors(named *types.Named) (out []*types.Func) {
	if named.Obj().Pkg() == nil {
		return nil
	}
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		fn, ok := scope.Lookup(name).(*types.Func)
		if !ok || !fn.Exported() && fn.Pkg() != d.pkg {
			continue
		}
		sig := fn.Type().(*types.Signature)
		if sig.TypeParams().Len() == named.TypeArgs().Len() && makes(sig, named) && (sig.TypeParams().Len() > 0 || d.nameable(sig.Params())) {
			out = append(out, fn)
		}
	}
	slices.SortStableFunc(out, func(a, b *types.Func) int {
		return a.Type().(*types.Signature).Params().Len() - b.Type().(*types.Signature).Params().Len()
	})
	return out
}

// construct writes the call of a constructor, and takes what it makes.
func (d *driver) construct(named *types.Named, fn *types.Func, v string) string {
	sig, text := fn.Type().(*types.Signature), fn.Name()
	if fn.Pkg() != d.pkg {
		text = d.use(fn.Pkg().Path()) + "." + text
	}
	if n := named.TypeArgs().Len(); n > 0 {
		var args []types.Type
		var names []string
		for i := range n {
			args, names = append(args, named.TypeArgs().At(i)), append(names, d.name(named.TypeArgs().At(i)))
		}
		inst, err := types.Instantiate(nil, sig, args, true)
		if err != nil {
			return ""
		}
		sig, text = inst.(*types.Signature), text+"["+strings.Join(names, ", ")+"]"
	}
	var args []string
	for i := range sig.Params().Len() - btoi(sig.Variadic()) {
		args = append(args, d.arg(sig.Params().At(i).Type()))
	}
	second := ""
	if sig.Results().Len() == 2 {
		second = ", _"
	}
	call := fmt.Sprintf("made%s := %s(%s)", second, text, strings.Join(args, ", "))
	switch sig.Results().At(0).Type().Underlying().(type) {
	case *types.Interface:
		return fmt.Sprintf("%s\nif made, ok := any(made).(*%s); ok && made != nil {\n%s = made\n}", call, d.name(named), v)
	case *types.Pointer:
		return fmt.Sprintf("if %s; made != nil {\n%s = made\n}", call, v)
	}
	return fmt.Sprintf("if %s; true {\n%s = &made\n}", call, v)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// makes reports whether a function returns the object, or an interface that it
// may be behind, alone or with an error.
func makes(sig *types.Signature, named *types.Named) bool {
	r := sig.Results()
	if r.Len() == 0 || r.Len() > 2 || r.Len() == 2 && r.At(1).Type().String() != "error" {
		return false
	}
	t := r.At(0).Type()
	if i, ok := t.Underlying().(*types.Interface); ok && !types.IsInterface(named) {
		return i.NumMethods() > 0 && sig.TypeParams().Len() == 0 && types.Implements(types.NewPointer(named), i)
	}
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Origin() == named.Origin()
}
