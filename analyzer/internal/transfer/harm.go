package transfer

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/role"
)

// volatile reports whether v is computed from something that is another one
// each time: a clock, a random source, a counter, the size of the map. Two
// goroutines that compute it do not get the same.
func (a *analysis) volatile(v ssa.Value) bool { return a.drawn(v, a.volatileCall) }

// unique reports whether the key v is drawn from a counter or a random source:
// a clock and a size can give two goroutines the same.
func (a *analysis) unique(v ssa.Value) bool {
	return v != nil && a.drawn(v, func(c *ssa.Call) bool {
		fn, _ := callee(&c.Call)
		return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() != "time" && a.volatileCall(c)
	})
}

// drawn reports whether v is computed from a counter, a random source, or what
// one of the calls gives that source accepts.
func (a *analysis) drawn(v ssa.Value, source func(*ssa.Call) bool) bool {
	for x := range a.backward(v) {
		switch x := x.(type) {
		case *ssa.Call:
			if source(x) {
				return true
			}
		case *ssa.UnOp:
			if x.Op == token.MUL && a.counts(x) {
				return true
			}
		case *ssa.Alloc:
			if a.filledAtRandom(x) {
				return true
			}
		}
	}
	return false
}

func (a *analysis) volatileCall(c *ssa.Call) bool {
	if b, ok := c.Call.Value.(*ssa.Builtin); ok {
		return b.Name() == "len" && len(c.Call.Args) > 0 && isMap(c.Call.Args[0].Type())
	}
	fn, _ := callee(&c.Call)
	if fn == nil {
		return false
	}
	if model.Volatile(fn) {
		return true
	}
	sum := a.Summary(fn.Origin())
	if sum == nil {
		return false
	}
	for _, r := range sum.Results {
		if r.Volatile {
			return true
		}
	}
	return false
}

// counts reports whether a field that is read is a counter that the function
// itself moves on.
func (a *analysis) counts(ld *ssa.UnOp) bool {
	b, ok := ld.Type().Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 {
		return false
	}
	if _, field := ld.X.(*ssa.FieldAddr); !field {
		if _, global := ld.X.(*ssa.Global); !global {
			return false
		}
	}
	at := a.Paths.Of(ld.X)
	for _, st := range a.storesTo(at) {
		if add, ok := st.(*ssa.BinOp); ok && (add.Op == token.ADD || add.Op == token.SUB) {
			if from, ok := add.X.(*ssa.UnOp); ok && a.Paths.Of(from.X) == at {
				return true
			}
		}
	}
	return false
}

// filledAtRandom reports whether a local buffer is given to a random source.
func (a *analysis) filledAtRandom(v *ssa.Alloc) bool {
	for _, r := range *v.Referrers() {
		s, ok := r.(*ssa.Slice)
		if !ok {
			continue
		}
		for _, use := range *s.Referrers() {
			if c, ok := use.(*ssa.Call); ok {
				if fn, _ := callee(&c.Call); fn != nil && model.Volatile(fn) {
					return true
				}
			}
		}
	}
	return false
}

// ends reports whether a value of the slice is put to an end, before or after
// instr on its path, in a way that must not happen twice: a channel is closed,
// an object goes back to its pool.
func (a *analysis) ends(content *slice, instr ssa.Instruction) bool {
	for _, b := range a.fn.Blocks {
		if !b.Dominates(instr.Block()) && !instr.Block().Dominates(b) {
			continue
		}
		for _, i := range b.Instrs {
			c, ok := i.(*ssa.Call)
			if !ok {
				continue
			}
			last := len(c.Call.Args) - 1
			if last < 0 || !content.has(c.Call.Args[last]) {
				continue
			}
			if bi, ok := c.Call.Value.(*ssa.Builtin); ok && bi.Name() == "close" {
				return true
			}
			if fn, _ := callee(&c.Call); fn != nil && fn.FullName() == "(*sync.Pool).Put" {
				return true
			}
		}
	}
	return false
}

// eager reports whether v, made here, is a resource that must be closed and
// that nothing here closes.
func (a *analysis) eager(v ssa.Value) bool {
	v = unwrap(v)
	if x, ok := v.(*ssa.Extract); ok {
		if _, call := x.Tuple.(*ssa.Call); !call {
			return false
		}
	} else if _, call := v.(*ssa.Call); !call {
		if _, alloc := v.(*ssa.Alloc); !alloc {
			return false
		}
	}
	if !role.Closable(v.Type()) {
		return false
	}
	for _, r := range *v.Referrers() {
		if c, ok := r.(ssa.CallInstruction); ok {
			if fn, args := callee(c.Common()); fn != nil && len(args) > 0 && args[0] == v && role.Named(fn).Has(role.Closer) {
				return false
			}
		}
	}
	return true
}
