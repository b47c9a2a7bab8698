package ssautil

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A Feasible knows the branches of one function that no execution takes,
// because conditions on the way to them, on the same SSA values or on variables
// that are set once ([Settled]), contradict each other, and the blocks that are
// reached over such branches alone. A value does not change between two conditions
// on it of which one dominates the other: the way from its definition to the
// second goes through the first. The nil Feasible takes all branches for possible.
type Feasible struct {
	never map[[2]*ssa.BasicBlock]bool
	dead  []bool
}

// Edge reports whether some execution can go from one block to its successor.
func (f *Feasible) Edge(from, to *ssa.BasicBlock) bool {
	return f == nil || !f.never[[2]*ssa.BasicBlock{from, to}]
}

// Block reports whether some execution can reach b.
func (f *Feasible) Block(b *ssa.BasicBlock) bool { return f == nil || !f.dead[b.Index] }

// A compared is what a condition asks of: two values, or one and a constant.
// One that is a bool value itself has no y.
type compared struct{ x, y ssa.Value }

// An asked is one branch on a condition.
type asked struct {
	block *ssa.BasicBlock
	holds order          // of x to y, or to the constant, when the first branch is taken
	with  constant.Value // nil when y is a value
}

// An order is a set of possible orders of two values.
type order uint8

// The orders.
const (
	less order = 1 << iota
	equal
	greater
	anyOrder = less | equal | greater
)

var orders = map[token.Token]order{
	token.LSS: less, token.LEQ: less | equal, token.EQL: equal,
	token.NEQ: less | greater, token.GEQ: equal | greater, token.GTR: greater,
}

// FindFeasible returns what is feasible in fn, nil if all is. Complexity: the
// branches, times those on the same values.
func FindFeasible(fn *ssa.Function) *Feasible {
	f := &Feasible{never: make(map[[2]*ssa.BasicBlock]bool)}
	branches := make(map[compared][]asked)
	for _, b := range fn.Blocks {
		if br, ok := lastOf(b).(*ssa.If); ok && b.Succs[0] != b.Succs[1] {
			if c, a, ok := question(br.Cond); ok {
				a.block = b
				if swapped := (compared{c.y, c.x}); branches[swapped] != nil {
					c, a.holds = swapped, a.holds.mirrored()
				}
				branches[c] = append(branches[c], a)
			}
		}
	}
	for c, all := range branches {
		for i := range all {
			f.branch(c, &all[i], all)
		}
	}
	if len(f.never) == 0 {
		return nil
	}
	f.findDead(fn)
	return f
}

// FindSwitchedOff is [FindFeasible] for a function that branches on a constant, as
// code for debugging does that is switched off; of any other it says nothing.
func FindSwitchedOff(fn *ssa.Function) *Feasible {
	if !slices.ContainsFunc(fn.Blocks, onConstant) {
		return nil
	}
	return FindFeasible(fn)
}

func onConstant(b *ssa.BasicBlock) bool {
	br, ok := lastOf(b).(*ssa.If)
	if !ok {
		return false
	}
	_, constant := br.Cond.(*ssa.Const)
	return constant
}

func lastOf(b *ssa.BasicBlock) ssa.Instruction {
	if len(b.Instrs) == 0 {
		return nil
	}
	return b.Instrs[len(b.Instrs)-1]
}

// question takes a condition apart.
func question(cond ssa.Value) (compared, asked, bool) {
	cond = Settled(cond)
	if not, ok := cond.(*ssa.UnOp); ok && not.Op == token.NOT {
		c, a, ok := question(not.X)
		a.holds = anyOrder &^ a.holds
		return c, a, ok
	}
	cmp, ok := cond.(*ssa.BinOp)
	if !ok || orders[cmp.Op] == 0 || !ordered(cmp.X.Type()) {
		return compared{x: cond}, asked{holds: equal, with: constant.MakeBool(true)}, true
	}
	x, y, holds := Settled(cmp.X), Settled(cmp.Y), orders[cmp.Op]
	if _, first := x.(*ssa.Const); first {
		x, y, holds = y, x, holds.mirrored()
	}
	k, ok := y.(*ssa.Const)
	if !ok {
		return compared{x, y}, asked{holds: holds}, true
	}
	return compared{x: x}, asked{holds: holds, with: k.Value}, k.Value != nil
}

// ordered reports whether of two values of a type one is less, or they are
// equal: not so for floating-point numbers.
func ordered(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsInteger|types.IsString|types.IsBoolean) != 0
}

func (o order) mirrored() order {
	out := o & equal
	if o&less != 0 {
		out |= greater
	}
	if o&greater != 0 {
		out |= less
	}
	return out
}

// branch looks for the sides of a branch that what was asked before rules out.
func (f *Feasible) branch(c compared, a *asked, all []asked) {
	known := []asked{}
	if k, ok := c.x.(*ssa.Const); ok && k.Value != nil && a.with != nil {
		known = append(known, asked{holds: equal, with: k.Value})
	}
	for i := range all {
		if side, ok := taken(all[i].block, a.block); ok {
			known = append(known, all[i].on(side))
		}
	}
	if len(known) == 0 {
		return
	}
	for side, to := range a.block.Succs {
		if contradict(append(known[:len(known):len(known)], a.on(side))) {
			f.never[[2]*ssa.BasicBlock{a.block, to}] = true
		}
	}
}

// on returns what holds on one side of a branch.
func (a asked) on(side int) asked {
	if side == 1 {
		a.holds = anyOrder &^ a.holds
	}
	return a
}

// taken returns the side of the branch at the end of b by which all executions
// come to at.
func taken(b, at *ssa.BasicBlock) (side int, ok bool) {
	if b == at || !b.Dominates(at) {
		return 0, false
	}
	for i, s := range b.Succs {
		if len(s.Preds) == 1 && s.Dominates(at) {
			return i, true
		}
	}
	return 0, false
}

// contradict reports whether no value can be what all of these say. It is
// enough to try the constants that occur and what lies between and beside them.
func contradict(all []asked) bool {
	common := anyOrder
	var consts []constant.Value
	for _, a := range all {
		switch {
		case a.with == nil:
			common &= a.holds
			continue
		case a.holds == equal:
			return !fits(a.with, all) // in a switch of many cases, to try each would take a time that grows with its cube
		}
		consts = append(consts, a.with)
	}
	if len(consts) == 0 {
		return common == 0
	}
	for _, k := range consts {
		tries := near(k)
		if len(tries) == 0 {
			return false
		}
		if slices.ContainsFunc(tries, func(v constant.Value) bool { return fits(v, all) }) {
			return false
		}
	}
	return true
}

// near returns a constant and its neighbours. Of strings there are always some
// between and beside, so those that are only compared for equality suffice.
func near(k constant.Value) []constant.Value {
	switch k.Kind() {
	case constant.Int:
		one := constant.MakeInt64(1)
		return []constant.Value{constant.BinaryOp(k, token.SUB, one), k, constant.BinaryOp(k, token.ADD, one)}
	case constant.Bool:
		return []constant.Value{constant.MakeBool(true), constant.MakeBool(false)}
	case constant.String:
		s := constant.StringVal(k)
		out := []constant.Value{k, constant.MakeString(s + "\x00"), constant.MakeString("")}
		if s != "" {
			out = append(out, constant.MakeString(s[:len(s)-1]))
		}
		return out
	}
	return nil
}

// fits reports whether a value is what all say of it.
func fits(v constant.Value, all []asked) bool {
	for _, a := range all {
		if a.with == nil {
			continue
		}
		if v.Kind() != a.with.Kind() {
			return true // nothing is known of how they compare
		}
		if a.holds&compare(v, a.with) == 0 {
			return false
		}
	}
	return true
}

func compare(x, y constant.Value) order {
	switch {
	case constant.Compare(x, token.EQL, y):
		return equal
	case x.Kind() == constant.Bool || constant.Compare(x, token.LSS, y):
		return less
	}
	return greater
}

// findDead finds the blocks that feasible branches do not lead to. A block that
// a recovered panic enters is none of them.
func (f *Feasible) findDead(fn *ssa.Function) {
	f.dead = make([]bool, len(fn.Blocks))
	for i := range f.dead {
		f.dead[i] = true
	}
	work := []*ssa.BasicBlock{fn.Blocks[0]}
	if fn.Recover != nil {
		work = append(work, fn.Recover)
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !f.dead[b.Index] {
			continue
		}
		f.dead[b.Index] = false
		for _, s := range b.Succs {
			if f.Edge(b, s) {
				work = append(work, s)
			}
		}
	}
}
