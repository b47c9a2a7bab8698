package depend

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// VolatileValue reports whether v is computed from something that is another
// one each time: a clock, a random source, a counter, the size of the map. Two
// goroutines that compute it do not get the same.
func (f *Func) VolatileValue(v ssa.Value) bool { return f.drawn(v, f.volatileCall) }

// UniqueKey reports whether the key v is drawn from a counter or a random
// source: a clock and a size can give two goroutines the same.
func (f *Func) UniqueKey(v ssa.Value) bool {
	return v != nil && f.drawn(v, func(c *ssa.Call) bool {
		fn, _ := ssautil.Callee(&c.Call)
		return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() != "time" && f.volatileCall(c)
	})
}

// stamped reports whether nothing but a clock makes v another one each time, and v holds more than what the clock says: the
// time at which it was made is noted in it.
func (f *Func) stamped(v ssa.Value) bool {
	t := ssautil.Pointee(v.Type())
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "time" {
		return false
	}
	st, ok := t.Underlying().(*types.Struct)
	return ok && st.NumFields() > 1 && !f.drawn(v, func(c *ssa.Call) bool {
		fn, _ := ssautil.Callee(&c.Call)
		return f.volatileCall(c) && (fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "time")
	})
}

// drawn reports whether v is computed from a counter, a random source, or what
// one of the calls gives that source accepts.
func (f *Func) drawn(v ssa.Value, source func(*ssa.Call) bool) bool {
	return f.drawnHere(v, source, true)
}

// drawnHere is drawn; through fields that keep such a value only if kept.
func (f *Func) drawnHere(v ssa.Value, source func(*ssa.Call) bool, kept bool) bool {
	for x := range f.Origins(v) {
		switch x := x.(type) {
		case *ssa.Call:
			if source(x) {
				return true
			}
		case *ssa.UnOp:
			if x.Op == token.MUL && (f.counts(x) || kept && f.keeps(x, source)) {
				return true
			}
		case *ssa.Alloc, *ssa.MakeSlice:
			if filledAtRandom(x) {
				return true
			}
		}
	}
	return false
}

func (f *Func) volatileCall(c *ssa.Call) bool {
	if _, ok := c.Call.Value.(*ssa.Builtin); ok {
		of, isLen := ssautil.LenOf(c)
		return isLen && ssautil.IsMap(of.Type()) && !f.ownMap(of, maxMakers)
	}
	fn, _ := ssautil.Callee(&c.Call)
	return fn != nil && (model.Volatile(fn) || f.Volatile(fn.Origin()))
}

// ownMap reports whether a map is made here, or in a function of the package that returns it, and put nowhere: it
// is as large as what it is made of says, whichever goroutine makes it.
func (f *Func) ownMap(m ssa.Value, depth int) bool {
	m = ssautil.Settled(m)
	if made, ok := m.(*ssa.MakeMap); ok {
		return !slices.ContainsFunc(*made.Referrers(), func(r ssa.Instruction) bool {
			put, ok := r.(*ssa.Store)
			if !ok || put.Val != m {
				return false
			}
			_, variable := put.Addr.(*ssa.Alloc)
			return !variable
		})
	}
	call, i := ssautil.CallResult(m)
	if call == nil || depth == 0 {
		return false
	}
	fn := call.Call.StaticCallee()
	if fn == nil || fn.Pkg == nil || fn.Pkg != f.Fn.Pkg {
		return false
	}
	rets := Returns(fn)
	return len(rets) > 0 && !slices.ContainsFunc(rets, func(r *ssa.Return) bool { return !f.ownMap(ssautil.ResultAt(r, i), depth-1) })
}

// counts reports whether a field that is read is a counter that the function
// itself moves on.
func (f *Func) counts(ld *ssa.UnOp) bool {
	b, ok := ld.Type().Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 {
		return false
	}
	if _, field := ld.X.(*ssa.FieldAddr); !field {
		if _, global := ld.X.(*ssa.Global); !global {
			return false
		}
	}
	at := f.Paths.Of(ld.X)
	for _, st := range f.storesTo(at) {
		if add, ok := st.Val.(*ssa.BinOp); ok && (add.Op == token.ADD || add.Op == token.SUB) {
			if from, ok := add.X.(*ssa.UnOp); ok && f.Paths.Of(from.X) == at {
				return true
			}
		}
	}
	return false
}

// keeps reports whether a field that is read keeps what this function has drawn
// just before, and nothing else: x.id = next; m[x.id] = x.
func (f *Func) keeps(ld *ssa.UnOp, source func(*ssa.Call) bool) bool {
	field, ok := ld.X.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	before := false
	for _, st := range append(f.copiedInto(field), f.storesTo(f.Paths.Of(field))...) {
		if _, same := st.Val.(*ssa.BinOp); same || !f.drawnHere(st.Val, source, false) {
			return false // another value, or the counter itself
		}
		before = before || ssautil.Dominates(st, ld)
	}
	return before
}

// copiedInto returns the stores to a field of structs that are made here, and then copied
// as a whole to where the field's struct lies: as a literal in a literal is.
func (f *Func) copiedInto(field *ssa.FieldAddr) []*ssa.Store {
	outer, ok := field.X.(*ssa.FieldAddr)
	if !ok {
		return nil
	}
	var out []*ssa.Store
	for _, st := range f.storesTo(f.Paths.Of(outer)) {
		whole, ok := st.Val.(*ssa.UnOp)
		if !ok || whole.Op != token.MUL {
			continue
		}
		made, ok := whole.X.(*ssa.Alloc)
		if !ok {
			continue
		}
		for _, r := range *made.Referrers() {
			part, ok := r.(*ssa.FieldAddr)
			if !ok || part.Field != field.Field {
				continue
			}
			for _, use := range *part.Referrers() {
				if to, ok := use.(*ssa.Store); ok && to.Addr == ssa.Value(part) {
					out = append(out, to)
				}
			}
		}
	}
	return out
}

// filledAtRandom reports whether a buffer that is made here, or a part of it, is
// given to a random source.
func filledAtRandom(buf ssa.Value) bool {
	return slices.ContainsFunc(*buf.Referrers(), func(r ssa.Instruction) bool {
		if s, ok := r.(*ssa.Slice); ok {
			return slices.ContainsFunc(*s.Referrers(), drawsInto)
		}
		_, array := buf.(*ssa.Alloc)
		return !array && drawsInto(r)
	})
}

// drawsInto reports whether an instruction calls a random source.
func drawsInto(r ssa.Instruction) bool {
	c, ok := r.(*ssa.Call)
	if !ok {
		return false
	}
	fn, _ := ssautil.Callee(&c.Call)
	return fn != nil && model.Volatile(fn)
}
