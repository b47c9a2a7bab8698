package records

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/outside"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// fedBy returns the channels from which a goroutine gets all its work: before it has received from one of them it calls
// nothing of the module, and does nothing to a map. Nil if it does, or receives from a channel that is no field or
// package-level variable, or from a clock.
func (r *runner) fedBy(start ssa.CallInstruction) []outside.Name {
	if start == nil {
		return nil
	}
	body := ssautil.Function(start.Common().Value)
	if body == nil || len(body.Blocks) == 0 {
		return nil
	}
	var gates []ssa.Instruction
	var from []outside.Name
	for _, b := range body.Blocks {
		for _, instr := range b.Instrs {
			if channels := r.gate(instr); len(channels) > 0 {
				gates, from = append(gates, instr), append(from, channels...)
			}
		}
	}
	if len(gates) == 0 || ssautil.Some(body, func(instr ssa.Instruction) bool {
		return r.works(instr) && !slices.ContainsFunc(gates, func(gate ssa.Instruction) bool { return gate != instr && ssautil.Dominates(gate, instr) })
	}) {
		return nil
	}
	slices.Sort(from)
	return slices.Compact(from)
}

// gate returns the channels from which an instruction receives, where it does nothing but wait for one of them, or for the
// end of a context.
func (r *runner) gate(instr ssa.Instruction) []outside.Name {
	var channels []ssa.Value
	switch instr := instr.(type) {
	case *ssa.UnOp:
		if instr.Op == token.ARROW {
			channels = append(channels, instr.X)
		}
	case *ssa.Select:
		if !instr.Blocking {
			return nil
		}
		for _, s := range instr.States {
			if s.Dir == types.SendOnly {
				return nil
			}
			if !isDone(s.Chan) {
				channels = append(channels, s.Chan)
			}
		}
	}
	var out []outside.Name
	for _, ch := range channels {
		node := r.channel(ch)
		if node == "" {
			return nil
		}
		out = append(out, node)
	}
	return out
}

// isDone reports whether a channel is the one that tells of the end of a context.
func isDone(ch ssa.Value) bool {
	call := ssautil.CallOf(ch)
	if call == nil {
		return false
	}
	fn, _ := ssautil.Callee(&call.Call)
	return model.GivesEnd(fn)
}

// channel returns the field or package-level variable of the module from which a channel comes; "" of another one, and of
// what a clock sends on.
func (r *runner) channel(ch ssa.Value) outside.Name {
	load, ok := ssautil.Unwrap(ch).(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return ""
	}
	if t, ok := ch.Type().Underlying().(*types.Chan); !ok || model.IsTime(t.Elem()) {
		return ""
	}
	return r.held(load.X)
}

// works reports whether an instruction may do something to what goroutines of the module share, or give another one work.
// Deferred calls come at the end.
func (r *runner) works(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Go, *ssa.Send, *ssa.MapUpdate, *ssa.Lookup, *ssa.Range:
		return true
	case *ssa.Call:
		if _, builtin := instr.Call.Value.(*ssa.Builtin); builtin {
			return false
		}
		fn, _ := ssautil.Callee(&instr.Call)
		if fn == nil || fn.Pkg() != nil && r.inScope(fn.Pkg().Path()) {
			return true
		}
		return slices.ContainsFunc(instr.Call.Args, func(v ssa.Value) bool { return isFunc(v.Type()) })
	}
	return false
}

func isFunc(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// feeds notes where the function sends on channels of the module, and where it waits for a group of goroutines.
func (r *runner) feeds(order *ssautil.Order) {
	for _, b := range r.f.SSA.Blocks {
		for i, instr := range b.Instrs {
			for _, ch := range sentOn(instr) {
				if node := r.channel(ch); node != "" {
					r.rec.Sends = append(r.rec.Sends, outside.Run{From: r.node, To: node, Order: order.At(b, i)})
				}
			}
			if call, ok := instr.(*ssa.Call); ok && waiting(call) {
				r.rec.Waiting = append(r.rec.Waiting, outside.Run{From: r.node, Order: order.At(b, i)})
			}
		}
	}
}

// sentOn returns the channels on which an instruction may send.
func sentOn(instr ssa.Instruction) (out []ssa.Value) {
	switch instr := instr.(type) {
	case *ssa.Send:
		out = append(out, instr.Chan)
	case *ssa.Select:
		for _, s := range instr.States {
			if s.Dir == types.SendOnly {
				out = append(out, s.Chan)
			}
		}
	}
	return out
}
