package transfer

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// maxSettled bounds the conditions of one function of which it is known on a way how they
// came out.
const maxSettled = 64

// settled are the conditions of one function that the ways on from a place may know: those
// that are not computed where they are asked, or asked twice. What started a goroutine under
// "parallel" does not come to what runs otherwise, in no later round either, nor does what has
// set a flag that nothing sets back come to what runs without it, or a loop of one round to
// a second one.
type settled struct {
	index map[ssa.Value]uint
	// phis are those of a block, defined the others that are computed in it, as bits.
	phis    map[*ssa.BasicBlock][]*ssa.Phi
	defined map[*ssa.BasicBlock]outcomes
	rounds  map[*ssa.BasicBlock]*ssa.BinOp // the bounds of loops of one round, by their heads
	entry   map[*ssa.BasicBlock]outcomes
}

// outcomes are how conditions came out, by their indices. One that is neither is not known.
type outcomes struct{ yes, no uint64 }

func (o outcomes) set(i uint, is bool) outcomes {
	o = o.without(outcomes{yes: 1 << i})
	if is {
		o.yes |= 1 << i
	} else {
		o.no |= 1 << i
	}
	return o
}

func (o outcomes) without(p outcomes) outcomes {
	bits := p.yes | p.no
	return outcomes{o.yes &^ bits, o.no &^ bits}
}

func (o outcomes) both(p outcomes) outcomes { return outcomes{o.yes & p.yes, o.no & p.no} }

// settle finds the conditions of a function that ways may know.
func (a *analysis) settle() *settled {
	s := &settled{
		index: make(map[ssa.Value]uint), phis: make(map[*ssa.BasicBlock][]*ssa.Phi),
		defined: make(map[*ssa.BasicBlock]outcomes), rounds: make(map[*ssa.BasicBlock]*ssa.BinOp),
	}
	before := make(map[ssa.Value]bool)
	for _, b := range a.fn.Blocks {
		br, ok := last(b).(*ssa.If)
		if !ok {
			continue
		}
		cond, _ := asked(br.Cond)
		if oneRound(cond, b) {
			s.rounds[b] = cond.(*ssa.BinOp)
		}
		def, computed := cond.(ssa.Instruction)
		_, phi := cond.(*ssa.Phi)
		if before[cond] || !computed || phi || def.Block() != b || s.rounds[b] != nil {
			s.add(cond)
		}
		before[cond] = true
	}
	s.entry = s.walk(a.fn.Blocks[0], outcomes{}, func(edge) bool { return true }, func(*ssa.BasicBlock) bool { return true })
	return s
}

// add notes a condition, and those that it is for the ways on which it comes in.
func (s *settled) add(v ssa.Value) {
	v, _ = ssautil.Unnegated(v)
	if _, isConst := v.(*ssa.Const); isConst || len(s.index) >= maxSettled {
		return
	}
	if _, known := s.index[v]; known {
		return
	}
	i := uint(len(s.index))
	s.index[v] = i
	switch v := v.(type) {
	case *ssa.Phi:
		s.phis[v.Block()] = append(s.phis[v.Block()], v)
		for _, in := range v.Edges {
			if _, phi := in.(*ssa.Phi); phi || ssautil.IsBool(v.Type()) {
				s.add(in)
			}
		}
	case ssa.Instruction:
		if s.rounds[v.Block()] != v {
			s.defined[v.Block()] = outcomes{yes: s.defined[v.Block()].yes | 1<<i}
		}
	}
}

// asked returns what a branch asks, and whether it asks for the opposite. Of a variable of which it asks whether it is
// nil, that is the variable: its value at the head of a loop is that of the round before.
func asked(cond ssa.Value) (v ssa.Value, not bool) {
	v, not = ssautil.Unnegated(cond)
	cmp, ok := v.(*ssa.BinOp)
	if !ok || cmp.Op != token.EQL && cmp.Op != token.NEQ || !ssautil.IsNil(cmp.Y) {
		return v, not
	}
	if phi, ok := cmp.X.(*ssa.Phi); ok {
		return phi, not != (cmp.Op == token.NEQ)
	}
	return v, not
}

// isNil reports whether a value that can be nil is, if that is known: what is made here is not, nor is a function that
// a call gives.
func isNil(v ssa.Value) (is, known bool) {
	switch v.(type) {
	case *ssa.Const:
		return true, ssautil.IsNil(v)
	case *ssa.MakeChan, *ssa.MakeMap, *ssa.MakeClosure, *ssa.Alloc, *ssa.Function:
		return false, true
	case *ssa.Call, *ssa.Extract:
		_, fn := v.Type().Underlying().(*types.Signature)
		return false, fn
	}
	return false, false
}

// next returns the blocks to which control can go from the end of b, and what is known on
// the way to each.
func (s *settled) next(b *ssa.BasicBlock, at outcomes) (next []*ssa.BasicBlock, known []outcomes) {
	br, ok := last(b).(*ssa.If)
	for i, to := range b.Succs {
		o := at
		if ok && b.Succs[0] != b.Succs[1] {
			cond, not := asked(br.Cond)
			holds := not != (i == 0)
			switch was, known := s.outcome(at, cond); {
			case known && was != holds:
				continue
			case s.indexed(cond):
				o = at.set(s.index[cond], holds)
			}
		}
		next, known = append(next, to), append(known, s.enter(o, b, to))
	}
	return next, known
}

func (s *settled) indexed(v ssa.Value) bool {
	_, ok := s.index[v]
	return ok
}

// outcome returns how a condition came out, if that is known.
func (s *settled) outcome(o outcomes, v ssa.Value) (is, known bool) {
	v, not := ssautil.Unnegated(v)
	if c, ok := v.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.Bool {
		return constant.BoolVal(c.Value) != not, true
	}
	if is, known := isNil(v); known {
		return is, true
	}
	i, ok := s.index[v]
	if !ok || (o.yes|o.no)&(1<<i) == 0 {
		return false, false
	}
	return (o.yes&(1<<i) != 0) != not, true
}

// enter returns what is known where a block begins, which its phis and its loop depend on.
func (s *settled) enter(o outcomes, from, to *ssa.BasicBlock) outcomes {
	out := o
	for i, p := range to.Preds {
		if p != from {
			continue
		}
		for _, phi := range s.phis[to] {
			n := s.index[phi]
			if is, known := s.outcome(o, phi.Edges[i]); known {
				out = out.set(n, is)
			} else {
				out = out.without(outcomes{yes: 1 << n})
			}
		}
	}
	if bound := s.rounds[to]; bound != nil && s.indexed(bound) {
		n := s.index[bound]
		if out = out.without(outcomes{yes: 1 << n}); to.Dominates(from) {
			out = out.set(n, false)
		}
	}
	return out.without(s.defined[to])
}

// walk follows the ways on from the end of a block, of which at says what is known there, along
// the edges that goes allows, and past the blocks that visit, called once for each, does. It
// returns what is known where the blocks begin. Complexity: the blocks, times maxSettled.
func (s *settled) walk(from *ssa.BasicBlock, at outcomes, goes func(edge) bool, visit func(*ssa.BasicBlock) bool) map[*ssa.BasicBlock]outcomes {
	out, ends := make(map[*ssa.BasicBlock]outcomes), make(map[*ssa.BasicBlock]bool)
	type step struct {
		b  *ssa.BasicBlock
		at outcomes
	}
	for work := []step{{from, at}}; len(work) > 0; {
		w := work[len(work)-1]
		work = work[:len(work)-1]
		next, known := s.next(w.b, w.at)
		for i, b := range next {
			if !goes(edge{w.b, b}) {
				continue
			}
			o := known[i]
			was, seen := out[b]
			if seen {
				if o = o.both(was); o == was {
					continue
				}
			} else {
				ends[b] = !visit(b)
			}
			if out[b] = o; !ends[b] {
				work = append(work, step{b, o})
			}
		}
	}
	return out
}

// settled returns the conditions of the function at hand.
func (a *analysis) settled() *settled {
	if a.conds == nil {
		a.conds = a.settle()
	}
	return a.conds
}

// oneRound reports whether a condition at the head of a loop lets it have one round at most: it
// compares what counts up from a constant with one that is reached by the second time.
func oneRound(cond ssa.Value, head *ssa.BasicBlock) bool {
	less, ok := cond.(*ssa.BinOp)
	if !ok || less.Op != token.LSS || less.Block() != head {
		return false
	}
	bound, ok := length(less.Y)
	if !ok {
		return false
	}
	phi, ok := less.X.(*ssa.Phi)
	second := 1
	if next, plus := less.X.(*ssa.BinOp); !ok && plus && addsOne(next, next.X) {
		phi, ok = next.X.(*ssa.Phi)
		second = 2
	}
	if !ok || phi.Block() != head {
		return false
	}
	for i, in := range phi.Edges {
		switch first, ok := in.(*ssa.Const); {
		case head.Dominates(head.Preds[i]):
			if next, plus := in.(*ssa.BinOp); !plus || !addsOne(next, phi) {
				return false
			}
		case !ok || first.Value == nil || int(first.Int64())+second < bound:
			return false
		}
	}
	return true
}

func addsOne(v *ssa.BinOp, to ssa.Value) bool {
	c, ok := ssautil.IntOf(v.Y)
	return v.Op == token.ADD && v.X == to && ok && c == 1
}

// length returns a constant, or the length of a slice of a whole array.
func length(v ssa.Value) (int, bool) {
	list, ok := ssautil.LenOf(v)
	if !ok {
		return ssautil.IntOf(v)
	}
	whole, ok := list.(*ssa.Slice)
	if !ok || whole.Low != nil || whole.High != nil {
		return 0, false
	}
	arr, ok := ssautil.Pointee(whole.X.Type()).Underlying().(*types.Array)
	if !ok {
		return 0, false
	}
	return int(arr.Len()), true
}
