package infer

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// An idling is a field with a channel that is closed when nothing runs any more of what an object was given to run: each goroutine
// that runs some counts itself down when it has, and closes the channel where the count has come to zero; who asks for
// the channel gets it closed if the count is zero by then.
type idling struct {
	closes []ssa.Instruction
	gives  []*ssa.Function
	counts []*ssa.Function
	sent   bool
	// count is the field with the number of goroutines.
	count *types.Var
}

// idlings returns what methods do that go with such fields.
func (p *Package) idlings() map[any]summary.Work {
	fields := make(map[*types.Var]*idling)
	for _, f := range p.Funcs {
		if u := p.idlingAt(fields, givesChan(f.SSA)); u != nil {
			u.gives = append(u.gives, f.SSA)
		}
		ssautil.Some(f.SSA, func(instr ssa.Instruction) bool {
			switch instr := instr.(type) {
			case *ssa.Send:
				p.sentOn(fields, instr.Chan)
			case *ssa.Select:
				for _, st := range instr.States {
					if st.Dir == types.SendOnly {
						p.sentOn(fields, st.Chan)
					}
				}
			case *ssa.Call:
				if b, ok := instr.Call.Value.(*ssa.Builtin); ok && b.Name() == "close" {
					if u := p.idlingAt(fields, instr.Call.Args[0]); u != nil {
						u.closes = append(u.closes, instr)
					}
				}
			}
			return false
		})
	}
	out := make(map[any]summary.Work)
	for _, u := range fields {
		if !p.idles(u) {
			continue
		}
		for _, fn := range u.gives {
			out[accesspath.FuncKey(fn)] = summary.GivesEnd
		}
		for _, fn := range u.counts {
			out[accesspath.FuncKey(fn)] = summary.Counted
		}
	}
	return out
}

// idlingAt returns what is known of the field from which a channel comes; nil if it is none that the package alone can close.
func (p *Package) idlingAt(fields map[*types.Var]*idling, ch ssa.Value) *idling {
	field, _ := chanIdentity(ch).(*types.Var)
	if field == nil || !field.IsField() || field.Exported() || field.Pkg() != p.Types {
		return nil
	}
	if fields[field] == nil {
		fields[field] = new(idling)
	}
	return fields[field]
}

func (p *Package) sentOn(fields map[*types.Var]*idling, ch ssa.Value) {
	if u := p.idlingAt(fields, ch); u != nil {
		u.sent = true
	}
}

// givesChan returns a channel that a method without parameters gives, and nothing else; nil if it is not such a method.
func givesChan(fn *ssa.Function) ssa.Value {
	sig := fn.Signature
	if sig.Recv() == nil || sig.Params().Len() > 0 || sig.Results().Len() != 1 || !ssautil.IsChan(sig.Results().At(0).Type()) {
		return nil
	}
	var only ssa.Value
	for _, r := range depend.Returns(fn) {
		ch := ssautil.Unwrap(ssautil.Returned(r, 0))
		if only != nil && chanIdentity(ch) != chanIdentity(only) {
			return nil
		}
		only = ch
	}
	return only
}

// idles reports whether all that closes the channel does so where the count is zero: who asks for the channel, and goroutines that
// have run something, and run nothing more.
func (p *Package) idles(u *idling) bool {
	for _, c := range u.closes {
		count := zeroAt(c)
		if count == nil || u.count != nil && u.count != count {
			return false
		}
		u.count = count
		if !slices.Contains(u.gives, c.Parent()) && !p.closesLast(u, c) {
			return false
		}
	}
	return !u.sent && len(u.gives) > 0 && len(u.counts) > 0
}

// zeroAt returns the field with a number that was found to be zero on the way to an instruction.
func zeroAt(instr ssa.Instruction) *types.Var {
	for b := instr.Block(); b != nil; b = b.Idom() {
		br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		left, side := noneLeft(br.Cond)
		if ld, ok := left.(*ssa.UnOp); ok && ld.Op == token.MUL && ssautil.DominatesEdge(b, side, instr.Block()) {
			if addr, ok := ld.X.(*ssa.FieldAddr); ok {
				return ssautil.FieldOf(addr).Origin()
			}
		}
	}
	return nil
}

// closesLast reports whether a goroutine closes the channel when it has run what it was given, counted itself down, and runs
// nothing more; it notes the methods that start it, and count it up before.
func (p *Package) closesLast(u *idling, last ssa.Instruction) bool {
	fn := last.Parent()
	reach := ssautil.NewReach(fn)
	ran, counted := false, false
	again := ssautil.Some(fn, func(instr ssa.Instruction) bool {
		if addr, _ := p.countsDown(instr); addr != nil && isField(addr, u.count) {
			counted = counted || ssautil.Dominates(instr, last)
		}
		if !callsGiven(instr) {
			return false
		}
		ran = ran || ssautil.Dominates(instr, last)
		return reach.MayPrecede(last, instr)
	})
	if again || !ran || !counted {
		return false
	}
	for _, use := range p.usesOf(fn) {
		start, ok := use.(*ssa.Go)
		if !ok || !countsUp(start, u.count) {
			return false
		}
		u.counts = append(u.counts, start.Parent())
	}
	return true
}

// callsGiven reports whether an instruction calls a function that the code has got as a value.
func callsGiven(instr ssa.Instruction) bool {
	call, ok := instr.(*ssa.Call)
	if !ok || call.Call.IsInvoke() || call.Call.StaticCallee() != nil {
		return false
	}
	_, builtin := call.Call.Value.(*ssa.Builtin)
	return !builtin
}

// countsUp reports whether a method counts up a field by one before it starts a goroutine.
func countsUp(start *ssa.Go, count *types.Var) bool {
	return start.Parent().Signature.Recv() != nil && ssautil.Some(start.Parent(), func(instr ssa.Instruction) bool {
		st, ok := instr.(*ssa.Store)
		if !ok || !isField(st.Addr, count) {
			return false
		}
		sum, ok := st.Val.(*ssa.BinOp)
		return ok && sum.Op == token.ADD && ssautil.IsInt(sum.Y, 1) && ssautil.Dominates(st, start)
	})
}

// isField reports whether an address is that of a field.
func isField(addr ssa.Value, field *types.Var) bool {
	f, ok := addr.(*ssa.FieldAddr)
	return ok && ssautil.FieldOf(f).Origin() == field
}
