package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// closesLast reports whether a goroutine closes the channel when it has run what it was given, counted itself down, and runs
// nothing more; it notes the methods that start it.
func (p *Package) closesLast(u *idling, last ssa.Instruction) bool {
	fn := last.Parent()
	reach := ssautil.NewReach(fn)
	var down ssa.Instruction
	ssautil.Some(fn, func(instr ssa.Instruction) bool {
		if addr, atomic := p.countsDown(instr); !atomic && addr != nil && isField(addr, u.count) && ssautil.Dominates(instr, last) {
			down = instr
		}
		return down != nil
	})
	if down == nil || reach.InLoop(down) || !slices.ContainsFunc(runsOf(fn), func(run *ssa.Call) bool { return ssautil.Dominates(run, down) }) {
		return false
	}
	later := ssautil.Some(fn, func(instr ssa.Instruction) bool {
		call, ok := instr.(ssa.CallInstruction)
		if !ok {
			return false
		}
		_, now := instr.(*ssa.Call)
		return runsUnknown(call.Common()) && (!now || reach.MayPrecede(down, instr))
	})
	if later {
		return false
	}
	for _, use := range p.usesOf(fn) {
		start, ok := use.(*ssa.Go)
		if !ok {
			return false
		}
		u.counts = append(u.counts, start.Parent())
	}
	u.runners = append(u.runners, fn)
	return true
}

// runsOf returns the calls of functions that a function has got as values.
func runsOf(fn *ssa.Function) (runs []*ssa.Call) {
	ssautil.Some(fn, func(instr ssa.Instruction) bool {
		if call, ok := instr.(*ssa.Call); ok && ssautil.CallsValue(&call.Call) {
			runs = append(runs, call)
		}
		return false
	})
	return runs
}

// runsUnknown reports whether a call may run a function that the code has got as a value: it calls one, is that of a literal, or
// passes one on.
func runsUnknown(call *ssa.CallCommon) bool {
	if _, builtin := call.Value.(*ssa.Builtin); builtin {
		return false
	}
	fn := call.StaticCallee()
	return ssautil.CallsValue(call) || fn != nil && fn.Parent() != nil ||
		slices.ContainsFunc(call.Args, func(arg ssa.Value) bool { return callback.Carries(ssautil.Unwrap(arg).Type()) })
}

// countsAll reports whether the count only ever goes up by one in a method that starts a goroutine then, and has got rid of the old
// channel if it was zero; and down by one in these goroutines.
func (p *Package) countsAll(u *idling) bool {
	ups, downs := make(map[*ssa.Function]int), make(map[*ssa.Function]int)
	odd := slices.ContainsFunc(p.Funcs, func(f *Func) bool {
		return ssautil.Some(f.SSA, func(instr ssa.Instruction) bool {
			addr, ok := instr.(*ssa.FieldAddr)
			return ok && isField(addr, u.count) && slices.ContainsFunc(*addr.Referrers(), func(use ssa.Instruction) bool {
				switch use := use.(type) {
				case *ssa.DebugRef, *ssa.UnOp:
					return false
				case *ssa.Store:
					if down, _ := p.countsDown(use); down == ssa.Value(addr) {
						downs[f.SSA]++
						return downs[f.SSA] > 1 || !slices.Contains(u.runners, f.SSA)
					}
					ups[f.SSA]++
					return !p.countsOne(use) || !p.renews(u, use)
				}
				return true
			})
		})
	})
	return !odd && !slices.ContainsFunc(u.counts, func(fn *ssa.Function) bool { return ups[fn] != 1 }) && len(ups) == len(u.counts)
}

// countsOne reports whether a store counts a field up by one.
func (p *Package) countsOne(st *ssa.Store) bool {
	sum, ok := st.Val.(*ssa.BinOp)
	return ok && ssautil.IsInt(sum.Y, 1) && p.countsUp(st)
}

// renews reports whether the channel is renewed where the count is found to be zero right before it is counted up.
func (p *Package) renews(u *idling, up *ssa.Store) bool {
	b := up.Block()
	if len(b.Preds) != 2 || stirs(b, up) {
		return false
	}
	for i, zero := range b.Preds {
		if len(zero.Preds) != 1 || zero.Preds[0] != b.Preds[1-i] || stirs(zero, nil) {
			continue
		}
		br, ok := b.Preds[1-i].Instrs[len(b.Preds[1-i].Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		asked := countAsked(br, zero)
		if asked == nil || p.Paths.Of(asked.X) != p.Paths.Of(up.Addr) {
			continue
		}
		in := p.Paths.Of(up.Addr).Parent()
		return in.Known() && slices.ContainsFunc(zero.Instrs, func(instr ssa.Instruction) bool {
			st, ok := instr.(*ssa.Store)
			return ok && isField(st.Addr, u.field) && p.Paths.Of(st.Addr).Parent() == in
		})
	}
	return false
}

// runsAll reports whether the object has all that it is given run by its goroutines: a method that counts starts one of them,
// behind that, and no other method starts any, or runs what it has got.
func (p *Package) runsAll(u *idling) bool {
	object := methodOf(u.counts[0])
	if object == nil {
		return false
	}
	for _, f := range p.Funcs {
		outer := callback.Outermost(f.SSA)
		if methodOf(outer) != object || slices.Contains(u.runners, f.SSA) {
			continue
		}
		starts := 0
		if ssautil.Some(f.SSA, func(instr ssa.Instruction) bool {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				return u.resets(instr)
			}
			if start, ok := instr.(*ssa.Go); ok && slices.Contains(u.runners, start.Call.StaticCallee()) {
				starts++
				return starts > 1 || !p.countedBefore(u, start)
			}
			_, begins := instr.(*ssa.Go)
			return begins || ssautil.CallsValue(call.Common()) || slices.Contains(u.counts, outer) && runsUnknown(call.Common())
		}) {
			return false
		}
	}
	return true
}

// resets reports whether an instruction gives the count a value with the whole struct around it, which is not one that was read.
func (u *idling) resets(instr ssa.Instruction) bool {
	whole := func(v ssa.Value) bool {
		st, ok := v.Type().Underlying().(*types.Struct)
		for i := 0; ok && i < st.NumFields(); i++ {
			if st.Field(i).Origin() == u.count {
				return true
			}
		}
		return false
	}
	switch instr := instr.(type) {
	case *ssa.Store:
		_, own := instr.Addr.(*ssa.Alloc)
		return !own && whole(instr.Val)
	case *ssa.Send:
		if ld, ok := instr.X.(*ssa.UnOp); ok {
			cell, ok := ld.X.(*ssa.Alloc)
			return ok && whole(ld) && !slices.ContainsFunc(*cell.Referrers(), func(r ssa.Instruction) bool {
				st, ok := r.(*ssa.Store)
				return ok && st.Addr == ssa.Value(cell)
			})
		}
		_, zero := instr.X.(*ssa.Const)
		return zero && whole(instr.X)
	}
	return false
}

// countedBefore reports whether a method has counted up before it starts a goroutine.
func (p *Package) countedBefore(u *idling, start *ssa.Go) bool {
	fn := start.Parent()
	return !ssautil.NewReach(fn).InLoop(start) && methodOf(fn) == methodOf(u.counts[0]) && ssautil.Some(fn, func(instr ssa.Instruction) bool {
		st, ok := instr.(*ssa.Store)
		return ok && isField(st.Addr, u.count) && ssautil.Dominates(st, start) && p.countsOne(st)
	})
}
