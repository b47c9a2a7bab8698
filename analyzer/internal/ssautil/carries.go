package ssautil

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// maxWeb bounds the values that hand one object on to each other where branches join.
const maxWeb = 32

// A web are the values that one variable has in turn: phis, and what comes into them.
type web []ssa.Value

// webOf returns the values that can be those of a phi before or after; false if there are too many, or one of
// them is kept somewhere else.
func webOf(phi *ssa.Phi) (web, bool) {
	w := web{phi}
	for i := 0; i < len(w); i++ {
		add := func(v ssa.Value) {
			if _, constant := v.(*ssa.Const); !constant && !slices.Contains(w, v) {
				w = append(w, v)
			}
		}
		if p, ok := w[i].(*ssa.Phi); ok {
			for _, e := range p.Edges {
				add(e)
			}
		}
		refs := w[i].Referrers()
		if refs == nil {
			return nil, false
		}
		for _, r := range *refs {
			if p, ok := r.(*ssa.Phi); ok {
				add(p)
			} else if leaves(r, w[i]) {
				return nil, false
			}
		}
		if len(w) > maxWeb {
			return nil, false
		}
	}
	return w, true
}

// leaves reports whether an instruction leaves a value where it can be found under another name.
func leaves(instr ssa.Instruction, v ssa.Value) bool {
	switch x := instr.(type) {
	case *ssa.DebugRef, *ssa.BinOp, *ssa.FieldAddr, *ssa.Field, *ssa.IndexAddr, *ssa.Lookup, *ssa.Range, *ssa.Call, *ssa.Go:
		return false
	case *ssa.UnOp:
		return false // what it points to is another matter
	case *ssa.MapUpdate:
		return x.Value == v || x.Key == v
	}
	return true
}

// held are the values of a web that may be the object, by their places in it.
type held uint64

func (w web) bit(v ssa.Value) held {
	if i := slices.Index(w, v); i >= 0 {
		return 1 << i
	}
	return 0
}

// through returns what may hold the object after some instructions: a value that is made once more, or comes from a
// channel once more, holds another one. What is read or asked for again may be the same.
func (w web) through(instrs []ssa.Instruction, h held, fresh func(ssa.Value) bool) held {
	for _, instr := range instrs {
		if v, ok := instr.(ssa.Value); ok && w.bit(v) != 0 && (Received(v) || fresh(v)) {
			h &^= w.bit(v)
		}
	}
	return h
}

// holds returns what may hold, at an instruction, the object that a phi is then: not a value that is made, or received,
// whenever control comes from the phi to the instruction.
func (w web) holds(phi *ssa.Phi, at ssa.Instruction, fresh func(ssa.Value) bool) held {
	h := held(1)<<len(w) - 1
	for _, v := range w {
		made, ok := v.(ssa.Instruction)
		_, joins := v.(*ssa.Phi)
		anew := ok && !joins && (Received(v) || fresh(v))
		if anew && Dominates(phi, made) && Dominates(made, at) {
			h &^= w.bit(v)
		}
	}
	return h
}

// enter returns what may hold the object at the start of a block that control comes to by an edge.
func (w web) enter(from, to *ssa.BasicBlock, h held) held {
	out := h
	for _, instr := range to.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		out &^= w.bit(phi)
		for i, p := range to.Preds {
			if p == from && h&w.bit(phi.Edges[i]) != 0 {
				out |= w.bit(phi)
			}
		}
	}
	return out
}

// Carries reports whether the object that a phi is at one point may be what an instruction at another point, to
// which control goes on, takes: false if each variable that held it has been given another by then, nil among
// them; fresh tells of a value whether each time it is worked out it is a new object. What other objects lead to is
// left out. Complexity: linear in the function, for each value of the web.
func (f *Flow) Carries(phi *ssa.Phi, from, to Point, fresh func(ssa.Value) bool) bool {
	w, ok := webOf(phi)
	if !ok || f == nil || from.Deferred || to.Deferred {
		return true
	}
	start, end := f.fn.Blocks[from.Block], f.fn.Blocks[to.Block]
	all := w.holds(phi, start.Instrs[from.Index], fresh)
	taken, ok := w.takenBy(end.Instrs[to.Index])
	if !ok {
		return true
	}
	if start == end && from.Index < to.Index && w.through(start.Instrs[from.Index+1:to.Index], all, fresh)&taken != 0 {
		return true
	}
	in := make([]held, len(f.fn.Blocks))
	work := []*ssa.BasicBlock{}
	leave := func(b *ssa.BasicBlock, h held) {
		for _, s := range b.Succs {
			if more := in[s.Index] | w.enter(b, s, h); more != in[s.Index] {
				in[s.Index] = more
				work = append(work, s)
			}
		}
	}
	leave(start, w.through(start.Instrs[from.Index+1:], all, fresh))
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		leave(b, w.through(b.Instrs, in[b.Index], fresh))
	}
	return w.through(end.Instrs[:to.Index], in[end.Index], fresh)&taken != 0
}

// takenBy returns the values of a web that an instruction takes, itself or by what they lead to; false if
// that is none, or it may have been found earlier.
func (w web) takenBy(instr ssa.Instruction) (held, bool) {
	var out held
	for _, op := range containersOf(instr) {
		for v := *op; v != nil; {
			if b := w.bit(v); b != 0 {
				out |= b
				break
			}
			at, ok := v.(ssa.Instruction)
			if !ok {
				break
			}
			next := behind(v)
			if next != nil && at.Block() != instr.Block() {
				return 0, false
			}
			v = next
		}
	}
	return out, out != 0
}

// containersOf returns the operands of an instruction by which it comes to an object: not the key and the value where it
// looks something up in a map or puts something in.
func containersOf(instr ssa.Instruction) []*ssa.Value {
	switch x := instr.(type) {
	case *ssa.MapUpdate:
		return []*ssa.Value{&x.Map}
	case *ssa.Lookup:
		return []*ssa.Value{&x.X}
	}
	return instr.Operands(nil)
}

// behind returns the value through which another is found, nil if none.
func behind(v ssa.Value) ssa.Value {
	switch v := Unwrap(v).(type) {
	case *ssa.FieldAddr:
		return v.X
	case *ssa.Field:
		return v.X
	case *ssa.IndexAddr:
		return v.X
	case *ssa.UnOp:
		return v.X
	case *ssa.Lookup:
		return v.X
	case *ssa.Range:
		return v.X
	case *ssa.Next:
		return v.Iter
	case *ssa.Extract:
		return v.Tuple
	}
	return nil
}
