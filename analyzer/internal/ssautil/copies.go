package ssautil

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A Copy is a local struct variable that starts as a copy of another struct, of
// which some fields are then given values of their own:
//
//	c := *orig
//	c.m = maps.Clone(c.m)
//
// It is an object apart from the original. What its fields refer to is still
// the original's, until they are assigned.
type Copy struct {
	// From is the struct value that is copied.
	From ssa.Value
	// Apart are the fields, by index, that hold a value of their own wherever
	// the copy is used as a whole: each path from the copying to such a use
	// assigns them, or finds that the original's is nil.
	Apart uint64
	// Early are the loads of fields that are apart before they surely are: they
	// still may read what the original holds.
	Early map[*ssa.UnOp]bool
}

// CopyIn returns what v is a copy of; nil if it is none, or if no field of it
// comes to hold a value of its own. Complexity: a dataflow of bit sets over the
// function, for variables that are copied and of which fields are assigned.
func CopyIn(v *ssa.Alloc) *Copy {
	st, ok := Pointee(v.Type()).Underlying().(*types.Struct)
	if !ok || v.Referrers() == nil {
		return nil
	}
	d := copyFlow{v: v, from: SoleStore(v)}
	if d.from == nil || Unwrap(d.from) == ssa.Value(v) {
		return nil
	}
	if d.apart = assignedFields(v, st); d.apart == 0 {
		return nil
	}
	return d.solve()
}

// assignedFields returns the fields of v that can lead to a map and that are
// assigned in v's function, or by one that it calls with v's address.
func assignedFields(v *ssa.Alloc, st *types.Struct) uint64 {
	var out uint64
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			if r.Field < 64 && assigned(r, st.Field(r.Field).Type()) {
				out |= 1 << r.Field
			}
		case *ssa.Call:
			out |= setIn(r, v)
		}
	}
	return out
}

// setIn is setBy for the copy v, where nothing else in its function gives these fields other values than new maps.
func setIn(call *ssa.Call, v *ssa.Alloc) uint64 {
	set := setBy(call, v, 0)
	if set == 0 {
		return 0
	}
	for _, r := range *v.Referrers() {
		if fa, ok := r.(*ssa.FieldAddr); ok && fa.Field < 64 {
			if stores, fresh := storesAt(fa); stores && !fresh {
				set &^= 1 << fa.Field
			}
		}
	}
	for f := range 64 {
		if bit := uint64(1) << f; set&bit != 0 && spoils(v, f, 0) {
			set &^= bit
		}
	}
	return set
}

// assigned reports whether a field that can lead to a map is assigned at its address, or one of
// a struct that is a part of it.
func assigned(fa *ssa.FieldAddr, t types.Type) bool {
	inner, _ := t.Underlying().(*types.Struct)
	return slices.ContainsFunc(*fa.Referrers(), func(u ssa.Instruction) bool {
		switch u := u.(type) {
		case *ssa.Store:
			return u.Addr == ssa.Value(fa) && refers(t)
		case *ssa.FieldAddr:
			return inner != nil && assigned(u, inner.Field(u.Field).Type())
		}
		return false
	})
}

// refers reports whether a value of type t can be another name of an object.
func refers(t types.Type) bool {
	switch types.Unalias(t).Underlying().(type) {
	case *types.Map, *types.Pointer, *types.Slice, *types.Interface:
		return true
	}
	return false
}

// A copyFlow finds at which points the fields of a copy hold values of their
// own: a set of fields at each point, all of them at the function's start;
// intersection where paths meet. The sets only shrink, so solving ends.
type copyFlow struct {
	v     *ssa.Alloc
	from  ssa.Value
	apart uint64
	early map[*ssa.UnOp]bool
}

func (d *copyFlow) solve() *Copy {
	blocks := d.v.Parent().Blocks
	in := make([]uint64, len(blocks))
	for i := range in {
		in[i] = ^uint64(0)
	}
	for changed := true; changed; {
		changed = false
		for i, b := range blocks {
			out := in[i]
			for _, instr := range b.Instrs {
				out = d.step(out, instr)
			}
			for _, s := range b.Succs {
				if next := in[s.Index] & (out | d.nilOn(b, s)); next != in[s.Index] {
					in[s.Index], changed = next, true
				}
			}
		}
	}
	d.early = make(map[*ssa.UnOp]bool)
	for i, b := range blocks {
		have := in[i]
		for _, instr := range b.Instrs {
			d.use(have, instr)
			have = d.step(have, instr)
		}
	}
	if d.apart == 0 {
		return nil
	}
	return &Copy{From: d.from, Apart: d.apart, Early: d.early}
}

// step is the transfer function.
func (d *copyFlow) step(have uint64, instr ssa.Instruction) uint64 {
	switch instr := instr.(type) {
	case *ssa.Alloc:
		if instr == d.v {
			return ^uint64(0) // nothing but zero values yet
		}
	case *ssa.Store:
		if instr.Addr == ssa.Value(d.v) {
			return 0
		}
		if fa := d.field(instr.Addr); fa != nil {
			return have | 1<<fa.Field
		}
	case *ssa.Call:
		return have | setIn(instr, d.v)
	}
	return have
}

// field returns the address of the field of the copy in which addr lies, nil if it is none.
func (d *copyFlow) field(addr ssa.Value) *ssa.FieldAddr {
	fa, ok := addr.(*ssa.FieldAddr)
	for ok && fa.X != ssa.Value(d.v) {
		fa, ok = fa.X.(*ssa.FieldAddr)
	}
	if ok && fa.Field < 64 {
		return fa
	}
	return nil
}

// use takes from the fields that are apart those that are not at a use of the
// copy as a whole, or of the field's address, and notes early loads.
func (d *copyFlow) use(have uint64, instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.DebugRef:
		return
	case *ssa.Store:
		if instr.Addr == ssa.Value(d.v) {
			return
		}
	case *ssa.FieldAddr:
		if fa := d.field(instr); fa != nil && !PlainField(fa) {
			d.apart &= have | ^(1 << fa.Field)
		}
		return
	case *ssa.UnOp:
		if fa := d.field(instr.X); fa != nil && instr.Op == token.MUL {
			if have&(1<<fa.Field) == 0 {
				d.early[instr] = true
			}
			return
		}
	}
	if call, ok := instr.(*ssa.Call); ok {
		have |= setIn(call, d.v) // before the callee comes to them
	}
	for _, op := range instr.Operands(nil) {
		if *op == ssa.Value(d.v) {
			d.apart &= have
		}
	}
}

// PlainField reports whether a field's address serves only to load and to
// assign it, or its parts.
func PlainField(fa *ssa.FieldAddr) bool {
	for _, r := range *fa.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if r.Addr != ssa.Value(fa) {
				return false
			}
		case *ssa.FieldAddr: // of a part
			if !PlainField(r) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// nilOn returns the field, of the copy or of the original, that is found to be
// nil on the way from b to s: there, both have nothing in common.
func (d *copyFlow) nilOn(b, s *ssa.BasicBlock) uint64 {
	cond, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok || b.Succs[0] == b.Succs[1] {
		return 0
	}
	test, ok := cond.Cond.(*ssa.BinOp)
	if !ok || test.Op != token.EQL && test.Op != token.NEQ || !IsNil(test.Y) {
		return 0
	}
	if (test.Op == token.EQL) != (b.Succs[0] == s) {
		return 0
	}
	load, ok := test.X.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return 0
	}
	fa, ok := load.X.(*ssa.FieldAddr)
	if !ok || fa.Field >= 64 || fa.X != ssa.Value(d.v) && !d.original(fa.X) {
		return 0
	}
	return 1 << fa.Field
}

// original reports whether addr is the address of the struct that is copied.
func (d *copyFlow) original(addr ssa.Value) bool {
	load, ok := d.from.(*ssa.UnOp)
	return ok && load.Op == token.MUL && load.X == addr
}
