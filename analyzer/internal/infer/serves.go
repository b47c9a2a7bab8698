package infer

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// Serves reports whether a goroutine's function goes on until it is told to
// stop: it loops over what it receives or waits for, or without end. Such a one
// is started once for an object, and what starts it brings the object up; one
// that ends by itself is started by each call.
func (p *Package) Serves(f *Func) bool { return p.serves(f, 0) }

// maxServes bounds the calls from a goroutine's function to the loop.
const maxServes = 2

func (p *Package) serves(f *Func, depth int) bool {
	reach := ssautil.NewReach(f.SSA)
	if slices.ContainsFunc(f.SSA.Blocks, func(b *ssa.BasicBlock) bool { return waitsInLoop(b, reach) }) {
		return true
	}
	return depth < maxServes && slices.ContainsFunc(f.Calls, func(c summary.Call) bool {
		g := p.byKey[c.Callee]
		return g != nil && g != f && c.Kind.SameThread() && p.serves(g, depth+1)
	})
}

// Service reports whether a method that other packages call, and this one does not, serves its object until it is told to
// stop, as Run(ctx) does: its name says so, it goes on for so long, and it gets nothing to work on. An object has one.
func (p *Package) Service(f *Func) bool {
	if !f.Is(role.Service) || !f.Ctx.Open() || len(p.sites()[f]) > 0 || !p.Serves(f) {
		return false
	}
	for v := range f.SSA.Signature.Params().Variables() {
		if _, plain := v.Type().Underlying().(*types.Basic); !plain && !model.IsContext(v.Type()) && !ssautil.IsChan(v.Type()) {
			return false
		}
	}
	return true
}

func waitsInLoop(b *ssa.BasicBlock, reach *ssautil.Reach) bool {
	receives := false
	for _, instr := range b.Instrs {
		switch instr := instr.(type) {
		case *ssa.Call:
			fn, _ := ssautil.Callee(&instr.Call)
			if model.Repeats(fn) {
				return true // the loop is in there
			}
			receives = receives || fn != nil && model.Pauses(fn)
		case *ssa.UnOp:
			receives = receives || instr.Op == token.ARROW
		case *ssa.Select:
			receives = true
		case *ssa.Go:
			if ssautil.Successor(instr) {
				return true // the loop is a line of goroutines
			}
		}
	}
	endless := len(b.Succs) == 1 && b.Succs[0].Index <= b.Index && b.Succs[0].Dominates(b)
	return receives && reach.Blocks(b, b) || endless && !tested(b.Succs[0])
}

// tested reports whether a loop's head tests a condition, as all but "for {" do.
func tested(head *ssa.BasicBlock) bool { return len(head.Succs) > 1 }
