package prove

import (
	"fmt"
	"go/types"
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

// object is the variable of the receiver.
func (d *driver) object(t types.Type) string {
	name := d.name(t)
	if v, ok := d.byRecv[name]; ok {
		return v
	}
	v := fmt.Sprintf("o%d", len(d.objects))
	d.byRecv[name] = v
	d.types = append(d.types, t)
	elem := t.(*types.Pointer).Elem()
	text := fmt.Sprintf("%s := %s\n", v, d.address(elem, 0))
	if made := d.constructor(elem, v); made != "" {
		text += made
	}
	if d.form == asHarvester {
		text = d.pick(v+" := ", t, mostly, text+"return "+v) + "\n"
	}
	d.objects = append(d.objects, text+fmt.Sprintf("_ = %s\n", v))
	return v
}

// constructor makes the object by a function of the package.
func (d *driver) constructor(t types.Type, v string) string {
	named, ok := t.(*types.Named)
	if !ok {
		return ""
	}
	best, params := "", 100
	scope := d.pkg.Scope()
	for _, name := range scope.Names() {
		fn, ok := scope.Lookup(name).(*types.Func)
		if !ok {
			continue
		}
		sig := fn.Type().(*types.Signature)
		n := sig.Params().Len()
		if sig.TypeParams().Len() != named.TypeArgs().Len() || !makes(sig, named) || n >= params {
			continue
		}
		text := name
		if n := named.TypeArgs().Len(); n > 0 {
			var args []types.Type
			var names []string
			for i := range n {
				args, names = append(args, named.TypeArgs().At(i)), append(names, d.name(named.TypeArgs().At(i)))
			}
			inst, err := types.Instantiate(nil, sig, args, true)
			if err != nil {
				continue
			}
			sig, text = inst.(*types.Signature), name+"["+strings.Join(names, ", ")+"]"
		}
		var args []string
		for i := range n - btoi(sig.Variadic()) {
			args = append(args, d.arg(sig.Params().At(i).Type()))
		}
		second := ""
		if sig.Results().Len() == 2 {
			second = ", _"
		}
		call := fmt.Sprintf("made%s := %s(%s)", second, text, strings.Join(args, ", "))
		use := fmt.Sprintf("if %s; made != nil {\n%s = made\n}", call, v)
		switch sig.Results().At(0).Type().Underlying().(type) {
		case *types.Interface:
			use = fmt.Sprintf("%s\nif made, ok := any(made).(*%s); ok && made != nil {\n%s = made\n}", call, d.name(t), v)
		case *types.Struct:
			use = fmt.Sprintf("if %s; true {\n%s = &made\n}", call, v)
		}
		best, params = fmt.Sprintf("if round%%4 != 3 {\n%s\n}\n", use), n
	}
	return best
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
