package infer

import (
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A keptCall is a call of what a field holds, or what a map in it does, of the object whose field it is.
type keptCall struct {
	caller *Func
	object ssa.Value
}

// keptMethods are the methods whose values an object keeps in fields of its own, to be called from there and nowhere else:
// who calls them has the very object. calls are those by each field.
type keptMethods struct {
	fields map[*Func][]*types.Var
	calls  map[*types.Var][]keptCall
	leaks  map[*types.Var]bool
	lost   map[*Func]bool
}

// findKept finds the methods that objects keep for themselves. Complexity: linear in the package's instructions, once.
func (p *Package) findKept() *keptMethods {
	k := &keptMethods{fields: make(map[*Func][]*types.Var), calls: make(map[*types.Var][]keptCall), leaks: maps.Clone(p.copiedFields()), lost: make(map[*Func]bool)}
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				switch instr := instr.(type) {
				case *ssa.MakeClosure:
					p.keepsMethod(k, instr)
				case *ssa.FieldAddr:
					if field := keeper(fieldVar(instr)); field != nil && !k.uses(f, field, instr) {
						k.leaks[field] = true
					}
				case *ssa.Field:
					k.leaks[instr.X.Type().Underlying().(*types.Struct).Field(instr.Field).Origin()] = true
				}
			}
		}
	}
	return k
}

// keeper returns a field that can keep functions of which the package shows all uses, nil if it cannot.
func keeper(field *types.Var) *types.Var {
	if field == nil || field.Exported() {
		return nil
	}
	t := field.Type().Underlying()
	if m, ok := t.(*types.Map); ok {
		t = m.Elem().Underlying()
	}
	if _, fn := t.(*types.Signature); !fn {
		return nil
	}
	return field.Origin()
}

// keepsMethod notes where the value of a method goes.
func (p *Package) keepsMethod(k *keptMethods, made *ssa.MakeClosure) {
	object, method := ssautil.BoundMethod(made)
	if method == nil {
		return
	}
	f := p.byKey[any(method.Origin())]
	if f == nil {
		return
	}
	fields, ok := p.keptIn(made, object, 0)
	k.fields[f] = append(k.fields[f], fields...)
	k.lost[f] = k.lost[f] || !ok
}

// maxKeeping bounds the steps from a method's value to the field that keeps it, and from there to a call.
const maxKeeping = 4

// keptIn returns the fields of an object in which a value is kept, or a map that has it; false if it goes elsewhere, too.
func (p *Package) keptIn(v, object ssa.Value, depth int) (out []*types.Var, ok bool) {
	if depth > maxKeeping {
		return nil, false
	}
	for _, r := range *v.Referrers() {
		var more []*types.Var
		switch r := r.(type) {
		case *ssa.DebugRef:
			continue
		case *ssa.ChangeType:
			more, ok = p.keptIn(r, object, depth+1)
		case *ssa.Store:
			addr, field := r.Addr.(*ssa.FieldAddr)
			if ok = field && r.Val == v && sameObject(addr.X, object) && keeper(fieldVar(addr)) != nil; ok {
				more = []*types.Var{keeper(fieldVar(addr))}
			}
		case *ssa.MapUpdate:
			more, ok = p.keptInMap(r, v, object, depth)
		case *ssa.Call:
			more, ok = p.keptBy(r, v, object, depth)
		default:
			return nil, false
		}
		if !ok {
			return nil, false
		}
		out = append(out, more...)
	}
	return out, true
}

// keptInMap is keptIn for what is put into a map, be it that of a field or one that becomes it.
func (p *Package) keptInMap(put *ssa.MapUpdate, v, object ssa.Value, depth int) ([]*types.Var, bool) {
	switch m := put.Map.(type) {
	case *ssa.MakeMap:
		if put.Map == v {
			return nil, true // something is put into the map
		}
		return p.keptIn(m, object, depth+1)
	case *ssa.UnOp:
		addr, field := m.X.(*ssa.FieldAddr)
		if field && put.Value == v && sameObject(addr.X, object) && keeper(fieldVar(addr)) != nil {
			return []*types.Var{keeper(fieldVar(addr))}, true
		}
	}
	return nil, false
}

// keptBy is keptIn for what a method of the same object gets.
func (p *Package) keptBy(call *ssa.Call, v, object ssa.Value, depth int) ([]*types.Var, bool) {
	callee := call.Call.StaticCallee()
	if callee == nil || callee.Signature.Recv() == nil || len(callee.Blocks) == 0 || !sameObject(call.Call.Args[0], object) {
		return nil, false
	}
	i := slices.Index(call.Call.Args, v)
	if i <= 0 || slices.Contains(call.Call.Args[i+1:], v) {
		return nil, false
	}
	return p.keptIn(callee.Params[i], callee.Params[0], depth+1)
}

// sameObject reports whether two values are one object: they are the same, or one variable has it for good.
func sameObject(a, b ssa.Value) bool { return settledIn(a) == settledIn(b) }

// settledIn returns what a value is, in a variable that never has another one.
func settledIn(v ssa.Value) ssa.Value {
	v = ssautil.Unwrap(v)
	if load, ok := v.(*ssa.UnOp); ok {
		if cell, local := load.X.(*ssa.Alloc); local {
			if held := ssautil.SettledVariable(cell); held != nil {
				return ssautil.Unwrap(held)
			}
		}
	}
	return v
}

// uses notes the calls of what a field holds; false if it is used otherwise, or gets a map that others may have, too.
func (k *keptMethods) uses(f *Func, field *types.Var, addr *ssa.FieldAddr) bool {
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if r.Addr != ssa.Value(addr) || ssautil.IsMap(r.Val.Type()) && !ownTable(r, addr.X) {
				return false
			}
		case *ssa.UnOp:
			if !k.called(f, field, addr.X, r, 0) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// ownTable reports whether a field of an object is given a map that no other object has: the map is made for it, anew each time
// that the object is another one, and goes nowhere else.
func ownTable(given *ssa.Store, object ssa.Value) bool {
	val := ssautil.Unwrap(given.Val)
	if _, none := val.(*ssa.Const); none {
		return true
	}
	m, made := val.(*ssa.MakeMap)
	if !made || !keptOnce(m, given) {
		return false
	}
	def, ok := settledIn(object).(ssa.Instruction)
	return !ok || !ssautil.Again(def.Block(), map[*ssa.BasicBlock]bool{m.Block(): true})
}

// keptOnce reports whether nothing is done with a map, or the same one by another type, but to put functions into it and to store
// it at one place.
func keptOnce(m ssa.Value, at *ssa.Store) bool {
	return !slices.ContainsFunc(*m.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.DebugRef:
			return false
		case *ssa.MapUpdate:
			return r.Map != m
		case *ssa.ChangeType:
			return !keptOnce(r, at)
		}
		return r != ssa.Instruction(at)
	})
}

// called notes the calls of a value that a field holds, or a map in it; false if anything else is done with it.
func (k *keptMethods) called(f *Func, field *types.Var, object, v ssa.Value, depth int) bool {
	if depth > maxKeeping {
		return false
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp:
		case *ssa.MapUpdate:
			if r.Map != v {
				return false
			}
		case *ssa.Lookup, *ssa.Range, *ssa.Next, *ssa.ChangeType, *ssa.Extract:
			if !k.called(f, field, object, r.(ssa.Value), depth+1) {
				return false
			}
		case *ssa.If:
		case *ssa.Call:
			if _, builtin := r.Call.Value.(*ssa.Builtin); builtin {
				continue
			}
			if r.Call.Value != v || slices.Contains(r.Call.Args, v) {
				return false
			}
			k.calls[field] = append(k.calls[field], keptCall{f, object})
		default:
			return false
		}
	}
	return true
}

// of returns the calls of a method by the fields of its own object that keep it, and whether it is only called so and
// by its name.
func (k *keptMethods) of(f *Func) (out []keptCall, ok bool) {
	if k.lost[f] || len(k.fields[f]) == 0 {
		return nil, false
	}
	for _, field := range k.fields[f] {
		if k.leaks[field] {
			return nil, false
		}
		out = append(out, k.calls[field]...)
	}
	return out, len(out) > 0
}
