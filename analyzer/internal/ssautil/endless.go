package ssautil

import (
	"go/constant"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Endless tells of each block of a function whether it lies in a loop that nothing bounds, by
// the block's index. A loop is bounded if it ends where a map or string has been walked, or
// where a number that each round makes larger is compared with one that stays, or where a file,
// a text or what a query gives has been read. Complexity: linear in the blocks for each loop in a loop.
func Endless(fn *ssa.Function) []bool { return endlessIn(fn, false) }

// Unbounded is [Endless], but takes no length for a bound that a round may change.
func Unbounded(fn *ssa.Function) []bool { return endlessIn(fn, true) }

func endlessIn(fn *ssa.Function, fixed bool) []bool {
	e := &endless{out: make([]bool, len(fn.Blocks)), fixed: fixed}
	e.loops(fn.Blocks)
	return e.out
}

type endless struct {
	out []bool
	// fixed: a length is a bound only of what is the same in each round.
	fixed bool
}

// loops marks what lies in an endless loop of those that some blocks make.
func (e *endless) loops(blocks []*ssa.BasicBlock) {
	others := make([]bool, len(e.out))
	for i := range others {
		others[i] = true
	}
	for _, b := range blocks {
		others[b.Index] = false
	}
	seen := slices.Clone(others)
	for _, b := range slices.Backward(finished(blocks, others)) {
		if !seen[b.Index] {
			e.loop(component(b, seen))
		}
	}
}

// loop marks what lies in an endless loop of those that lead round in a component. Where a
// bound ends it, what is left of a round are the loops in it.
func (e *endless) loop(blocks []*ssa.BasicBlock) {
	if len(blocks) == 1 && !slices.Contains(blocks[0].Succs, blocks[0]) {
		return
	}
	within := make(map[*ssa.BasicBlock]bool, len(blocks))
	for _, b := range blocks {
		within[b] = true
	}
	rest := slices.DeleteFunc(slices.Clone(blocks), func(b *ssa.BasicBlock) bool { return e.bounds(b, within) })
	if len(rest) < len(blocks) {
		e.loops(rest)
		return
	}
	for _, b := range blocks {
		e.out[b.Index] = true
	}
}

// bounds reports whether a block ends the loop after a number of rounds.
func (e *endless) bounds(b *ssa.BasicBlock, loop map[*ssa.BasicBlock]bool) bool {
	test, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok || loop[b.Succs[0]] == loop[b.Succs[1]] {
		return false
	}
	switch c := test.Cond.(type) {
	case *ssa.Extract:
		_, walks := c.Tuple.(*ssa.Next)
		return walks && c.Index == 0
	case *ssa.Call:
		return readsOn(c)
	case *ssa.BinOp:
		switch c.Op {
		case token.LSS, token.LEQ:
			return grows(c.X, loop) && e.stays(c.Y, loop)
		case token.GTR, token.GEQ:
			return grows(c.Y, loop) && e.stays(c.X, loop)
		}
	}
	return false
}

// finite are the functions whose result has an end: a file, a text.
var finite = []string{"os.Open", "strings.NewReader", "bytes.NewReader", "bytes.NewBuffer", "bytes.NewBufferString"}

// readsOn reports whether a call reads the next part of what has an end, and tells whether there was one.
func readsOn(c *ssa.Call) bool {
	const next, scan = "(*database/sql.Rows).Next", "(*bufio.Scanner).Scan"
	_, args, name := GivenBy(c, next, scan)
	if name != scan {
		return name == next
	}
	made, args, _ := GivenBy(args[0], "bufio.NewScanner")
	if made == nil {
		return false
	}
	source, _, _ := GivenBy(args[0], finite...)
	return source != nil
}

// grows reports whether each round of a loop makes a number larger.
func grows(v ssa.Value, loop map[*ssa.BasicBlock]bool) bool {
	if next, ok := v.(*ssa.BinOp); ok && plus(next) {
		v = next.X
	}
	phi, ok := v.(*ssa.Phi)
	if !ok || !loop[phi.Block()] {
		return false
	}
	for i, pred := range phi.Block().Preds {
		if next, ok := phi.Edges[i].(*ssa.BinOp); loop[pred] && !(ok && plus(next) && next.X == v) {
			return false
		}
	}
	return true
}

func plus(v *ssa.BinOp) bool {
	c, ok := v.Y.(*ssa.Const)
	return ok && v.Op == token.ADD && c.Value != nil && c.Value.Kind() == constant.Int && constant.Sign(c.Value) > 0
}

// stays reports whether a value is the same in each round of a loop, or a length.
func (e *endless) stays(v ssa.Value, loop map[*ssa.BasicBlock]bool) bool {
	if call, ok := v.(*ssa.Call); ok {
		b, ok := call.Call.Value.(*ssa.Builtin)
		return ok && (b.Name() == "len" || b.Name() == "cap") && (!e.fixed || e.stays(call.Call.Args[0], loop))
	}
	instr, ok := v.(ssa.Instruction)
	return !ok || !loop[instr.Block()]
}
