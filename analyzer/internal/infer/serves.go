package infer

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
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

// Service reports whether a method that other packages call, and this one on objects alone that its caller has made, serves
// its object until it is told to stop, as Run(ctx) does: its name says so, it goes on for so long, and it gets nothing to
// work on. An object has one.
func (p *Package) Service(f *Func) bool {
	if !f.Is(role.Service) || !f.Ctx.Open() || slices.ContainsFunc(p.sites()[f], func(s site) bool { return !s.ofItsOwn() }) {
		return false
	}
	if !p.Serves(f) {
		return p.leads(f)
	}
	for v := range f.SSA.Signature.Params().Variables() {
		if _, plain := v.Type().Underlying().(*types.Basic); !plain && !model.IsContext(v.Type()) && !ssautil.IsChan(v.Type()) {
			return false
		}
	}
	return true
}

// ofItsOwn reports whether the caller alone knows the receiver of a call, and waits for its end.
func (s site) ofItsOwn() bool { return s.call.Kind.InPlace() && s.caller.Keeps(s.call) }

// leads reports whether a method starts goroutines, and then does nothing but wait until it is told to stop. It gets
// numbers, what tells it to stop, and functions that it only asks before it starts the first one.
func (p *Package) leads(f *Func) bool {
	fn, reach := f.SSA, ssautil.NewReach(f.SSA)
	if len(fn.Blocks) == 0 {
		return false
	}
	after := func(instr ssa.Instruction) bool {
		return ssautil.Some(fn, func(g ssa.Instruction) bool {
			_, starts := g.(*ssa.Go)
			return starts && reach.MayPrecede(g, instr)
		})
	}
	for _, param := range fn.Params[1:] {
		switch t := param.Type().Underlying().(type) {
		case *types.Basic:
			if t.Info()&(types.IsNumeric|types.IsBoolean) == 0 {
				return false // a name
			}
		case *types.Signature:
			if !onlyAsked(param, after) {
				return false
			}
		default:
			if !model.IsContext(param.Type()) && !tellsNothing(param.Type()) {
				return false
			}
		}
	}
	return ssautil.Some(fn, func(instr ssa.Instruction) bool { return p.toldToStop(f, instr) && after(instr) })
}

// onlyAsked reports whether a function that another one gets is only called, and never after something.
func onlyAsked(fn *ssa.Parameter, after func(ssa.Instruction) bool) bool {
	return !slices.ContainsFunc(*fn.Referrers(), func(r ssa.Instruction) bool {
		call, ok := r.(*ssa.Call)
		return !ok || call.Call.Value != ssa.Value(fn) || slices.Contains(call.Call.Args, ssa.Value(fn)) || after(call)
	})
}

// toldToStop reports whether an instruction of f waits for the end of a context that f gets, or on a channel without values, and
// for nothing else: a call that waits for what its goroutine finds as well is one of many.
func (p *Package) toldToStop(f *Func, instr ssa.Instruction) bool {
	tells := func(ch ssa.Value) bool {
		if call, ok := ch.(*ssa.Call); ok && model.GivesEnd(call.Call.Method) {
			ch = call.Call.Value
		} else if !tellsNothing(ch.Type()) {
			return false
		}
		at := p.Paths.Of(ch)
		r := at.Root()
		return at.Known() && at.Depth() == 0 && r.Kind == accesspath.Param && r.Fn == f.Key && r.Index > 0
	}
	switch instr := instr.(type) {
	case *ssa.UnOp:
		return instr.Op == token.ARROW && tells(instr.X)
	case *ssa.Select:
		return instr.Blocking && !slices.ContainsFunc(instr.States, func(st *ssa.SelectState) bool { return !tells(st.Chan) })
	}
	return false
}

// tellsNothing reports whether a type is that of a channel without values, as one is that tells a goroutine to stop.
func tellsNothing(t types.Type) bool {
	ch, ok := t.Underlying().(*types.Chan)
	return ok && model.IsToken(ch.Elem())
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
