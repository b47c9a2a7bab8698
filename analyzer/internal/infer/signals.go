package infer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// signals finds the channels that say "done": closed somewhere in the
// package and never sent to, or used for one handshake, or for a tally. Receiving from one waits for an end;
// receiving from any other may be a semaphore or a queue. Those that are closed and sent to as well, as between
// the stages of a pipeline, are the second: who finds such a one closed has waited for the close.
func (p *Package) signals() (closed, both map[any]bool) {
	closed, both = make(map[any]bool), make(map[any]bool)
	sent := make(map[any]bool)
	var passed []passedChan
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				switch instr := instr.(type) {
				case *ssa.Send:
					sent[chanIdentity(instr.Chan)] = true
				case *ssa.Select:
					for _, st := range instr.States {
						if st.Dir == types.SendOnly {
							sent[chanIdentity(st.Chan)] = true
						}
					}
				case ssa.CallInstruction:
					c := instr.Common()
					if ch := ssautil.Closed(instr); ch != nil {
						closed[chanIdentity(ch)] = true
					}
					passed = append(passed, passedChans(c)...)
				}
			}
		}
	}
	for range maxPassed {
		for _, ch := range passed {
			closed[ch.arg] = closed[ch.arg] || closed[ch.param]
			sent[ch.arg] = sent[ch.arg] || sent[ch.param]
		}
	}
	for id, is := range sent {
		if is {
			both[id] = closed[id]
			delete(closed, id)
		}
	}
	delete(closed, nil)
	for _, made := range p.handshakes() {
		closed[made] = true
	}
	for _, field := range p.tallies() {
		closed[field] = true
	}
	delete(both, nil)
	return closed, both
}

// maxPassed bounds the calls by which a channel is passed to what closes it, or a group to the object that
// points to it.
const maxPassed = 3

// A passedChan is a channel that a call passes, and what it is for the callee.
type passedChan struct{ arg, param any }

// passedChans returns the channels that a call passes to a function of which the code is known.
func passedChans(c *ssa.CallCommon) (out []passedChan) {
	fn := c.StaticCallee()
	if fn == nil || len(fn.Blocks) == 0 {
		return nil
	}
	for i, arg := range c.Args {
		if _, ok := arg.Type().Underlying().(*types.Chan); !ok || i >= len(fn.Params) {
			continue
		}
		if id := chanIdentity(arg); id != nil {
			out = append(out, passedChan{id, fn.Params[i]})
		}
	}
	return out
}

// chanIdentity names the field or variable that holds a channel, nil when it
// cannot be told.
func chanIdentity(v ssa.Value) any {
	for range 16 {
		switch x := v.(type) {
		case *ssa.UnOp:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.FieldAddr:
			if st, ok := ssautil.Pointee(x.X.Type()).Underlying().(*types.Struct); ok {
				return st.Field(x.Field).Origin()
			}
			return nil
		case *ssa.Field:
			if st, ok := x.X.Type().Underlying().(*types.Struct); ok {
				return st.Field(x.Field).Origin()
			}
			return nil
		case *ssa.Global:
			return x.Object()
		case *ssa.FreeVar:
			if v = ssautil.Binding(x); v == nil {
				return nil
			}
		case *ssa.Alloc:
			if s := ssautil.SoleStore(x); s != nil {
				v = s
				continue
			}
			return x
		case *ssa.MakeChan, *ssa.Parameter:
			return x
		default:
			return nil
		}
	}
	return nil
}
