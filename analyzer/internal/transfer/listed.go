package transfer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// listedAgain reports whether a list may have one function several times: it is a literal that a loop comes to, that
// goes to several places, or to one to which a loop comes.
func (a *analysis) listedAgain(list ssa.Value, t *target) bool {
	lit, ok := t.key.(*ssa.Function)
	if _, several := list.Type().Underlying().(*types.Slice); !several || !ok {
		return false
	}
	if lit.Parent() != a.fn {
		return true
	}
	made := ssautil.MakerOf(lit)
	if made == nil || a.reach.InLoop(made) {
		return true
	}
	uses := placesOf(made, 0)
	return len(uses) != 1 || a.reach.InLoop(uses[0])
}

// maxPlaces bounds the conversions and variables on the way of a function to where it goes.
const maxPlaces = 4

// placesOf returns the instructions that a value goes to, as it is or converted, from variables of its own, too.
func placesOf(v ssa.Value, steps int) (out []ssa.Instruction) {
	for _, r := range *v.Referrers() {
		var on ssa.Value
		switch r := r.(type) {
		case *ssa.DebugRef:
			continue
		case *ssa.ChangeType, *ssa.MakeInterface, *ssa.ChangeInterface:
			on = r.(ssa.Value)
		case *ssa.UnOp:
			if _, cell := v.(*ssa.Alloc); cell {
				on = r
			}
		case *ssa.Store:
			if r.Addr == v {
				continue // a variable gets the value
			}
			if cell, ok := r.Addr.(*ssa.Alloc); ok && ssautil.SoleStore(cell) == r.Val {
				on = cell
			}
		}
		if on != nil && steps < maxPlaces {
			out = append(out, placesOf(on, steps+1)...)
		} else {
			out = append(out, r)
		}
	}
	return out
}

// repeats reports whether a parameter is one function, which all goroutines run that start at a place; or several of
// which one may be run several times: by another loop than the one that walks the list.
func (a *analysis) repeats(param accesspath.Path, instr ssa.Instruction) bool {
	for fn, r := a.fn, param.Root(); fn != nil; fn = fn.Parent() {
		if accesspath.FuncKey(fn) != r.Fn || r.Index >= len(fn.Params) {
			continue
		}
		p := fn.Params[r.Index]
		if _, one := p.Type().Underlying().(*types.Signature); one {
			return true
		}
		for _, use := range *p.Referrers() {
			if elem, ok := use.(*ssa.IndexAddr); ok && fn == a.fn && a.reach.MayPrecede(elem, instr) && a.walksAgain(elem, instr) {
				return true
			}
		}
	}
	return false
}

// walksAgain reports whether what a list has at a place is taken once and comes to an instruction several times, or
// whether the list is walked several times.
func (a *analysis) walksAgain(elem *ssa.IndexAddr, instr ssa.Instruction) bool {
	at := elem.Block()
	if at != instr.Block() && ssautil.Again(instr.Block(), map[*ssa.BasicBlock]bool{at: true}) {
		return true
	}
	index := elem.Index
	if next, ok := index.(*ssa.BinOp); ok {
		index = next.X
	}
	counter, ok := index.(*ssa.Phi)
	if !ok {
		return false
	}
	head := counter.Block()
	for _, from := range head.Preds {
		if !head.Dominates(from) && a.reach.Blocks(head, from) {
			return true // an outer loop leads to the walk
		}
	}
	return false
}
