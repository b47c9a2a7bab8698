package depend

import (
	"go/constant"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// maxConds bounds how deep a condition is taken apart.
const maxConds = 6

// maxPredicates bounds the calls through which a condition is followed.
const maxPredicates = 3

// maxFlags bounds the variables that are followed for one condition: each edge of each of them may ask
// for others.
const maxFlags = 256

// senseOf says how a condition tells presence.
func (f *Func) senseOf(senses map[ssa.Value]Sense, cond ssa.Value, depth int) Sense {
	if s := senses[cond]; s != NoSense {
		return s
	}
	if depth > maxConds {
		return NoSense
	}
	switch c := cond.(type) {
	case *ssa.UnOp:
		switch c.Op {
		case token.NOT:
			return f.senseOf(senses, c.X, depth+1).Not()
		case token.MUL:
			if v := f.storedJust(c); v != nil {
				return f.senseOf(senses, v, depth+1)
			}
		}
	case *ssa.BinOp:
		return f.senseOfComparison(senses, c, depth)
	case *ssa.Phi:
		return f.senseOfFlag(senses, c, depth)
	case *ssa.Call:
		return f.senseOfPredicate(senses, c, depth)
	case *ssa.Extract, *ssa.ChangeType, *ssa.MakeInterface, *ssa.TypeAssert:
		if ops := cond.(ssa.Instruction).Operands(nil); len(ops) == 1 && *ops[0] != nil {
			return senses[*ops[0]]
		}
	}
	return NoSense
}

// storedJust returns what a read of a captured variable gives where the variable
// was set in the same block, and no literal that has it exists by then; nil if that is
// not known.
func (f *Func) storedJust(ld *ssa.UnOp) ssa.Value {
	cell, ok := ld.X.(*ssa.Alloc)
	if !ok || f.Reach == nil {
		return nil
	}
	var last *ssa.Store
	for _, r := range *cell.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Val == ssa.Value(cell) {
				return nil
			}
			if r.Block() == ld.Block() && ssautil.Dominates(r, ld) && (last == nil || ssautil.Dominates(last, r)) {
				last = r
			}
		case *ssa.UnOp, *ssa.DebugRef:
		default:
			if f.Reach.MayPrecede(r, ld) {
				return nil
			}
		}
	}
	if last == nil {
		return nil
	}
	return last.Val
}

// senseOfComparison handles v == nil, v != nil, ok == false and the like. A
// flag that counts is greater than zero where it is set.
func (f *Func) senseOfComparison(senses map[ssa.Value]Sense, c *ssa.BinOp, depth int) Sense {
	x, k := c.X, c.Y
	if _, ok := x.(*ssa.Const); ok {
		x, k = k, x
	}
	zero, ok := k.(*ssa.Const)
	if !ok {
		return NoSense
	}
	equal := c.Op == token.EQL
	if !equal && c.Op != token.NEQ {
		_, flag := x.(*ssa.Phi)
		above := c.Op == token.GTR && x == c.X || c.Op == token.LSS && x == c.Y
		if !flag || !above || !ssautil.IsZero(zero) {
			return NoSense
		}
	}
	s := f.senseOf(senses, x, depth+1)
	if ssautil.IsZeroConst(zero) == equal {
		s = s.Not()
	}
	return s
}

// senseOfFlag handles a variable that the paths set by what was found: done =
// true where the entry is there. What it has before the look says nothing.
func (f *Func) senseOfFlag(senses map[ssa.Value]Sense, phi *ssa.Phi, depth int) Sense {
	if f.flags[phi] || len(senses) == 0 {
		return NoSense
	}
	if f.flags == nil {
		f.flags = make(map[*ssa.Phi]bool)
	}
	if len(f.flags) == 0 {
		f.flagged = 0
	}
	if f.flagged++; f.flagged > maxFlags {
		return NoSense
	}
	f.flags[phi] = true
	defer delete(f.flags, phi)
	common := NoSense
	for i, v := range phi.Edges {
		if inner, ok := v.(*ssa.Phi); ok && f.flags[inner] {
			continue // the value of the round before
		}
		s := f.senseOf(senses, ssautil.Unwrap(v), depth+1)
		if s == NoSense {
			var known bool
			if s, known = f.senseOnEdge(senses, phi, i); !known {
				return NoSense
			}
		}
		if common != NoSense && s != NoSense && s != common {
			return NoSense
		}
		if s != NoSense {
			common = s
		}
	}
	return common
}

// senseOnEdge is the sense of a constant that a variable gets on an edge, or of
// a value that is stored only where the entry is there. A zero value of which
// the edge tells nothing is what the variable begins with.
func (f *Func) senseOnEdge(senses map[ssa.Value]Sense, phi *ssa.Phi, i int) (s Sense, known bool) {
	set, isConst := true, false
	if c := constantValue(phi.Edges[i]); c != nil {
		set, isConst = !ssautil.IsZeroConst(c), true
	}
	switch f.polarityOn(senses, phi.Block().Preds[i], phi.Block()) {
	case Present:
		return TrueIfPresent.If(set), true
	case Absent:
		return TrueIfAbsent.If(set), isConst
	}
	return NoSense, isConst && !set
}

// polarityOn returns what is known of the look on the edge between two blocks.
func (f *Func) polarityOn(senses map[ssa.Value]Sense, from, to *ssa.BasicBlock) Polarity {
	if br := f.branch(from.Index); br != nil && from.Succs[0] != from.Succs[1] {
		if p := found(f.senseOf(senses, br.Cond, 0), from.Succs[0] == to); p != Any {
			return p
		}
	}
	return f.polarityIn(senses, from)
}

// constantValue returns the constant that v is, or the sum of two.
func constantValue(v ssa.Value) *ssa.Const {
	switch v := v.(type) {
	case *ssa.Const:
		return v
	case *ssa.BinOp:
		x, y := constantValue(v.X), constantValue(v.Y)
		if v.Op == token.ADD && x != nil && y != nil && x.Value != nil && y.Value != nil {
			return ssa.NewConst(constant.BinaryOp(x.Value, token.ADD, y.Value), v.Type())
		}
	}
	return nil
}

// senseOfPredicate handles a call of a function that does nothing but ask: the
// sense of its result, given that of its arguments.
func (f *Func) senseOfPredicate(senses map[ssa.Value]Sense, c *ssa.Call, depth int) Sense {
	fn := c.Call.StaticCallee()
	if fn == nil || f.depth >= maxPredicates || fn.Signature.Results().Len() != 1 {
		return NoSense
	}
	inner := make(map[ssa.Value]Sense)
	for i, arg := range c.Call.Args {
		if s := f.senseOf(senses, ssautil.Unwrap(arg), depth+1); i < len(fn.Params) && (s == TrueIfPresent || s == TrueIfAbsent) {
			inner[fn.Params[i]] = s
		}
	}
	if len(inner) == 0 {
		return NoSense
	}
	g := NewFunc(f.Env, fn, nil)
	g.depth = f.depth + 1
	return g.SenseOfResult(inner, Returns(fn), 0)
}

// Returns gives the returns of a function, without that after a panic.
func Returns(fn *ssa.Function) []*ssa.Return {
	var out []*ssa.Return
	for _, b := range fn.Blocks {
		if len(b.Instrs) == 0 || b == fn.Recover {
			continue
		}
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			out = append(out, r)
		}
	}
	return out
}

// Finds gives the senses of the comparisons by which a walk over a map looks
// for the entry of one key, and that key if the walk does nothing else.
func (f *Func) Finds(keys []ssa.Value) (senses map[ssa.Value]Sense, sought ssa.Value) {
	data := f.forward(keys, dataOnly)
	senses = make(map[ssa.Value]Sense)
	several := false
	for v := range data.vals {
		b, ok := v.(*ssa.BinOp)
		if !ok || data.Has(b.X) == data.Has(b.Y) || ssautil.IsNil(b.X) || ssautil.IsNil(b.Y) {
			continue
		}
		switch b.Op {
		case token.EQL:
			senses[b] = TrueIfFound
		case token.NEQ:
			senses[b] = FalseIfFound
		default:
			continue
		}
		x := b.X
		if data.Has(x) {
			x = b.Y
		}
		several = several || sought != nil && sought != x
		sought = x
	}
	if several {
		sought = nil
	}
	return senses, sought
}

// Seeks reports whether a walk uses what it comes to only where it has found
// the key: it is a look at that entry.
func (f *Func) Seeks(senses map[ssa.Value]Sense, outcomes []ssa.Value) bool {
	for _, v := range outcomes {
		if x, ok := v.(*ssa.Extract); ok && x.Index == 0 {
			continue // whether there is another entry
		}
		for _, r := range *v.Referrers() {
			if x, ok := r.(ssa.Value); ok && senses[x] != NoSense {
				continue
			}
			if phi, ok := r.(*ssa.Phi); ok && f.chosenWhereFound(senses, phi, v) {
				continue
			}
			if _, phi := r.(*ssa.Phi); phi || f.polarityAt(senses, r) != Present {
				return false
			}
		}
	}
	return true
}

// chosenWhereFound reports whether a variable gets v only on edges on which the
// key was found.
func (f *Func) chosenWhereFound(senses map[ssa.Value]Sense, phi *ssa.Phi, v ssa.Value) bool {
	for i, e := range phi.Edges {
		if e == v && f.polarityOn(senses, phi.Block().Preds[i], phi.Block()) != Present {
			return false
		}
	}
	return true
}
